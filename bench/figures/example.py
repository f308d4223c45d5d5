"""Checks of the example fleet, as people run them before a commit and in CI."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import PYTHON, ROOT, gitgpu, installed, process, row, side_by_side

COMMANDS = {
    "gitgpu validate, example fleet": ("validate",),
    "gitgpu build --check, example fleet": ("build", "--check"),
}

GOALS = {
    "gitgpu validate, example fleet, without cache": 12,
    "gitgpu build --check, example fleet, without cache": 20,
}


def measure(bench: Bench) -> Iterator[Row]:
    """Whole processes against an interpreter that does nothing, after a build and in a fresh checkout."""
    built, fresh = (_folder(bench, name) for name in ("example", "fresh"))
    shutil.rmtree(fresh / ".gitgpu_cache")
    program = installed(bench.folder)
    subjects = {name: process((*program, *words), built) for name, words in COMMANDS.items()}
    subjects |= {f"{name}, without cache": process((*program, *words), fresh) for name, words in COMMANDS.items()}
    costs = side_by_side({"pass": process((*PYTHON, "-c", "pass"), built), **subjects}, 2 * bench.rounds)
    for name in subjects:
        yield row(name, "python -c pass", (costs[name], costs["pass"]), Goal(GOALS.get(name, 10)))


def _folder(bench: Bench, name: str) -> Path:
    """A directory with the example fleet and its output."""
    folder = bench.folder / name
    folder.mkdir()
    shutil.copy(ROOT / "fleet.yaml", folder)
    gitgpu("build", folder=folder)
    return folder


FIGURE = Figure("example", "validate and build --check of the example fleet against a bare interpreter", measure)
