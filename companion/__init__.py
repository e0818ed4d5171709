"""Full implementations of masked modelling: the library behind the course *Fill in the Blank*.

Import the rooms, not the house: `companion.data`, `companion.masking`, `companion.models`,
`companion.losses`, `companion.evaluation`, `companion.show`. This file imports nothing, so that
one room does not load the others.
"""
