"""Build the notebooks: sources in authoring/ -> notebooks/, executed, one way only.

    build.py                 build and execute what is stale
    build.py 02_mlm_masking  build and execute these, if stale (the appendix: appendix_claims)
    build.py --force ...     build them even if nothing changed
    build.py --check ...     execute nothing, list what is stale and why; exit status 1 if any is
    build.py --no-budget ... build on a busy machine: take as long as it takes

A lesson is authoring/lessons/NN_topic.py in the py:percent format:

    # ---
    # title: Hide a word, and learn
    # idea: Selected, corrupted and scored are three different sets.
    # seconds: 25
    # ---

    # %% [markdown] id="why-hide"
    # # Hide a word, and learn
    #
    # Prose, **bold**, formulas, tables.
    #
    # ```python
    # # include: companion.masking.tokens.corrupt
    # ```

    # %% id="three-samplers" tags=["claim"]
    assert 1 < 2

- Header: `title` (also the first line of the first cell), `idea` (one sentence, printed in the
  first and in the last markdown cell) and `seconds`: the computing time that the prose states.
  The build fails when running takes longer, when a cell takes over 20 s or a lesson over 60 s.
- `id` is optional; links and claims.toml need it. The notebook's cell id is NN-id, for instance
  02-three-samplers; a cell without one is named by its position and the hash of its source.
- `tags`: `claim` (asserts what the prose says), `nbval-check-output` (its output is compared
  when the notebook is tested: counts and small tables, never training numbers or figures),
  `playground` (a widget, with a static figure before it), `slide`. No others.
- `# include: companion.module.object`, at the left margin of a code cell or of a fenced block,
  becomes the source of that function, class, method or constant.
- authoring/lessons/extra/NN_topic.py becomes notebooks/extra/NN_topic.ipynb: what a chapter has no
  room for. Its cell ids begin with NN-extra-, and no number of figures or claims is asked of it.
- Refused, with place and remedy: see rules.py (source) and checks.py (outputs).

An exercise source is authoring/exercises/NN_topic.py, written as the solution, with markers: see
stubs.py. It becomes solutions/NN_topic.ipynb, executed, and exercises/NN_topic.ipynb, unrun. Its
tags are `exercise` (a learner fills it in, id="3") and `check` (id="check-3"), beside the others.

In order of work: source.py and include.py read, stubs.py splits, rules.py refuses, notebook.py
makes, execute.py runs, checks.py looks at the result, stale.py compares. appendix.py makes a lesson
of claims.toml.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if sys.path[0] != str(ROOT):  # run as a script, Python puts authoring/ itself there
    sys.path[0:1] = [str(ROOT)]

from authoring.appendix import NAME as APPENDIX  # noqa: E402
from authoring.appendix import read_appendix  # noqa: E402
from authoring.checks import private_places, problems_of  # noqa: E402
from authoring.execute import execute  # noqa: E402
from authoring.notebook import make_notebook, to_text, write_whole  # noqa: E402
from authoring.rules import lint  # noqa: E402
from authoring.source import BuildError, Lesson, read_lesson  # noqa: E402
from authoring.stale import notebook_path, orphans, stale_reasons  # noqa: E402
from authoring.stubs import STUBS, read_exercises, stubs_text  # noqa: E402


def sources(root: Path) -> dict[str, Path]:
    """Name of each notebook -> the file it is made from."""
    lessons = root / "authoring/lessons"
    found = {path.stem: path for path in sorted(lessons.glob("*.py"))}
    found |= {f"extra/{path.stem}": path for path in sorted(lessons.glob("extra/*.py"))}
    for path in sorted((root / "authoring/exercises").glob("*.py")):
        found |= {f"exercises/{path.stem}": path, f"solutions/{path.stem}": path}
    claims = root / "authoring/claims.toml"
    return found | ({APPENDIX: claims} if claims.is_file() else {})


def load(name: str, root: Path) -> Lesson:
    """Read and lint one source; BuildError lists all that is wrong with it."""
    path = sources(root)[name]
    if name == APPENDIX:
        lesson = read_appendix(path, root)
    elif path.parent.name == "exercises":
        lesson = read_exercises(path, root)[name.startswith("solutions/")]
    else:
        lesson = read_lesson(path, root)
    if problems := lint(lesson):
        raise BuildError(problems)
    return lesson


def build(lesson: Lesson, root: Path, budget: bool = True) -> float:
    """Make, execute, check and write one notebook; returns the seconds that its cells took."""
    path = notebook_path(lesson.name, root)
    notebook = make_notebook(lesson)
    if lesson.is_handed_out:
        write_whole(path, to_text(notebook))
        return 0.0
    execute(notebook, lesson, path.parent, root, budget)
    if problems := problems_of(notebook, private_places(root)):
        raise BuildError([f"{lesson.origin}: {problem}" for problem in problems])
    write_whole(path, to_text(notebook))
    return notebook.metadata.companion["seconds_measured"]


def stale_stubs(root: Path, write: bool) -> list[str]:
    """Whether the checks know what is handed out now; `write` tells them."""
    names = [name for name in sources(root) if name.startswith("exercises/")]
    text = stubs_text([load(name, root) for name in names])
    path = root / STUBS
    if not names or (path.is_file() and path.read_text(encoding="utf-8") == text):
        return []
    if write:
        write_whole(path, text)
    return [f"{STUBS.name} is not what authoring/exercises/ makes"]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """The command; returns its exit status."""
    options = _parse(arguments)
    known = sources(root)
    if unknown := sorted(set(options.names) - set(known)):
        print(f"no source for {', '.join(unknown)}; known: {', '.join(known) or 'none'}")
        return 1
    failed = False
    try:
        for reason in stale_stubs(root, write=not options.check):
            failed |= options.check
            print(f"stale: {reason}" if options.check else f"writing: {reason}")
    except BuildError as error:
        print(error)
        return 1
    for name in options.names or known:
        try:
            lesson = load(name, root)
            reasons = stale_reasons(lesson, root)
            if options.check:
                failed |= bool(reasons)
                for reason in reasons:
                    print(f"stale: {name}: {reason}")
            elif reasons or options.force:
                print(f"building {name} ({reasons[0] if reasons else 'forced'})", flush=True)
                print(f"  {build(lesson, root, not options.no_budget):.1f} s in its cells")
        except BuildError as error:
            failed = True
            print(error)
    for path in orphans(set(known), root):
        failed = True
        print(f"{path}: nothing in authoring/ makes it; delete it")
    if not failed:
        print("every notebook is up to date" if options.check else "nothing is stale")
    return int(failed)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n\nA lesson is")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="notebooks to build; default: all")
    parser.add_argument("--check", action="store_true", help="list what is stale, run nothing")
    parser.add_argument("--force", action="store_true", help="build what is up to date too")
    parser.add_argument("--no-budget", action="store_true", help="do not compare with the budgets")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
