"""The DCGM exporter's list of fields."""

from collections.abc import Iterable

from gitgpu.plan.decision import Counter


def csv(counters: Iterable[Counter]) -> str:
    """The list as the exporter reads it: field, Prometheus type, help; no further comma on a line."""
    return "".join(f"{one.field}, {one.type}, {one.help}\n" for one in counters)
