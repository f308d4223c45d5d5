"""Lists of counters for the DCGM exporter, in ConfigMaps and in values of its chart."""

import csv
from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.monitoring.queries import DCGM
from gitgpu.objects.objects import Item, Objects
from gitgpu.source import Pointer


class Line(NamedTuple):
    """One line with a counter: its number in the list, and its fields as the exporter reads them."""

    number: int
    fields: tuple[str, ...]

    @property
    def is_metric(self) -> bool:
        """Whether the exporter exports a metric for it: it is complete, and not a label."""
        return len(self.fields) == 3 and self.fields[1] != "label"


class CounterList(NamedTuple):
    """One list: its object, its place, and its lines without the comments."""

    item: Item
    pointer: Pointer
    lines: tuple[Line, ...]

    @property
    def exported_metrics(self) -> frozenset[str]:
        """The metrics that the list exports. Fields of type label become labels of these metrics."""
        return frozenset(line.fields[0] for line in self.lines if line.is_metric)


def counter_lists(objects: Objects) -> Iterator[CounterList]:
    """Every list in a ConfigMap or in chart values."""
    for item in objects.of(*CONFIG_MAP):
        for key, text in (reach(item.body, "data") or {}).items():
            if _is_list(text):
                yield CounterList(item, ("data", key), listed_counters(text))
    for release in releases(objects, "dcgm-exporter"):
        text = release.value("customMetrics")
        if _is_list(text):
            yield CounterList(release.item, release.place("customMetrics"), listed_counters(str(text)))


def listed_counters(text: str) -> tuple[Line, ...]:
    """The lines of a list, as the exporter reads it."""
    return tuple(_lines(text))


def _is_list(text: object) -> bool:
    if not isinstance(text, str) or is_template(text):
        return False
    lines = [line.strip() for line in text.splitlines()]
    entries = [line for line in lines if line and not line.startswith("#")]
    counters = [entry for entry in entries if entry.startswith(DCGM) and "," in entry]
    return len(counters) * 2 > len(entries)  # a script or a page that names a few metrics is not a list


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line and not line.startswith("#"):
            fields = next(csv.reader([line]), [])
            yield Line(number, tuple(field.strip(" ") for field in fields))
