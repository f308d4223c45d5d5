"""`python -m tests.mutants FOLDER...`: lists small changes to the code of a folder that no test detects.

Works on a copy of the checkout. Exit status: 0 if the share that is detected is at least `--least`, 1 otherwise.
For code that rules share, the examples and recorded cases of all rules are tried before the tests, and detect most
changes in a few seconds: `gitgpu/conform --without rules --tests` tries them alone.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.plan import DOCUMENTS, Tried, chosen, covering, modules, stage_of
from tests.mutants.run import UNNOTICED, Run, outcomes

ROOT = Path(__file__).parents[2]
NO_TESTS = ("tests/mutants",)  # an argument without tests; without arguments, pytest would run all tests
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")


def report(folder: str, faults: Sequence[Tried], ended: Sequence[str], seed: int) -> float:
    """Prints the survivors, and the percentage that was detected."""
    survivors = [(fault, outcome) for fault, outcome in zip(faults, ended, strict=True) if outcome in UNNOTICED]
    for fault, outcome in survivors:
        print(f"  {fault.text}{'  (not run)' if outcome == 'unreached' else ''}")
    tried = len(faults) - ended.count("cold")
    noticed = tried - len(survivors)
    share = 100 * noticed / tried if tried else 100.0
    late, left = ended.count("timeout"), ended.count("cold")
    notes = [f"{late} by taking too long"] * bool(late) + [f"{left} not tried"] * bool(left)
    more = f" ({', '.join(notes)})" if notes else ""
    print(f"{folder}: {noticed} of {tried} noticed{more}, {share:.0f} %, seed {seed}", flush=True)
    return share


def arguments() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("folders", nargs="*", default=["gitgpu/schedule"], help="such as gitgpu/compare, or a module")
    parser.add_argument("--count", type=int, default=50, help="faults in each folder (default: 50)")
    parser.add_argument("--seed", type=int, default=1, help="which faults (default: 1)")
    parser.add_argument("--least", type=float, default=0, help="percentage to be noticed (default: 0)")
    parser.add_argument(
        "--fast", action="store_true", help="start no process for a survivor, or for what a fork cannot try"
    )
    parser.add_argument("--without", default="", help="omit sub-folders of this name, such as rules")
    parser.add_argument("--tests", nargs="*", help="run these tests and not those of the folder; none without a name")
    parser.add_argument("--within", type=float, default=60, help="seconds of tests for each fault (default: 60)")
    parser.add_argument("--rules", nargs="*", choices=("object", "fleet"), help="whose documents are tried first")
    return parser


def main(words: Sequence[str]) -> int:
    """Tries faults of each folder."""
    parser = arguments()
    asked = parser.parse_args(words)
    for folder in asked.folders:
        if not (ROOT / folder).exists():
            parser.error(f"no such folder or module: {folder}")
    shares = []
    with tempfile.TemporaryDirectory(prefix="gitgpu-mutants-") as temporary:
        copy = Path(temporary) / "gitgpu"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        if (ROOT.parent / "shared").is_dir():
            (copy.parent / "shared").symlink_to(ROOT.parent / "shared")
        for number, folder in enumerate(asked.folders):
            files = modules(copy, folder, asked.without)
            faults = chosen(copy, files, asked.count, asked.seed)
            tests = covering(copy, folder) if asked.tests is None else asked.tests or NO_TESTS
            kinds = DOCUMENTS.get(stage_of(folder), ()) if asked.rules is None else asked.rules
            run = Run(copy, tests, files, copy.parent / str(number), within=asked.within, rules=kinds)
            run.folder.mkdir()
            shares.append(report(folder, faults, outcomes(run, faults, fast=asked.fast), asked.seed))
    return int(min(shares) < asked.least)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
