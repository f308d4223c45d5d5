"""What exporters do not export: why a GPU metric of a pool's nodes is not available."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.driver_owner import AKS_ONLY, driver_on, is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.amd_virtual_gpus import virtual_gpu_metrics
from gitgpu.model.metrics.profiling import is_profiled
from gitgpu.model.sku import Sku
from gitgpu.model.spec.stack import Metrics
from gitgpu.source import Pointer
from gitgpu.spelling import join_names


class ExportGap(NamedTuple):
    """Why a metric is not exported, how to change that, and the key of the stack that causes it."""

    why: str
    remedy: str
    key: Pointer = ()


AMD_OPERATOR = "amd-gpu-operator"
DRIVER = ("driver",)
CLAIMED = ExportGap(
    "the exporter does not know which pod uses a claimed GPU",
    "set metric: query, with a metric that the workload itself exports, or allocation: device-plugin on the cluster",
    ("allocation",),
)
BY_DRIVER = {
    "managed": ExportGap(
        "the exporter of AKS managed GPU nodes does not report which pod uses a GPU",
        "set driver: aks on the pool, or metric: query",
        DRIVER,
    ),
    "none": ExportGap(
        "with driver: none, gitgpu does not install an exporter",
        "set driver: aks on the pool, or metric: query",
        DRIVER,
    ),
}
OFF = ExportGap("stack.metrics.exporter is false", "set exporter: true, or metric: query", ("metrics", "exporter"))
UNSCRAPED = ExportGap(
    "stack.metrics.scrape: none",
    "set scrape: azure-managed or prometheus-operator, or metric: query",
    ("metrics", "scrape"),
)
WINDOWS = ExportGap(
    "there are no GPU metrics for Windows nodes", "set metric: query, with a metric that the application exports"
)
NO_OPERATOR = ExportGap(
    "AMD's exporter is part of AMD's operator",
    "set driver: operator on the pool, or metric: query, with a metric that the workload itself exports",
    DRIVER,
)


def by_gitgpu(cluster: Cluster, pool: Pool) -> bool:
    """Whether the pool's nodes run an exporter that gitgpu installs, not the GPU Operator's or none."""
    return driver_on(cluster, pool) == "aks" and not pool.windows


def export_gap(inputs: Inputs, metric: Facts, cluster: Cluster, pool: Pool) -> ExportGap | None:
    """The first reason why nothing exports a metric for a pool on a cluster; None if something does."""
    return next(_gaps(inputs, metric, cluster, pool), None)


def find_export_gap(field: str, metrics: Metrics, catalog: Catalog) -> ExportGap | None:
    """Why a cluster's exporters do not export a field; None if they do, or if gitgpu does not export and scrape."""
    if not metrics.exporter or metrics.scrape == "none" or field in _counters(metrics, catalog):
        return None
    can = any(field in row["fields"] for row in catalog.rows("counters").values())
    return ExportGap(
        "it is missing from stack.metrics.counters", f"add {field} to counters" if can else "use another field"
    )


def _gaps(inputs: Inputs, metric: Facts, cluster: Cluster, pool: Pool) -> Iterator[ExportGap]:
    """The reasons. Those of the pool come before those of its cluster, whose remedies alone would not help the pool."""
    driver, metrics = driver_on(cluster, pool), cluster.stack.metrics
    if pool.windows:
        yield WINDOWS
    elif driver == AKS_ONLY:
        return  # what the exporter of another owner exports is not known
    is_amd = pool.manufacturer == "amd"
    if is_amd:
        yield from _amd_gaps(inputs, metric, cluster, pool)
    if is_claimed(cluster, pool):
        yield CLAIMED
    if driver in BY_DRIVER:
        yield BY_DRIVER[driver]
    if not metrics.exporter:
        yield OFF
    if metrics.scrape == "none":
        yield UNSCRAPED
    if not is_amd:
        yield from _nvidia_gaps(inputs, metric, cluster, pool)


def _amd_gaps(inputs: Inputs, metric: Facts, cluster: Cluster, pool: Pool) -> Iterator[ExportGap]:
    catalog = inputs.catalog_for(cluster)
    if driver_on(cluster, pool) != "operator":
        yield NO_OPERATOR
    supported = catalog.must("charts", AMD_OPERATOR)["gpus"]
    # VER002 reports a version that the catalog does not have. The GPUs that it supports are unknown.
    for sku in pool.skus if inputs.knows_version(cluster, AMD_OPERATOR) else ():
        if sku.gpu and sku.gpu.name not in supported:
            why = f"AMD does not list the GPUs of {sku.name} for its GPU Operator"
            yield ExportGap(why, f"use a size with {join_names(supported)}")
    if not metric["amd"] or not virtual_gpu_metrics(catalog).issuperset(metric["amd"]):
        yield ExportGap(
            f"no source confirms that AMD GPUs in a VM have {metric['name']}", "set metric: gpu-utilization"
        )


def _nvidia_gaps(inputs: Inputs, metric: Facts, cluster: Cluster, pool: Pool) -> Iterator[ExportGap]:
    driver, metrics = driver_on(cluster, pool), cluster.stack.metrics
    for sku in _together(inputs, cluster, pool, driver) if metric["profiling"] else ():
        if not is_profiled(sku, driver, inputs.catalog):
            yield ExportGap(f"profiling counters are not known to work on {sku.name}", "set metric: gpu-utilization")
    lost = inputs.catalog.must("dcgm", "fields")["notUnderMig"] if pool.mig else ()
    for field in metric["fields"]:
        if field in lost:
            why = f"a GPU in MIG mode has no {field}"
            yield ExportGap(why, "set metric: tensor-activity, or metric: query")
    yield from _uncounted(metric, metrics, inputs.catalog)


def _uncounted(metric: Facts, metrics: Metrics, catalog: Catalog) -> Iterator[ExportGap]:
    for field in metric["fields"]:
        if field not in _counters(metrics, catalog):
            preset = "profiling" if metric["profiling"] else "standard"
            why = f"stack.metrics.counters does not list {field}"
            yield ExportGap(why, f"set counters: {preset}, or add {field}", ("metrics", "counters"))


def _together(inputs: Inputs, cluster: Cluster, pool: Pool, driver: str) -> tuple[Sku, ...]:
    """The sizes that share an exporter's list of counters: NVIDIA's GPU Operator has one list for all its pools.

    Where nodes are selected by pools, it has only the counters that all of them have.
    """
    is_shared = driver == "operator" and cluster.stack.node_selection == "pools"
    others = inputs.pools_on(cluster) if is_shared else (pool,)
    sizes: list[Sku] = []
    for other in others:
        if driver_on(cluster, other) == driver and other.manufacturer == pool.manufacturer:
            sizes += other.skus
    return tuple(sizes)


def _counters(metrics: Metrics, catalog: Catalog) -> set[str]:
    if isinstance(metrics.counters, tuple):
        return set(metrics.counters)
    # The preset profiling adds to the standard fields.
    fields = set(catalog.must("counters", "standard")["fields"])
    return fields.union(catalog.must("counters", metrics.counters)["fields"])
