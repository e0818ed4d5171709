"""1.8, explain: the raw vector of [CLS] is no meaning of a sentence."""

from companion.check.exercise import Essay, Exercise

EXERCISE = Exercise(
    id="1.8",
    title="A search that finds nothing",
    kind="explain",
    level=1,
    minutes=5,
    place="class",
    essay=Essay(
        name="answer_1_8",
        model=(
            "The vector at [CLS] means what its training asked of it. In BERT that was one bit: "
            "does B follow A? Nothing asked that like sentences get like vectors, so distances "
            "between them tell little. Train it for the task, or take at least the mean over all "
            "tokens."
        ),
        criteria=(
            "what the vector was trained for",
            "that nothing in the training made like sentences alike",
            "what to do instead: training for it, or another vector",
        ),
    ),
    fact="a vector is good for what it was trained for; the name of its token promises nothing",
    hints=(
        "Where to look. Which head reads the vector of [CLS] in pre-training, and what does it "
        "ask?",
        "The idea. A search compares distances. Did anything in the training make distances "
        "between sentences mean something?",
        "The shape of the answer. Three sentences: what was trained, what was not, what to do.",
    ),
    transfer="Which vector would you try first instead, without any further training?",
)
