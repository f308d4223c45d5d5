"""Functions for counters around metrics that are gauges."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.promql import Part, selectors

_OF_COUNTERS = {"rate": "deriv", "irate": "idelta", "increase": "delta"}


class Misread(NamedTuple):
    """A function for counters, a gauge inside it, and the function for gauges that does the same."""

    function: str
    metric: str
    instead: str


def gauges(catalog: Catalog) -> frozenset[str]:
    """The DCGM fields and the metrics of model servers that can go down as well as up."""
    names: set[str] = set()
    for row in catalog.rows("counters").values():
        names.update(name for name, field in row["fields"].items() if field["type"] == "gauge")
    for row in catalog.rows("series").values():
        names.update(row.get("fractions", ()))
    return frozenset(names)


def misread_gauges(query: Part | None, known: frozenset[str]) -> Iterator[Misread]:
    """Each function for counters in a query whose argument is a gauge."""
    for part in query.walk() if query else ():
        if part.kind == "call" and part.name in _OF_COUNTERS:
            for selector in selectors(part):
                if selector.metric in known:
                    yield Misread(part.name, selector.metric, _OF_COUNTERS[part.name])
