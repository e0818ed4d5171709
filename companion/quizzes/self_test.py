"""The self-test of the warm-up: who has all six right can go on to chapter 1."""

from companion.show.quiz import Option, Question

QUESTIONS = (
    Question(
        "`x` is `tensor([5, 6, 7])`. Then come `y = x` and `y[0] = 0`. What is `x` now?",
        (
            Option(
                "`tensor([5, 6, 7])`", "`y = x` copies nothing: both names stand for one tensor."
            ),
            Option("`tensor([0, 6, 7])`", "`y` is a second name of the same tensor."),
            Option("an error", "Writing into a tensor is allowed, and that is the danger."),
        ),
        1,
        "#cell-id=00b-cards",
    ),
    Question(
        "`x` is `tensor([30, 10, 20])`. What is `x[torch.tensor([2, 0])]`?",
        (
            Option(
                "`tensor([20, 30])`", "An index says from where to take: place 2, then place 0."
            ),
            Option("`tensor([10, 30])`", "Places count from 0, so place 2 is the last one."),
            Option(
                "`tensor([30, 20])`", "The result has the order of the index: place 2 comes first."
            ),
        ),
        0,
        "#cell-id=00b-gather",
    ),
    Question(
        "A shuffled deck is `[2, 0, 3, 1]`: card 2 lies at place 0, and so on. Which index brings "
        "the cards back into order?",
        (
            Option("`[2, 0, 3, 1]`", "This shuffles once more: 3, 2, 1, 0 comes out."),
            Option("`[1, 3, 0, 2]`", "Card 0 lies at place 1, card 1 at place 3, and so on."),
            Option("`[0, 1, 2, 3]`", "This index leaves the deck as it is."),
        ),
        1,
        "#cell-id=00b-restore",
    ),
    Question(
        "A model gives the right word the probability 1/4. What does this word add to its loss, in "
        "natural logarithms?",
        (
            Option("0.75", "The loss is no difference to 1. It is the negative logarithm."),
            Option("1.39", "\u2212ln(1/4) = ln 4 = 1.386."),
            Option("4", "One over the probability: its logarithm is the loss."),
        ),
        1,
        "#cell-id=00b-surprise",
    ),
    Question(
        "A query has the same score with two keys. Their values are 10 and 20. What does attention "
        "return?",
        (
            Option("10 or 20, by chance", "Attention does not choose: it takes an average."),
            Option("30", "The weights add up to 1: it is an average, and not a sum."),
            Option("15", "Equal scores give equal weights: half of each."),
        ),
        2,
        "#cell-id=00b-attention",
    ),
    Question(
        "In the same case the second key may not be looked at. What is the result now?",
        (
            Option("10", "All the weight goes to what is left."),
            Option("5", "The weights are made after the mask, and add up to 1 again."),
            Option("15", "A token that may not be looked at has the weight 0."),
        ),
        0,
        "#cell-id=00b-mask",
    ),
)
