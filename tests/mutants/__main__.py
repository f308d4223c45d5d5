"""`python -m tests.mutants FOLDER...`: which small changes to the code of a folder do its tests not detect?

Works on a copy of the checkout. Exit status: 0 when at least as many are noticed as `--least` says, 1 otherwise.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.plan import Tried, chosen, covering, modules
from tests.mutants.run import Run, outcomes

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")


def report(folder: str, faults: Sequence[Tried], ended: Sequence[str], seed: int) -> float:
    """Print the survivors and the percentage that was noticed."""
    survivors = [fault for fault, outcome in zip(faults, ended, strict=True) if outcome == "survived"]
    for fault in survivors:
        print(f"  {fault.text}")
    noticed = len(faults) - len(survivors)
    share = 100 * noticed / len(faults) if faults else 100.0
    late = ended.count("timeout")
    stopped = f" ({late} by taking too long)" if late else ""
    print(f"{folder}: {noticed} of {len(faults)} noticed{stopped}, {share:.0f} %, seed {seed}", flush=True)
    return share


def arguments() -> argparse.ArgumentParser:
    """What the command line takes."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("folders", nargs="*", default=["gitgpu/schedule"], help="such as gitgpu/compare, or a module")
    parser.add_argument("--count", type=int, default=50, help="faults in each folder (default: 50)")
    parser.add_argument("--seed", type=int, default=1, help="which faults (default: 1)")
    parser.add_argument("--least", type=float, default=0, help="percentage to be noticed (default: 0)")
    parser.add_argument("--fast", action="store_true", help="do not try a survivor again in a process of its own")
    parser.add_argument("--without", default="", help="leave out sub-folders of this name, such as rules")
    parser.add_argument("--tests", nargs="*", help="run these tests and not those of the folder")
    return parser


def main(words: Sequence[str]) -> int:
    """Try the faults of each folder."""
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
            run = Run(copy, asked.tests or covering(copy, folder), files, copy.parent / str(number))
            run.folder.mkdir()
            shares.append(report(folder, faults, outcomes(run, faults, fast=asked.fast), asked.seed))
    return int(min(shares) < asked.least)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
