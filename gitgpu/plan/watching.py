"""What is decided about watching: what is scraped, what is alerted, what is shown."""

from collections.abc import Mapping
from typing import NamedTuple


class Monitor(NamedTuple):
    """A scrape target: the Service with these labels, at this port."""

    name: str
    namespace: str
    port: str
    selector: Mapping[str, str]


class Scraped(NamedTuple):
    """What is scraped of one family of metrics, a row of the catalog's series: from which targets, which of them."""

    series: str
    targets: tuple[Monitor, ...]
    fields: frozenset[str]


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
    """A chart of a dashboard. `unit` and `legend` are Grafana's.

    `series` are what is asked for nodes and namespaces, the same in all charts of a cluster.
    """

    title: str
    series: tuple[str, ...]
    unit: str
    expr: str
    legend: str


class Query(NamedTuple):
    """A query of Container insights in KQL. `chart` is how a workbook shows the answer."""

    title: str
    kql: str
    chart: str
    rows: tuple[str, ...]


class Insights(NamedTuple):
    """GPUs in Container insights: what its agent scrapes, by namespace (none for what it collects itself)."""

    namespaces: tuple[str, ...]
    fields: tuple[str, ...]
    queries: tuple[Query, ...]
