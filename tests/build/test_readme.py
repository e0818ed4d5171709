"""What README.md promises: its commands exist, its code runs, its map is the course."""

import contextlib
import io
import re
import subprocess
from pathlib import Path

from authoring.build import ROOT, load, sources

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.S)


def test_the_code_example_runs_and_prints_what_it_says():
    (code,) = blocks("python")
    promised = re.findall(r"# → (\S+ \w+)", code)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue().splitlines() == promised


def test_every_make_command_exists():
    lines = {line for block in blocks("sh") for line in block.splitlines()}
    commands = {line for line in lines if line.startswith("make ")}
    assert commands == {"make lab", "make test"}
    for command in lines - commands:
        several = "torchrun --standalone --nproc-per-node 2 -m "
        command = command.removeprefix(several)
        assert re.match(r"companion (pretrain --config \S+|evaluate \S+)$", command)
        assert all((ROOT / path).exists() for path in re.findall(r"configs/\S+", command))
    for command in [*commands, "make build", "make bench", "make help"]:
        dry = subprocess.run(
            [*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True
        )
        assert dry.returncode == 0, dry.stderr


def test_the_map_lists_the_lessons_with_their_ideas():
    row = r"^\| \[(\S+) (.+?)\]\((.+?)\) \| (.+?) \| (\d+) min \| (.*?) \|$"
    rows = re.findall(row, README, re.M)
    names = [name for name in sources(ROOT) if "/" not in name and name != "appendix_claims"]
    lessons = [load(name, ROOT) for name in names]
    assert [Path(link).stem for _, _, link, *_ in rows] == [lesson.name for lesson in lessons]
    for (chapter, title, _, idea, minutes, exercises), lesson in zip(rows, lessons, strict=True):
        for folder in ("exercises", "solutions"):
            has_them = f"{folder}/{lesson.name}" in sources(ROOT)
            assert has_them == (f"]({folder}/{lesson.name}.ipynb)" in exercises)
        assert chapter == lesson.chapter
        number = str(int(chapter)) if chapter.isdigit() else chapter  # "1", and "00b"
        assert lesson.title == f"Chapter {number}: {title}"
        assert idea == lesson.idea
        assert f"| Reading | {minutes} minutes |" in lesson.cells[0].source


def test_every_extra_is_linked():
    extras = [name for name in sources(ROOT) if name.startswith("extra/")]
    linked = re.findall(r"\]\(notebooks/(extra/\w+)\.ipynb\)", README)
    assert sorted(linked) == sorted(extras)


def test_the_rooms_of_the_library_are_listed():
    listed = set(re.findall(r"^\| \[`companion\.(\w+)`\]", README, re.M))
    present = {
        path.stem
        for path in (ROOT / "companion").iterdir()
        if path.stem not in ("__init__", "__main__", "__pycache__", "cli", "py")
    }
    assert listed == present
