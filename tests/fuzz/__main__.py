"""Runs many cases: `python -m tests.fuzz [--cases N] [--seed FIRST] [--jobs N]`, and reduces a saved case.

Exit status: 0 nothing found, 1 something was. A case that fails is kept below build/fuzz, in a folder with its files,
the command line (`command`) and what was wrong (`failure`). `python -m tests.fuzz --reduce FOLDER` cuts its files down
as long as the same goes wrong; `--replay FOLDER` runs it once more.
"""

import argparse
import shlex
import shutil
import sys
from multiprocessing import Pool
from pathlib import Path

from tests.fuzz.case import Case, case, failure

KEPT = Path("build/fuzz")


def keep(folder: Path, odd: Case, why: str) -> None:
    """Saves a case."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in odd.files.items():
        path = folder / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "command").write_text(shlex.join(odd.words) + "\n", encoding="utf-8")
    (folder / "failure").write_text(why.encode(errors="backslashreplace").decode() + "\n", encoding="utf-8")


def kept(folder: Path) -> Case:
    """A saved case."""
    files = folder / "files"
    contents = {path.relative_to(files).as_posix(): path.read_bytes() for path in files.rglob("*") if path.is_file()}
    return Case(contents, tuple(shlex.split((folder / "command").read_text(encoding="utf-8"))))


def reduced(odd: Case, why: str) -> Case:
    """The case without every file and every run of lines that the same failure does not need."""
    files = dict(odd.files)
    for name in list(files):
        rest = {other: content for other, content in files.items() if other != name}
        if rest and _same(Case(rest, odd.words), why):
            files = rest
    for name in files:
        lines = files[name].splitlines(keepends=True)
        size = len(lines)
        while size:
            at = 0
            while at < len(lines):
                shorter = lines[:at] + lines[at + size :]
                if _same(Case({**files, name: b"".join(shorter)}, odd.words), why):
                    lines = shorter
                else:
                    at += size
            size //= 2
        files[name] = b"".join(lines)
    return Case(files, odd.words)


def _same(odd: Case, why: str) -> bool:
    return failure(odd).partition(":")[0] == why.partition(":")[0]


def _tried(seed: int) -> tuple[int, str]:
    return seed, failure(case(seed))


def _many(first: int, count: int, jobs: int) -> int:
    bad = 0
    with Pool(jobs, maxtasksperchild=500) as pool:
        for done, (seed, why) in enumerate(pool.imap_unordered(_tried, range(first, first + count), 10), start=1):
            if why:
                bad += 1
                keep(KEPT / str(seed), case(seed), why)
                print(f"{KEPT / str(seed)}: {why[:300]!r}", flush=True)
            if done % 500 == 0:
                print(f"{done} of {count} cases, {bad} failed", flush=True)
    print(f"{count} cases from {first}: {bad} failed", flush=True)
    return int(bad > 0)


def main() -> int:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first case")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reduce", type=Path)
    parser.add_argument("--replay", type=Path)
    asked = parser.parse_args()
    if asked.replay:
        print(failure(kept(asked.replay)) or "the failure no longer occurs")
        return 0
    if asked.reduce:
        odd = kept(asked.reduce)
        why = failure(odd)
        keep(asked.reduce, reduced(odd, why) if why else odd, why)
        return 0
    return _many(asked.seed, asked.cases, asked.jobs)


if __name__ == "__main__":
    sys.exit(main())
