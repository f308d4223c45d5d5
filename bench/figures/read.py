"""Reading YAML with the location of every value, against PyYAML's C loader, which has no locations."""

from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from bench import fleet
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import call, row, side_by_side
from gitgpu.load.parse.scalars import resolve
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text


def measure(bench: Bench) -> Iterator[Row]:
    """The spec, one large file, and the small files of a tenth of its output."""
    spec = fleet.start(bench.folder / "read" / "spec", bench.clusters) / "fleet.yaml"
    manifests = fleet.built(fleet.start(bench.folder / "read" / "manifests", bench.clusters // 10))
    yield _row(bench, f"reading a fleet of {bench.clusters:,} clusters", [spec.read_text(encoding="utf-8")])
    yield _row(bench, f"reading {len(manifests):,} manifests", list(manifests.values()))


def _row(bench: Bench, what: str, texts: Sequence[str]) -> Row:
    if _ours(texts) != _theirs(texts):
        raise ValueError(f"{what}: the two readers disagree")
    subjects = {"ours": lambda _: call(lambda: _ours(texts)), "theirs": lambda _: call(lambda: _theirs(texts))}
    costs = side_by_side(subjects, bench.rounds)
    return row(what, "CSafeLoader", (costs["ours"], costs["theirs"]), Goal(1.5, least=True))


def _ours(texts: Sequence[str]) -> list[list[Any]]:
    resolve.cache_clear()  # starts empty in the program
    return [[document.data for document in parse(Text("", text, ""))[0]] for text in texts]


def _theirs(texts: Sequence[str]) -> list[list[Any]]:
    return [list(yaml.load_all(text, yaml.CSafeLoader)) for text in texts]


FIGURE = Figure("read", "reading YAML with places against PyYAML's C loader", measure)
