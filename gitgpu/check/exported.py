"""What gitgpu's DCGM exporters leave out: why a GPU metric of a pool's nodes is nowhere to be asked for."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.fleet import Cluster, Metrics, Pool
from gitgpu.model.inputs import driver_on
from gitgpu.model.sku import Sku


class Gap(NamedTuple):
    """Why a metric is not exported, and what would change that."""

    why: str
    remedy: str


NOT_HERE = {
    "managed": Gap(
        "the exporter of AKS managed GPU nodes does not say which pod uses a GPU",
        "write driver: aks on the pool, or metric: query",
    ),
    "none": Gap("gitgpu runs no exporter where driver is none", "write driver: aks on the pool, or metric: query"),
}
OFF = Gap("stack.metrics.exporter is false", "write exporter: true, or metric: query")
UNSCRAPED = Gap("stack.metrics.scrape is none", "write scrape: azure-managed or prometheus-operator, or metric: query")
AMD = Gap("DCGM does not measure AMD GPUs", "write metric: query, with what the AMD exporter reports")


def gap(metric: Facts, cluster: Cluster, pool: Pool, catalog: Catalog) -> Gap | None:
    """The first reason why nothing exports a metric for a pool on a cluster; None when something does."""
    return next(_gaps(metric, cluster, pool, catalog), None)


def _gaps(metric: Facts, cluster: Cluster, pool: Pool, catalog: Catalog) -> Iterator[Gap]:
    driver = driver_on(cluster, pool)
    if any(sku.gpu and sku.manufacturer == "amd" for sku in pool.skus):
        yield AMD
    if driver in NOT_HERE:
        yield NOT_HERE[driver]
    if not cluster.stack.metrics.exporter:
        yield OFF
    if cluster.stack.metrics.scrape == "none":
        yield UNSCRAPED
    for sku in pool.skus if metric["profiling"] else ():
        if not _profiled(sku, driver, catalog):
            yield Gap(f"{sku.name} is not known to have profiling counters", "write metric: gpu-utilization")
    for field in metric["fields"]:
        if field not in _counters(cluster.stack.metrics, catalog):
            remedy = "write counters: profiling" if metric["profiling"] else "write counters: standard"
            yield Gap(f"stack.metrics.counters leaves out {field}", f"{remedy}, or add {field} to the list")


def _profiled(sku: Sku, driver: str, catalog: Catalog) -> bool:
    """Do the profiling counters work? Not in a vGPU guest, which the GRID driver of AKS makes of a node."""
    row = catalog.facts("drivers", sku.driver) if sku.driver and driver == "aks" else None
    return sku.gpu is not None and sku.gpu.profiling is True and not (row and row["kind"] == "grid")


def _counters(metrics: Metrics, catalog: Catalog) -> set[str]:
    if isinstance(metrics.counters, tuple):
        return set(metrics.counters)
    presets = ("standard",) if metrics.counters == "standard" else ("standard", metrics.counters)
    return {field for preset in presets for field in catalog.must("counters", preset)["fields"]}
