"""Measures time and memory side by side. A small process starts and measures each command."""

import gc
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from subprocess import run
from time import perf_counter
from typing import NamedTuple

from bench.figure import Goal, Row

ROOT = Path(__file__).resolve().parent.parent
PYTHON = (sys.executable, "-I")
PROGRAM = "import sys; sys.path.insert(0, {!r}); from gitgpu.cli.main import run; run()"
GITGPU = (*PYTHON, "-c", PROGRAM.format(str(ROOT)))
KEPT = ("PATH", "HOME", "TMPDIR")
# A process inherits the peak memory of its parent, so a small process starts the measured one.
WATCH = """
import resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
seconds = time.perf_counter() - start
if done.returncode:
    sys.exit(done.stderr.decode(errors="replace") or str(done.returncode))
unit = 2**20 if sys.platform == "darwin" else 2**10
print(seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / unit)
"""


class Cost(NamedTuple):
    """Wall time, and the peak memory of a process (0 for code in this process)."""

    seconds: float
    mebibytes: float = 0.0


def command(argv: Sequence[str | Path], folder: Path) -> Cost:
    """The cost of a process with a clean environment; its output is discarded. Raises RuntimeError if it fails."""
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {"LC_ALL": "C.UTF-8"}
    watch = [*PYTHON, "-S", "-c", WATCH, *map(str, argv)]
    done = run(watch, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, argv))}: {done.stderr.strip()}")
    return Cost(*map(float, done.stdout.split()))


def gitgpu(*words: str, folder: Path) -> Cost:
    """The cost of a run of gitgpu from this checkout."""
    return command((*GITGPU, *words), folder)


def installed(folder: Path) -> tuple[str, ...]:
    """The program from a wheel of this checkout, which is built and unpacked in a folder."""
    options = ("--wheel", "--no-isolation", "--outdir", str(folder))
    run([sys.executable, "-m", "build", *options, str(ROOT)], capture_output=True, check=True)
    [wheel] = folder.glob("*.whl")
    shutil.unpack_archive(wheel, folder / "installed", "zip")
    return (*PYTHON, "-c", PROGRAM.format(str(folder / "installed")))


def process(argv: Sequence[str | Path], folder: Path) -> Callable[[int], Cost]:
    """A subject that runs one command every turn."""
    return lambda _: command(argv, folder)


def call(function: Callable[[], object]) -> Cost:
    """The cost of a call in this process, with the garbage collector off, as in the program."""
    gc.collect()
    gc.disable()
    start = perf_counter()
    function()
    seconds = perf_counter() - start
    gc.enable()
    return Cost(seconds)


def side_by_side(subjects: Mapping[str, Callable[[int], Cost]], rounds: int) -> dict[str, Cost]:
    """The median cost of each subject. They take turns, and get the number of the turn; turn 0 is a warm-up."""
    costs: dict[str, list[Cost]] = {name: [] for name in subjects}
    for turn in range(rounds + 1):
        for name, subject in subjects.items():
            cost = subject(turn)
            if turn:
                costs[name].append(cost)
    return {name: Cost(*map(median, zip(*measured, strict=True))) for name, measured in costs.items()}


def row(figure: str, against: str, costs: Sequence[Cost], goal: Goal) -> Row:
    """A row with the ratio of two times: the first to the second, or the inverse if the goal is a lower bound."""
    ours, theirs = (cost.seconds for cost in costs)
    measured = theirs / ours if goal.least else ours / theirs
    return Row(figure, against, measured, goal, f"{_shown(ours)} / {_shown(theirs)}")


def _shown(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"
