"""`python -m tests.mutants FOLDER... [--count N] [--seed N]`: which small faults do the tests of a folder not notice?

Works on a copy of the checkout. Exit status: 0 when at least as many are noticed as `--least` says, 1 otherwise.
"""

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.operators import mutated
from tests.mutants.plan import Tried, chosen, modules, tests_of

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov", "--hypothesis-seed=0")


def tried(folder: str, faults: Sequence[Tried], files: Sequence[str], copy: Path, tests: Sequence[str], fast: bool = False) -> dict[int, str]:
    """How each fault ends, by its place in the list: those that a fork cannot judge get a process of their own."""
    work, results = copy.parent / "work.json", copy.parent / "results.jsonl"
    measured = copy.parent / f"measured-{folder.replace('/', '-')}.json"
    rows = [
        {"key": at, "file": one.file, **one.fault._asdict()} for at, one in enumerate(faults)
    ]
    results.unlink(missing_ok=True)
    asked = {"measured": str(measured), "results": str(results), "files": list(files), "mutants": rows}
    work.write_text(json.dumps(asked), encoding="utf-8")
    _pytest(copy, work, ("-p", "tests.mutants.warm", *tests), None)
    failed = json.loads(measured.read_text(encoding="utf-8"))["failed"]
    if failed:
        print(f"{folder}: left out because they fail without any fault: {', '.join(failed)}")
    ended = dict(json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())
    for at, outcome in ended.items():
        if outcome == "cold" or (outcome == "survived" and not fast):
            file = faults[at].file
            work.write_text(json.dumps({**asked, "file": file}), encoding="utf-8")
            ended[at] = _alone(faults[at], copy, work, through(measured, file) or tests)
    return ended


def through(measured: Path, file: str) -> list[str]:
    """The files of the tests that come through a module."""
    lines = json.loads(measured.read_text(encoding="utf-8"))["lines"].get(file, {})
    return sorted({name.partition("::")[0] for names in lines.values() for name in names})


def _alone(one: Tried, copy: Path, work: Path, tests: Sequence[str]) -> str:
    """How a fault ends in a process that has read it from disk."""
    path = copy / one.file
    source = path.read_text(encoding="utf-8")
    try:
        _write(path, ast.unparse(mutated(source, one.fault.number)))
        status = _pytest(copy, work, ("-p", "tests.mutants.cold", *tests), 900)
    finally:
        _write(path, source)
    return {0: "survived", None: "timeout"}.get(status, "killed")


def _write(path: Path, text: str) -> None:
    """Write a module; Python keeps the compiled one of another text when its size and second of change are equal."""
    before = path.stat().st_mtime
    path.write_text(text, encoding="utf-8")
    os.utime(path, (before + 2, before + 2))


def _pytest(copy: Path, work: Path, words: Sequence[str], seconds: float | None) -> int | None:
    """The exit status of pytest in the copy; None when it took too long."""
    command = [sys.executable, "-m", "pytest", *PYTEST, f"--basetemp={copy.parent / 'temporary'}", *words]
    environment = {**os.environ, "GITGPU_MUTANTS": str(work), "PYTHONPATH": str(copy)}
    with (copy.parent / "pytest.txt").open("w", encoding="utf-8") as out:
        process = subprocess.Popen(
            command, cwd=copy, env=environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True
        )
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return None


def report(folder: str, faults: Sequence[Tried], ended: dict[int, str], seed: int) -> float:
    """Print the survivors and the share that was noticed."""
    for at, one in enumerate(faults):
        if ended[at] == "survived":
            print(f"  {one.text}")
    counts = Counter(ended.values())
    share = 100 * (1 - counts["survived"] / len(faults)) if faults else 100.0
    late = f", {counts['timeout']} of them by taking too long" if counts["timeout"] else ""
    print(f"{folder}: {len(faults) - counts['survived']} of {len(faults)} noticed{late}: {share:.0f} %, seed {seed}", flush=True)
    return share


def main(words: Sequence[str]) -> int:
    """Try the faults of each folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("folders", nargs="*", default=["gitgpu/schedule"], help="folders or modules, such as gitgpu/compare")
    parser.add_argument("--count", type=int, default=50, help="faults a folder (default: 50)")
    parser.add_argument("--seed", type=int, default=1, help="which faults (default: 1)")
    parser.add_argument("--least", type=float, default=0, help="percent that have to be noticed (default: 0)")
    parser.add_argument("--fast", action="store_true", help="do not try survivors again in a process of their own")
    parser.add_argument("--tests", nargs="*", help="tests in place of those of the folder")
    asked = parser.parse_args(words)
    shares = []
    with tempfile.TemporaryDirectory(prefix="gitgpu-mutants-") as temporary:
        copy = Path(temporary) / "gitgpu"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        if (ROOT.parent / "shared").is_dir():
            (copy.parent / "shared").symlink_to(ROOT.parent / "shared")
        for folder in asked.folders:
            files = modules(copy, folder)
            faults = chosen(copy, files, asked.count, asked.seed)
            tests = asked.tests or tests_of(copy, folder)
            shares.append(report(folder, faults, tried(folder, faults, files, copy, tests, asked.fast), asked.seed))
    return int(min(shares) < asked.least)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
