"""What is decided about watching: what is scraped, what is alerted, what is shown."""

from collections.abc import Mapping
from typing import NamedTuple


class Monitor(NamedTuple):
    """A scrape target: the Service with these labels, at this port."""

    name: str
    namespace: str
    port: str
    selector: Mapping[str, str]


class Alert(NamedTuple):
    """A rule for Prometheus. Without a severity it records a series of that name; `wait` is "" for at once."""

    name: str
    expr: str
    wait: str
    severity: str
    summary: str
    description: str
    rows: tuple[str, ...]


class Panel(NamedTuple):
    """A chart of a dashboard, of this DCGM field before others; `unit` and `legend` as Grafana writes them."""

    title: str
    field: str
    unit: str
    expr: str
    legend: str
