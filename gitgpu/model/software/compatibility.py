"""Versions that upstream excludes or has not tested together."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.syntax.version import inside, numbers_in


class Conflict(NamedTuple):
    """Two versions of software that upstream excludes together (`excluded`), or has not tested together."""

    software: str
    version: str
    other: str
    other_version: str
    excluded: bool
    why: str
    source: str


def conflicts(installed: Mapping[str, str], catalog: Catalog) -> Iterator[Conflict]:
    """The conflicts between the versions on one cluster, in order of name.

    `installed` has the versions of charts and images by name, and the versions of "kubernetes" and "driver". Software
    that it omits is not checked, and neither is a version without numbers.
    """
    rows = catalog.rows("compatibility")
    for name in sorted(rows.keys() & installed.keys()):
        for entry in rows[name]["rows"]:
            if entry["with"] in installed and _applies(entry, installed[name], installed[entry["with"]]):
                yield _conflict(name, entry, installed)


def _applies(entry: Facts, version: str, other: str) -> bool:
    return contains(entry["versions"], version) and contains(entry["range"], other)


def contains(bounds: str, version: str) -> bool:
    """Whether a version, or the first numbers of a tag, is inside bounds. False without numbers."""
    numbers = numbers_in(version)
    return bool(numbers) and inside(numbers, bounds)


def _conflict(name: str, entry: Facts, installed: Mapping[str, str]) -> Conflict:
    excluded = entry["verdict"] == "excluded"
    other = entry["with"]
    return Conflict(name, installed[name], other, installed[other], excluded, entry["why"], entry["source"])
