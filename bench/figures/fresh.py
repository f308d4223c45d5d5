"""A fresh build of a large fleet, including all checks, against only creating its files."""

from collections.abc import Iterator

from bench import fleet
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import call, row, side_by_side


def measure(bench: Bench) -> Iterator[Row]:
    """Every turn writes into a new directory. Nothing is deleted between turns."""
    folder = fleet.start(bench.folder / "fresh", bench.clusters)
    texts = fleet.built(folder)
    costs = side_by_side(
        {
            "build": fleet.fresh(folder),
            "create": lambda turn: call(lambda: fleet.create(folder / f"created{turn}", texts)),
        },
        bench.rounds,
    )
    objects = sum(map(fleet.is_object, texts))
    what = f"build, {bench.clusters:,} clusters, {objects:,} objects"
    yield row(what, f"creating its {len(texts):,} files", (costs["build"], costs["create"]), Goal(2.5))


FIGURE = Figure("fresh", "a fresh build against only creating its files", measure)
