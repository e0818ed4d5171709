"""One file for each exercise: its properties and hints; the solutions stand elsewhere."""
