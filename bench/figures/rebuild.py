"""A build when nothing has changed: it should be fast, and touches no file."""

from collections.abc import Iterator
from pathlib import Path

from bench import fleet
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import Cost, gitgpu, row, side_by_side


def measure(bench: Bench) -> Iterator[Row]:
    """Every turn builds into a new directory, and then into the same one again."""
    folder = fleet.start(bench.folder / "rebuild", bench.clusters)
    touched: list[int] = []

    def again(turn: int) -> Cost:
        before = _states(folder / f"built{turn}")
        cost = gitgpu("build", "--out", f"built{turn}", folder=folder)
        touched.append(len(before ^ _states(folder / f"built{turn}")))
        return cost

    subjects = {"fresh": fleet.fresh(folder), "again": again}
    costs = side_by_side(subjects, bench.rounds)
    what = f"build, nothing changed, {bench.clusters:,} clusters"
    yield row(what, "the fresh build", (costs["again"], costs["fresh"]), Goal(0.12))
    yield Row(f"{what}: files touched", "none", float(max(touched)), Goal(0))


def _states(root: Path) -> set[tuple[str, int, int]]:
    """The inode and time of every file. A replaced file has another inode, one written in place another time."""
    return {(str(path), path.stat().st_ino, path.stat().st_mtime_ns) for path in root.rglob("*")}


FIGURE = Figure("rebuild", "a build with nothing changed against the fresh one", measure)
