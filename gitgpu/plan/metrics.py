"""What is exported, which exporter does it, and what scrapes it."""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.metrics.amd_virtual_gpus import virtual_gpu_metrics
from gitgpu.model.metrics.profiling import PROFILING
from gitgpu.model.names.labels import APP_NAME_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.model.spec.stack import Metrics
from gitgpu.plan.decided.cluster import Counter, Exporter, Operator, PoolPlan
from gitgpu.plan.decided.hardware import AmdOperator
from gitgpu.plan.decided.monitoring import AmdMonitor, Monitor, NodeMonitor, Watched

MANAGED_JOB = "aks-managed-gpus"


def counters(metrics: Metrics, profiling: bool, catalog: Catalog) -> tuple[Counter, ...]:
    """The DCGM fields to export. Profiling fields are included only if the GPUs have them."""
    rows = {name: row["fields"] for name, row in catalog.rows("counters").items()}
    facts: dict[str, Facts] = {}
    for fields in rows.values():
        facts |= fields
    if isinstance(metrics.counters, tuple):
        wanted = list(metrics.counters)
    else:
        wanted = list(rows["standard"])
        if metrics.counters == "profiling":
            wanted += rows["profiling"]
    usable = [field for field in wanted if profiling or not field.startswith(PROFILING)]
    return tuple(Counter(field, facts[field]["type"], facts[field]["help"]) for field in usable)


def watched_metrics(
    pools: Sequence[PoolPlan],
    exporters: Sequence[Exporter],
    operator: Operator | None,
    metrics: Metrics,
    catalog: Catalog,
) -> Watched:
    """What is scraped from DCGM exporters: nothing if scraping is off."""
    if metrics.scrape == "none":
        return Watched((), frozenset(), None)
    is_managed = any(pool.driver == "managed" for pool in pools)
    nodes = _nodes(metrics, catalog) if is_managed else None
    return Watched(_monitors(exporters, operator, metrics), _exported(exporters, operator), nodes)


def _monitors(exporters: Sequence[Exporter], operator: Operator | None, metrics: Metrics) -> tuple[Monitor, ...]:
    monitors = []
    if exporters:
        monitors.append(Monitor("dcgm-exporter", NAMESPACE, "metrics", {APP_NAME_LABEL: "dcgm-exporter"}))
    if operator and operator.counters:
        where = operator.chart.namespace
        # The operator deletes the ServiceMonitor of monitoring.coreos.com that has the name of its own.
        name = "gitgpu-dcgm-exporter" if metrics.scrape == "prometheus-operator" else "nvidia-dcgm-exporter"
        monitors.append(Monitor(name, where, "gpu-metrics", {"app": "nvidia-dcgm-exporter"}))
    return tuple(monitors)


def _nodes(metrics: Metrics, catalog: Catalog) -> NodeMonitor:
    """Azure managed Prometheus has its own job for managed GPU nodes, which is on by default."""
    row = catalog.must("exporters", "aks-managed")
    by_operator = metrics.scrape == "prometheus-operator"
    job = MANAGED_JOB if by_operator else row["nodes"]["azureJob"]
    return NodeMonitor(job, row["nodes"]["label"], row["port"], frozenset(row["defaults"]), by_operator)


def amd_monitor(amd: AmdOperator | None, metrics: Metrics, catalog: Catalog) -> AmdMonitor | None:
    """AMD's exporter, if it is scraped. Its Service is named after the DeviceConfig that it is part of."""
    if not amd or not amd.exporter or metrics.scrape == "none":
        return None
    name = f"{amd.chart.release}-metrics-exporter"
    service = Monitor(name, amd.chart.namespace, "exporter-port", {"app.kubernetes.io/service": name})
    return AmdMonitor(service, virtual_gpu_metrics(catalog))


def _exported(exporters: Sequence[Exporter], operator: Operator | None) -> frozenset[str]:
    counters = list(operator.counters) if operator else []
    for exporter in exporters:
        counters += exporter.counters
    return frozenset(counter.field for counter in counters)
