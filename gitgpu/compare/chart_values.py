"""The chart of a release and its values that change, for Flux and for Argo CD."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.compare.change import Change, below
from gitgpu.model.catalog import Catalog, Facts

# gitgpu gives the source of an OCI chart the name of the chart.
_NAMES = (("spec", "chart", "spec", "chart"), ("spec", "chartRef", "name"), ("spec", "source", "chart"))
_VALUES_AT = ("spec.values", "spec.source.helm.valuesObject")


def chart_facts(release: Mapping[str, Any], catalog: Catalog) -> Facts:
    """The catalog's facts about the chart of a release; {} if it does not know the chart."""
    chart = next(filter(None, (reach(release, *path) for path in _NAMES)), None)
    return next((row for row in catalog.rows("charts").values() if row["chart"] == chart), {})


def values_of(release: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values of a release; {} without any."""
    return mapping_at(release, "spec", "values") or mapping_at(release, "spec", "source", "helm", "valuesObject")


def changed_values(change: Change, path: str) -> Iterator[str]:
    """What changes at or below a dotted path in the values, relative to it; "" is the path itself."""
    for above in (f"{values}.{path}" for values in _VALUES_AT):
        yield from (
            field.path.removeprefix(above).removeprefix(".") for field in change.fields if below(field.path, above)
        )
