"""The images that a chart runs, and the values that take them from the registry of a cluster."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import ABSENT, value_at
from gitgpu.plan.decided.charts import ChartImage
from gitgpu.plan.decided.registry import Registry
from gitgpu.source import Pointer


def running(values: Mapping[str, Any], images: Iterable[ChartImage]) -> Iterator[ChartImage]:
    """The images that a release with these values may run; a value that is not set has the default of the chart."""
    for image in images:
        if all(chart_value(values, path, default) for path, default in image.enabled.items()):
            yield image


def image_values(image: ChartImage, registry: Registry) -> Iterator[tuple[Pointer, Any]]:
    """The values that take an image from the registry, by path, including those for the pull secret."""
    for path, start in image.registries.items():
        if (copy := registry.copy_of(start)) != start:
            yield tuple(path.split(".")), copy
    if not registry.secret:
        return
    for path, form in image.secrets.items():
        yield tuple(path.split(".")), [registry.secret if form == "names" else {"name": registry.secret}]


def chart_value(values: Mapping[str, Any], path: str, default: Any) -> Any:
    """The value at a dotted path; the default if it is not set."""
    value = value_at(values, path.split("."))
    return default if value is ABSENT else value
