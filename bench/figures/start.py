"""The start-up of the program: --help and --version, which read no file."""

from collections.abc import Iterator

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import GITGPU, PYTHON, process, row, side_by_side

WORDS = ("--help", "--version")


def measure(bench: Bench) -> Iterator[Row]:
    """Whole processes against an interpreter that does nothing."""
    subjects = {word: process((*GITGPU, word), bench.folder) for word in WORDS}
    subjects["pass"] = process((*PYTHON, "-c", "pass"), bench.folder)
    costs = side_by_side(subjects, 4 * bench.rounds)
    for word in WORDS:
        yield row(f"gitgpu {word}", "python -c pass", (costs[word], costs["pass"]), Goal(3))


FIGURE = Figure("start", "gitgpu --help and --version against a bare interpreter", measure)
