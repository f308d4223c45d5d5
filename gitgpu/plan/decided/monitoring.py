"""Decisions about monitoring: what is scraped, which alerts there are, and what dashboards show."""

from collections.abc import Mapping
from typing import NamedTuple


class Monitor(NamedTuple):
    """A scrape target: the Service with these labels, at this port."""

    name: str
    namespace: str
    port: str
    selector: Mapping[str, str]


class NodeMonitor(NamedTuple):
    """The exporter of AKS managed GPU nodes. It is not a pod and knows no pods: nodes have `label` (key=value).

    `job` is the label that identifies its series; `brought` is false if Azure's own job scrapes it.
    """

    job: str
    label: str
    port: int
    fields: frozenset[str]
    brought: bool


class AmdMonitor(NamedTuple):
    """AMD's exporter, and which of its metrics are known to exist."""

    service: Monitor
    fields: frozenset[str]


class Watched(NamedTuple):
    """What is scraped: the Services of DCGM exporters and their fields, managed GPU nodes, and AMD's exporter."""

    services: tuple[Monitor, ...]
    by_pod: frozenset[str]
    nodes: NodeMonitor | None
    amd: AmdMonitor | None = None

    @property
    def monitors(self) -> tuple[Monitor, ...]:
        """All scrape targets that are Services."""
        return (*self.services, self.amd.service) if self.amd else self.services

    @property
    def of_amd(self) -> frozenset[str]:
        """The metrics of AMD's exporter."""
        return self.amd.fields if self.amd else frozenset()

    @property
    def by_node(self) -> frozenset[str]:
        """The fields that are exported without saying which pod uses a GPU."""
        return self.nodes.fields if self.nodes else frozenset()

    @property
    def own_nodes(self) -> NodeMonitor | None:
        """The managed GPU nodes, if gitgpu generates the object that scrapes them."""
        return self.nodes if self.nodes and self.nodes.brought else None


class Alert(NamedTuple):
    """A rule for Prometheus. Without a severity it records a series of that name; `wait` is "" to fire immediately."""

    name: str
    expr: str
    wait: str
    severity: str
    summary: str
    description: str
    rows: tuple[str, ...]


class Panel(NamedTuple):
    """A chart of a dashboard. `unit` and `legend` are Grafana's.

    `series` are queried for nodes and namespaces, and are the same in all charts of a cluster.
    """

    title: str
    series: tuple[str, ...]
    unit: str
    expr: str
    legend: str


class Query(NamedTuple):
    """A query of Container insights in KQL. `chart` is how a workbook shows the result."""

    title: str
    kql: str
    chart: str
    rows: tuple[str, ...]


class Insights(NamedTuple):
    """GPUs in Container insights: what its agent scrapes, by namespace (none for what it collects itself)."""

    namespaces: tuple[str, ...]
    fields: tuple[str, ...]
    queries: tuple[Query, ...]
