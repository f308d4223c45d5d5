"""What is exported, which exporter does it, and what scrapes it."""

from collections.abc import Iterator, Sequence

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.metrics.amd_virtual_gpus import virtual_gpu_metrics
from gitgpu.model.metrics.profiling import PROFILING, is_profiled
from gitgpu.model.names.labels import APP_NAME_LABEL, DEPLOY_OPERANDS_LABEL, INSTANCE_TYPE_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.model.spec.stack import Metrics, Stack
from gitgpu.model.syntax.duration import seconds
from gitgpu.plan.decided.cluster import Counter, Exporter, Operator, PoolPlan
from gitgpu.plan.decided.daemon_placement import DaemonPlacement
from gitgpu.plan.decided.hardware import AmdOperator
from gitgpu.plan.decided.monitoring import AmdMonitor, Monitor, NodeMonitor, Watched
from gitgpu.plan.decided.nodes import Nodes
from gitgpu.plan.image import image
from gitgpu.plan.placement import labelled_placement

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


def exporters(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> tuple[Exporter, ...]:
    """The DCGM exporters for pools whose driver AKS installs: one for nodes with profiling, one for the rest."""
    wanted_pools = [pool for pool in pools if pool.driver == "aks"]
    return tuple(_exporters(wanted_pools, pools, stack, catalog)) if stack.metrics.exporter else ()


def _exporters(
    pools: Sequence[PoolPlan], every: Sequence[PoolPlan], stack: Stack, catalog: Catalog
) -> Iterator[Exporter]:
    metrics = stack.metrics
    row = catalog.must("containers", "dcgm-exporter")
    by_name = metrics.counters if isinstance(metrics.counters, tuple) else ()
    asks = metrics.counters == "profiling" or any(field.startswith(PROFILING) for field in by_name)
    profiled = [pool for pool in pools if pool.profiling] if asks else []
    other_pools = [pool for pool in pools if pool not in profiled]
    for profiling, group in ((True, profiled), (False, other_pools)):
        if group and counters(metrics, profiling, catalog):
            yield Exporter(
                name="dcgm-exporter-profiling" if profiling else "dcgm-exporter",
                image=image(row),
                placement=_placement(group, pools if asks else (), every, stack, catalog),
                counters=counters(metrics, profiling, catalog),
                profiling=profiling,
                shared=any(bool(pool.pool.sharing.way) for pool in group),
                # The exporter expects milliseconds.
                interval=1000 * seconds(metrics.interval),
                memory=row["memory"],
                rows=catalog.own("containers", "dcgm-exporter"),
            )


def _placement(
    group: Sequence[PoolPlan], split: Sequence[PoolPlan], every: Sequence[PoolPlan], stack: Stack, catalog: Catalog
) -> DaemonPlacement:
    """The nodes of the pools of one exporter. `split` are those of both, if profiling divides them.

    By a label, the sizes divide them, which the catalog has and a further pool does not change: unless a pool has sizes
    of both kinds, because only one exporter may measure its nodes.
    """
    mixed = any(
        pool.profiling is not is_profiled(sku, pool.driver, catalog) for pool in split for sku in pool.pool.skus
    )
    if stack.node_selection != "labels" or not split or mixed:
        return labelled_placement(group, DEPLOY_OPERANDS_LABEL, every, stack)
    unmeasured = [pool for pool in every if pool not in split]
    placement = labelled_placement(group, DEPLOY_OPERANDS_LABEL, [*unmeasured, *group], stack)
    profiling = group[0].profiling
    sizes = (sku for sku in catalog.skus if sku.manufacturer == "nvidia")
    names = tuple(sku.name for sku in sizes if is_profiled(sku, "aks", catalog) is not profiling)
    others = Nodes(INSTANCE_TYPE_LABEL, names)
    return placement._replace(pools=tuple(_without(nodes, others) for nodes in placement.pools))


def _without(nodes: Nodes, others: Nodes) -> Nodes:
    return nodes._replace(without=(*nodes.without, others)) if nodes.label == DEPLOY_OPERANDS_LABEL else nodes


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
