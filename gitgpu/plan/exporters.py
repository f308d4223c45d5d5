"""DCGM exporters where AKS installs the driver: which DaemonSets run on which nodes, and what each exports.

They differ by what nodes have: profiling, by their size, and GPUs that several pods share, by the configuration of
their device plugin. For shared GPUs, the exporter takes some values from the processes instead of from the GPU: nodes
with whole GPUs have one that does not.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.profiling import PROFILING, is_profiled
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL, INSTANCE_TYPE_LABEL
from gitgpu.model.spec.stack import Metrics, Stack
from gitgpu.model.syntax.duration import seconds
from gitgpu.plan.decided.cluster import Exporter, PoolPlan
from gitgpu.plan.decided.daemon_placement import DaemonPlacement
from gitgpu.plan.decided.nodes import Nodes
from gitgpu.plan.device_plugin import by_config, nodes_with_mig
from gitgpu.plan.image import image
from gitgpu.plan.metrics import counters
from gitgpu.plan.placement import daemon_placement, labelled_nodes, placements


def exporters(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> tuple[Exporter, ...]:
    """The DCGM exporters for pools whose driver AKS installs: one for nodes with profiling, one for the rest."""
    wanted_pools = [pool for pool in pools if pool.driver == "aks"]
    if not (stack.metrics.exporter and wanted_pools):
        return ()
    by_name = stack.node_selection == "pools"
    groups = _by_pool(wanted_pools, stack) if by_name else _by_label(wanted_pools, pools, stack, catalog)
    return tuple(_exporters(groups, stack, catalog))


class _Group(NamedTuple):
    """The nodes with the same fields. `shared` says whether several pods may use one of their GPUs."""

    name: str
    profiling: bool
    shared: bool
    placements: tuple[DaemonPlacement, ...]


def _exporters(groups: Iterable[_Group], stack: Stack, catalog: Catalog) -> Iterator[Exporter]:
    metrics = stack.metrics
    row = catalog.must("containers", "dcgm-exporter")
    for group in groups:
        if group.placements and counters(metrics, group.profiling, catalog):
            yield Exporter(
                name=group.name,
                image=image(row),
                placements=group.placements,
                counters=counters(metrics, group.profiling, catalog),
                profiling=group.profiling,
                shared=group.shared,
                # The exporter expects milliseconds.
                interval=1000 * seconds(metrics.interval),
                memory=row["memory"],
                rows=catalog.own("containers", "dcgm-exporter"),
            )


def _asks(metrics: Metrics) -> bool:
    """Whether a field of profiling is wanted, which not all GPUs have."""
    by_name = metrics.counters if isinstance(metrics.counters, tuple) else ()
    return metrics.counters == "profiling" or any(field.startswith(PROFILING) for field in by_name)


def _name(*, profiling: bool) -> str:
    return "dcgm-exporter-profiling" if profiling else "dcgm-exporter"


def _by_pool(pools: Sequence[PoolPlan], stack: Stack) -> Iterator[_Group]:
    """Of a pool with sizes of both kinds, no node has profiling."""
    profiled = [pool for pool in pools if pool.profiling] if _asks(stack.metrics) else []
    other_pools = [pool for pool in pools if pool not in profiled]
    for profiling, group in ((True, profiled), (False, other_pools)):
        if group:
            shared = any(map(_is_shared, group))
            yield _Group(_name(profiling=profiling), profiling, shared, (daemon_placement(group),))


def _by_label(pools: Sequence[PoolPlan], every: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> Iterator[_Group]:
    """A node's size says whether it has profiling. The catalog has all sizes: a further pool does not change them."""
    unmeasured = [pool for pool in every if pool.driver != "aks"]
    for profiling in (True, False) if _asks(stack.metrics) else (False,):
        other_sizes = [_sizes(not profiling, catalog)] if _asks(stack.metrics) else []
        measured = [pool for pool in pools if all(_has_other(pool, sizes) for sizes in other_sizes)]
        for part, terms, own in _parts(measured, other_sizes):
            placed = [_of_size(each, other_sizes) for each in placements(own, [*unmeasured, *measured], *terms)]
            name = _name(profiling=profiling)
            yield _Group(f"{name}-{part}" if part else name, profiling, bool(part), tuple(placed))


def _parts(pools: Sequence[PoolPlan], without: list[Nodes]) -> Iterator[tuple[str, list[Nodes], list[PoolPlan]]]:
    """Pools and nodes of each part: those with whole GPUs or MIG, and those of each configuration that shares GPUs.

    A node has the label of its configuration unless its GPUs are whole.
    """
    configured = Nodes(DEVICE_PLUGIN_CONFIG_LABEL, ())
    whole = [labelled_nodes(without=[configured, *without]), labelled_nodes(nodes_with_mig(pools), without=without)]
    yield "", whole, [pool for pool in pools if not _is_shared(pool)]
    for config, own in by_config([pool for pool in pools if _is_shared(pool)]):
        yield config.part, [labelled_nodes(config.nodes, without=without)], own


def _is_shared(pool: PoolPlan) -> bool:
    return bool(pool.pool.sharing.way)


def _of_size(placement: DaemonPlacement, other_sizes: list[Nodes]) -> DaemonPlacement:
    """Nodes of one pool without those of the other sizes, as in the terms for several pools."""
    if not placement.pool:
        return placement
    [of_pool] = placement.pools
    return placement._replace(pools=(of_pool._replace(without=(*of_pool.without, *other_sizes)),))


def _has_other(pool: PoolPlan, sizes: Nodes) -> bool:
    return any(sku.name not in sizes.values for sku in pool.pool.skus)


def _sizes(profiling: bool, catalog: Catalog) -> Nodes:
    """The nodes of all sizes that have profiling with AKS's driver, or of those that have not."""
    sizes = (sku for sku in catalog.skus if sku.manufacturer == "nvidia")
    names = tuple(sku.name for sku in sizes if is_profiled(sku, "aks", catalog) is profiling)
    return Nodes(INSTANCE_TYPE_LABEL, names)
