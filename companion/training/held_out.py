"""What looks at a run from outside: an exam on held-out text, and a film of thirty blanks."""

from collections.abc import Sequence
from pathlib import Path

from torch import nn

from companion.data import Document, Tokenizer
from companion.evaluation import Film, choose_blanks, fill_blanks, make_blanks, read_on
from companion.training.config import TrainingConfig
from companion.training.loop import Score


class HeldOut:
    """Watches a run: held-out blanks for the log, and thirty of them for the film.

    Texts are read in rows of `data.length`: places beyond it were never trained. The film has fewer
    blanks where `pages` have no more.

    Raises:
        ValueError: `pages` have no blank, or none for a film that the config asks for.
    """

    def __init__(
        self,
        config: TrainingConfig,
        tokenizer: Tokenizer,
        pages: Sequence[Document],
        folder: Path,
    ) -> None:
        self.tokenizer, self.length = tokenizer, config.data.length
        self.blanks = make_blanks([page.text for page in pages], tokenizer, draws=[0])
        scenes = choose_blanks(pages, tokenizer, common=10, rare=20, length=self.length, seed=0)
        if config.run.film and not scenes:
            raise ValueError(
                f"run.film asks for blanks, and no sentence of the {len(pages)} held-out texts has "
                f"8 to 25 words in at most data.length = {self.length} tokens: give more text, or "
                "leave out run.film"
            )
        self.file = Film(folder / "film.json", tokenizer, scenes)

    def go_on_from(self, step: int) -> None:
        """Cut the film back to where the run goes on."""
        self.file.cut_after(step)

    def evaluate(self, model: nn.Module) -> Score:
        """Loss and accuracy at the held-out blanks."""
        filled = fill_blanks(model, self.blanks, self.tokenizer, length=self.length)
        is_right = filled.tokens == self.blanks.answers
        return Score(filled.surprise.mean().item(), is_right.float().mean().item())

    def film(self, model: nn.Module, step: int, seconds: float) -> None:
        """Add a frame to the film."""
        self.file.record(model, step, seconds)


class HeldOutText:
    """Watches a run of a causal model: each next token of the held-out pages. There is no film."""

    def __init__(
        self, config: TrainingConfig, tokenizer: Tokenizer, pages: Sequence[Document]
    ) -> None:
        self.texts = [page.text for page in pages]
        self.tokenizer, self.length = tokenizer, config.data.length

    def go_on_from(self, step: int) -> None:
        """Nothing was written that would have to be cut back."""

    def evaluate(self, model: nn.Module) -> Score:
        """Loss and accuracy at each token of the held-out pages: see `read_on`."""
        read = read_on(model, self.texts, self.tokenizer, length=self.length)
        return Score(read.surprise.mean().item(), read.is_right.float().mean().item())

    def film(self, model: nn.Module, step: int, seconds: float) -> None:
        """There are no blanks to fill."""
