"""`make prove`: prove every check, write the kill table, and put it into the README.

python tests/check/prove.py            what has changed since the last time
python tests/check/prove.py --all      everything
python tests/check/prove.py 2.3        one exercise, in any case
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import torch

sys.path[0:1] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).parent)]

from proof import (  # noqa: E402
    ALL_SEEDS,
    TABLE,
    as_record,
    prove,
    proved_ids,
    read_table,
    state_hash,
    write_table,
)

from authoring.build import ROOT  # noqa: E402
from companion.check.library import exercise  # noqa: E402

README = ROOT / "README.md"
BEGIN, END = "<!-- kill table -->", "<!-- end of kill table -->"


def markdown(proofs: dict[str, dict[str, Any]]) -> str:
    """The kill table."""
    rows = [
        "| exercise | right answers accepted | wrong answers refused, by the right property "
        "| mutants killed | equivalent | false failures |",
        "|---|---|---|---|---|---|",
    ]
    for id_, one in proofs.items():
        killed = one["mutants"] - one["equivalent"] - len(one["alive"])
        refused = one["wrong"] - len(one["accepted"]) - len(one["misnamed"])
        rows.append(
            f"| {id_} {exercise(id_).title} "
            f"| {one['right'] - len(one['refused'])} of {one['right']} "
            f"| {refused} of {one['wrong']} | {killed} of {one['mutants'] - one['equivalent']} "
            f"| {one['equivalent']} | {len(one['false_failures'])} of {one['seeds']} |"
        )
    return "\n".join(rows)


def with_table(readme: str, proofs: dict[str, dict[str, Any]]) -> str:
    """The README with this table between its two marks."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    if not rest or END not in readme:
        raise ValueError(f"README.md lacks {BEGIN} or {END}")
    return f"{before}{BEGIN}\n{markdown(proofs)}\n{END}{after}"


def main(arguments: list[str]) -> int:
    """Prove, print, write; 1 when something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exercises", nargs="*", metavar="ID")
    parser.add_argument("--all", action="store_true", help="also what has not changed")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--seeds", type=int, default=ALL_SEEDS, help="of the solution")
    options = parser.parse_args(arguments)
    known = read_table() if TABLE.exists() else {}
    stale = [
        id_
        for id_ in proved_ids()
        if options.all
        or id_ in options.exercises
        or known.get(id_, {}).get("hash") != state_hash(exercise(id_))
    ]
    problems: list[str] = []
    with ProcessPoolExecutor(
        options.jobs, initializer=torch.set_num_threads, initargs=(1,)
    ) as pool:
        for proof in pool.map(prove, stale, [options.seeds] * len(stale)):
            problems += proof.problems()
            alone = ", ".join(proof.never_alone) or "none"
            print(
                f"{proof.exercise} done; properties that caught nothing alone: {alone}", flush=True
            )
            if not proof.problems() and options.seeds >= ALL_SEEDS:
                known[proof.exercise] = as_record(proof)
                write_table({id_: known[id_] for id_ in proved_ids() if id_ in known})
    print(*problems, sep="\n")
    if problems or options.seeds < ALL_SEEDS:
        print("the README's table stays as it is")
        return int(bool(problems))
    proofs = {id_: known[id_] for id_ in proved_ids()}
    README.write_text(with_table(README.read_text(encoding="utf-8"), proofs), encoding="utf-8")
    print(markdown(proofs))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
