"""The software on a cluster's GPU nodes, according to the spec."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Metrics(NamedTuple):
    """GPU metrics. `counters` is standard, profiling, or the names of DCGM fields. Delays are in seconds."""

    exporter: bool
    scrape: str
    interval: str
    counters: str | tuple[str, ...]
    readiness_delay: int
    liveness_delay: int
    alerts: bool
    dashboards: bool
    insights: str
    labels: Mapping[str, str]
    server: str | None
    workspace: str | None
    identity: str | None

    @property
    def watching(self) -> tuple[str, ...]:
        """The enabled keys that need metrics: alerts and dashboards."""
        keys = {"alerts": self.alerts, "dashboards": self.dashboards}
        return tuple(key for key, is_on in keys.items() if is_on)

    @property
    def reader(self) -> str | None:
        """The identity with which KEDA queries Azure's Prometheus; None for a server of the user, without a token."""
        return self.identity if self.scrape == "azure-managed" else None


class ServiceOperator(NamedTuple):
    """The objects of Azure Service Operator: `api_version` is their version in its group, such as v1api20250801."""

    namespace: str = "gpu-resources"
    api_version: str = "v1api20250801"


class Stack(NamedTuple):
    """The software on a cluster's GPU nodes. `versions` are the pinned versions, by name of chart or image.

    `rdma_device_class` is the DeviceClass of InfiniBand NICs that AKS manages, None if the spec does not set it.
    """

    driver: str
    allocation: str
    discovery: str
    metrics: Metrics
    keda: str
    adapter: str
    kaito: str
    health: str
    verify: bool
    queues: str = "none"
    guard: str = "none"
    rdma_device_class: str | None = None
    versions: Mapping[str, str] = {}
    aso: ServiceOperator = ServiceOperator()
    node_selection: str = "labels"


def stack(spec: Mapping[str, Any]) -> Stack:
    """A stack from its normalised spec."""
    return Stack(
        driver=spec["driver"],
        allocation=spec["allocation"],
        discovery=spec["discovery"],
        metrics=_metrics(spec["metrics"]),
        keda=spec["keda"],
        adapter=spec["adapter"],
        kaito=spec["kaito"],
        health=spec["health"],
        verify=spec["verify"],
        queues=spec["queues"],
        guard=spec["guard"],
        rdma_device_class=spec.get("rdmaDeviceClass"),
        versions=dict(sorted(spec.get("versions", {}).items())),
        node_selection=spec["nodeSelection"],
        aso=ServiceOperator(spec["aso"]["namespace"], spec["aso"]["apiVersion"]),
    )


def _metrics(spec: Mapping[str, Any]) -> Metrics:
    counters = spec["counters"]
    return Metrics(
        exporter=spec["exporter"],
        scrape=spec["scrape"],
        interval=spec["interval"],
        counters=counters if isinstance(counters, str) else tuple(counters),
        readiness_delay=spec["probes"]["readinessDelaySeconds"],
        liveness_delay=spec["probes"]["livenessDelaySeconds"],
        alerts=spec["alerts"],
        dashboards=spec["dashboards"],
        insights=spec["containerInsights"],
        labels=spec.get("labels", {}),
        server=spec.get("server"),
        workspace=spec.get("workspace"),
        identity=spec.get("identity"),
    )
