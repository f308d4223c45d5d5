"""What everybody waits for: a check of the example fleet before a commit, and in CI."""

from collections.abc import Iterator
from shutil import copy

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import GITGPU, PYTHON, ROOT, gitgpu, process, row, side_by_side

COMMANDS = {
    "gitgpu validate, example fleet": ("validate",),
    "gitgpu build --check, example fleet": ("build", "--check"),
}


def measure(bench: Bench) -> Iterator[Row]:
    """Whole processes against an interpreter that does nothing."""
    folder = bench.folder / "example"
    folder.mkdir()
    copy(ROOT / "fleet.yaml", folder)
    gitgpu("build", folder=folder)
    subjects = {name: process((*GITGPU, *words), folder) for name, words in COMMANDS.items()}
    subjects["pass"] = process((*PYTHON, "-c", "pass"), folder)
    costs = side_by_side(subjects, 2 * bench.rounds)
    for name in COMMANDS:
        yield row(name, "python -c pass", (costs[name], costs["pass"]), Goal(10))


FIGURE = Figure("example", "validate and build --check of the example fleet against a bare interpreter", measure)
