"""The different facts of two catalogs: row by row, key by key, without sources and dates."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.compare.change import Field, Kind
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor

_SIZE = re.compile(r"Standard_[A-Za-z0-9_-]+")
# Keys about the row itself: a new source or date changes nothing in a fleet.
_ABOUT = frozenset({"name", "source", "asOf", "verified", "notes", "date"})


class RowChange(NamedTuple):
    """A row that is added, removed or changed. Every fact of an added or removed row is a field."""

    kind: str
    name: str
    change: Kind
    fields: tuple[Field, ...]

    @property
    def path(self) -> str:
        """The row, as `prices/swedencentral`."""
        return f"{self.kind}/{self.name}"


def row_changes(before: CatalogFiles, after: CatalogFiles) -> Iterator[RowChange]:
    """The rows that differ, sorted by kind and name. A row that cannot be read counts as absent."""
    for kind in sorted({*before.kinds, *after.kinds}):
        for name in sorted({*before.names(kind), *after.names(kind)}):
            if before.raw(kind, name) != after.raw(kind, name):
                yield from _changed(kind, name, before, after)


def _changed(kind: str, name: str, before: CatalogFiles, after: CatalogFiles) -> Iterator[RowChange]:
    was, now = before.row(kind, name), after.row(kind, name)
    old = dict(_flat(was.data)) if was else {}
    new = dict(_flat(now.data)) if now else {}
    fields = tuple(_fields(old, new))
    change = Kind.CHANGED
    if not was or not now:
        change = Kind.ADDED if now else Kind.REMOVED
    if fields:
        yield RowChange(kind, name, change, fields)


def _fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Field]:
    for path in {**before, **after}:
        if before.get(path) != after.get(path):
            yield Field(path, before.get(path), after.get(path))


def _flat(value: Mapping[str, Any], below: str = "") -> Iterable[tuple[str, Any]]:
    """The facts of a row by path. A list is one fact; an empty mapping has none."""
    for key, inner in value.items():
        if key in _ABOUT:
            continue
        if isinstance(inner, Mapping):
            yield from _flat(inner, f"{below}{key}.")
        else:
            yield f"{below}{key}", inner


def used_changes(changes: Iterable[RowChange], inputs: Inputs) -> tuple[tuple[RowChange, ...], int]:
    """The changed facts that a fleet uses, and how many rows have no such fact: other regions, sizes or versions."""
    names = _used_names(inputs)
    used_rows: list[RowChange] = []
    others = 0
    for row in changes:
        fields = tuple(field for field in row.fields if names["skus"].issuperset(_SIZE.findall(field.path)))
        if row.name in names.get(row.kind, (row.name,)) and (fields or not row.fields):
            used_rows.append(row._replace(fields=fields))
        else:
            others += 1
    return tuple(used_rows), others


def _used_names(inputs: Inputs) -> Mapping[str, frozenset[str]]:
    """The names of the rows that a fleet uses, by kind. Of a kind that is not listed, it uses all rows."""
    skus = list(chain.from_iterable(pool.skus for _, pool in inputs.placements()))
    regions = frozenset(cluster.region for cluster in inputs.clusters)
    return {
        **dict.fromkeys(("availability", "prices", "regions"), regions),
        "skus": frozenset(sku.name for sku in skus),
        "gpus": frozenset(sku.gpu.name for sku in skus if sku.gpu),
        "drivers": frozenset(sku.driver for sku in skus if sku.driver),
        "kubernetes": frozenset(minor(cluster.kubernetes) for cluster in inputs.clusters),
    }
