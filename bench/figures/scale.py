"""Ten times the clusters: time and memory must not grow faster than the fleet."""

from collections.abc import Iterator

from bench import fleet
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import row, side_by_side


def measure(bench: Bench) -> Iterator[Row]:
    """Fresh builds of a fleet and of a tenth of it."""
    few, many = bench.clusters // 10, bench.clusters
    small = fleet.start(bench.folder / "scale" / "small", few)
    large = fleet.start(bench.folder / "scale" / "large", many)
    costs = side_by_side({"small": fleet.fresh(small), "large": fleet.fresh(large)}, bench.rounds)
    what, peaks = f"build, {many:,} clusters", (costs["large"].mebibytes, costs["small"].mebibytes)
    yield row(f"{what}: time", f"{few:,} clusters", (costs["large"], costs["small"]), Goal(11))
    note = f"{peaks[0]:.0f} / {peaks[1]:.0f} MiB"
    yield Row(f"{what}: peak memory", f"{few:,} clusters", peaks[0] / peaks[1], Goal(11), note)
    yield Row(f"build, {many * fleet.OBJECTS:,} objects: peak memory", "1 MiB", peaks[0], Goal(150), note)


FIGURE = Figure("scale", "time and memory of ten times the clusters", measure)
