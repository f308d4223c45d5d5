"""Writing YAML against PyYAML's C dumper."""

from collections.abc import Iterator, Sequence
from importlib import reload
from typing import Any

import yaml

from bench import fleet
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import Cost, call, row, side_by_side
from gitgpu.write import render


def measure(bench: Bench) -> Iterator[Row]:
    """The manifests of a tenth of the clusters, one call each."""
    folder = fleet.start(bench.folder / "write", bench.clusters // 10)
    bodies = [yaml.load(text, yaml.CSafeLoader) for text in fleet.built(folder).values()]
    subjects = {"ours": lambda _: _started(bodies), "theirs": lambda _: call(lambda: _theirs(bodies))}
    if [yaml.load(text, yaml.CSafeLoader) for text in _ours(bodies)] != bodies:
        raise ValueError("what was written does not read back")
    costs = side_by_side(subjects, bench.rounds)
    what = f"writing {len(bodies):,} manifests"
    yield row(what, "CSafeDumper", (costs["ours"], costs["theirs"]), Goal(8, least=True))


def _ours(bodies: Sequence[Any]) -> list[str]:
    return [render.render(body) for body in bodies]


def _started(bodies: Sequence[Any]) -> Cost:
    reload(render)  # empties its cache of texts, as at the start of the program
    return call(lambda: _ours(bodies))


def _theirs(bodies: Sequence[Any]) -> list[str]:
    return [yaml.dump(body, Dumper=yaml.CSafeDumper, sort_keys=False) for body in bodies]


FIGURE = Figure("write", "writing YAML against PyYAML's C dumper", measure)
