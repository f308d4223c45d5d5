"""What is exported, by which exporter, and who scrapes it."""

from collections.abc import Iterator, Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.duration import seconds
from gitgpu.model.guests import in_guests
from gitgpu.model.profiling import PROFILING
from gitgpu.model.stack import Metrics
from gitgpu.plan.decision import Counter, Exporter, Operator, PoolPlan
from gitgpu.plan.hardware import AmdOperator
from gitgpu.plan.image import image
from gitgpu.plan.placement import reach
from gitgpu.plan.watching import Monitor, Scraped

NAMESPACE = "gpu-resources"


def counters(metrics: Metrics, profiling: bool, catalog: Catalog) -> tuple[Counter, ...]:
    """The DCGM fields to export; those of the profiling module only where the GPUs have it."""
    rows = {name: catalog.must("counters", name)["fields"] for name in catalog.names("counters")}
    known = {field: fact for fields in rows.values() for field, fact in fields.items()}
    if isinstance(metrics.counters, tuple):
        wanted = list(metrics.counters)
    else:
        wanted = [*rows["standard"], *(rows["profiling"] if metrics.counters == "profiling" else ())]
    usable = [field for field in wanted if profiling or not field.startswith(PROFILING)]
    return tuple(Counter(field, known[field]["type"], known[field]["help"]) for field in usable)


def exporters(pools: Sequence[PoolPlan], metrics: Metrics, catalog: Catalog) -> tuple[Exporter, ...]:
    """The DCGM exporters for pools whose driver AKS installs: one for nodes that can be profiled, one for the rest."""
    wanted = [one for one in pools if one.driver == "aks"]
    return tuple(_exporters(wanted, metrics, catalog)) if metrics.exporter else ()


def _exporters(pools: Sequence[PoolPlan], metrics: Metrics, catalog: Catalog) -> Iterator[Exporter]:
    row = catalog.must("containers", "dcgm-exporter")
    by_name = metrics.counters if isinstance(metrics.counters, tuple) else ()
    asks = metrics.counters == "profiling" or any(field.startswith(PROFILING) for field in by_name)
    for profiling in (True, False):
        group = [one for one in pools if (asks and one.profiling) is profiling]
        if group and counters(metrics, profiling, catalog):
            yield Exporter(
                name="dcgm-exporter-profiling" if profiling else "dcgm-exporter",
                image=image(row),
                reach=reach(group),
                counters=counters(metrics, profiling, catalog),
                profiling=profiling,
                shared=any(bool(one.pool.sharing.way) for one in group),
                interval=1000 * seconds(metrics.interval),
                memory=row["memory"],
                rows=catalog.own("containers", "dcgm-exporter"),
            )


def dcgm_scraped(own: Sequence[Exporter], operator: Operator | None, metrics: Metrics) -> Scraped:
    """What is scraped of NVIDIA GPUs. AKS managed GPU nodes are scraped by Azure's own job and need no target."""
    lists = [*(one.counters for one in own), *([operator.counters] if operator else [])]
    fields = frozenset(counter.field for found in lists for counter in found)
    return Scraped("dcgm", () if metrics.scrape == "none" else tuple(_monitors(own, operator)), fields)


def _monitors(own: Sequence[Exporter], operator: Operator | None) -> Iterator[Monitor]:
    if own:
        yield Monitor("dcgm-exporter", NAMESPACE, "metrics", {"app.kubernetes.io/name": "dcgm-exporter"})
    if operator and operator.counters:
        where = operator.chart.namespace
        yield Monitor("nvidia-dcgm-exporter", where, "gpu-metrics", {"app": "nvidia-dcgm-exporter"})


def amd_scraped(amd: AmdOperator | None, metrics: Metrics, catalog: Catalog) -> Scraped:
    """What is scraped of AMD GPUs; the Service of their exporter is named after the DeviceConfig that it is part of."""
    if not amd or not amd.exporter or metrics.scrape == "none":
        return Scraped("amd", (), frozenset())
    name = f"{amd.chart.release}-metrics-exporter"
    target = Monitor(name, amd.chart.namespace, "exporter-port", {"app.kubernetes.io/service": name})
    return Scraped("amd", (target,), in_guests(catalog))
