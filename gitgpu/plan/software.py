"""The charts that turn nodes into GPU nodes and scale workloads: GPU Operator, KEDA."""

from collections.abc import Iterator, Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.software.drivers import has_fallback_driver, operator_driver, separates_rdma_drivers
from gitgpu.model.spec.stack import Stack
from gitgpu.model.syntax.duration import seconds
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import Operator, PoolPlan
from gitgpu.plan.decided.gpus import Driver, PoolDriver
from gitgpu.plan.device_plugin import plugin_configs
from gitgpu.plan.metrics import counters
from gitgpu.plan.mig import partitioning
from gitgpu.plan.placement import EVERY_TAINT, daemon_placement


def operator(pools: Sequence[PoolPlan], cluster: Cluster, catalog: Catalog) -> Operator | None:
    """NVIDIA's GPU Operator for its pools; None if there is no such pool."""
    stack = cluster.stack
    wanted_pools = [pool for pool in pools if pool.driver == "operator" and pool.pool.manufacturer == "nvidia"]
    if not wanted_pools:
        return None
    # The settings of the operator are for all its nodes: a pool that changes one restarts pods on all of them.
    by_label, fallback = stack.node_selection == "labels", has_fallback_driver(catalog)
    placement, configs = daemon_placement(wanted_pools), plugin_configs(wanted_pools)
    claimed = any(pool.claimed for pool in wanted_pools)
    drivers = tuple(_drivers(wanted_pools, catalog, separates=separates_rdma_drivers(cluster, catalog)))
    own_drivers = {driver.pool.name for driver in drivers} if by_label else ()
    # The operator has one list of counters for all its nodes. An exporter omits what the GPUs of its node do not have.
    profiling = by_label or all(pool.profiling for pool in wanted_pools)
    fields = counters(stack.metrics, profiling, catalog) if stack.metrics.exporter else ()
    interval = 1000 * seconds(stack.metrics.interval)
    return Operator(
        chart=chart("gpu-operator", catalog),
        placement=placement._replace(tolerations=EVERY_TAINT) if by_label else placement,
        claimed=claimed,
        configs=configs if by_label or len(configs) > 1 else {},
        shared=len(configs) > 1,
        partitioning=partitioning(wanted_pools),
        drivers=drivers,
        # On without claims, even if no pool names a branch: turning it off later deletes every driver. In releases
        # without a fallback, turning it on deletes them too.
        driver_objects=bool(drivers) or (fallback and (by_label or not claimed)),
        fallback=fallback,
        counters=fields,
        interval=interval,
        direct=any(pool.pool.uses_network_operator and pool.name not in own_drivers for pool in wanted_pools),
        toolkit=_toolkit(catalog),
    )


def _toolkit(catalog: Catalog) -> dict[str, str]:
    """The environment of the container toolkit. Any other source of containerd's configuration may stop containerd."""
    facts = catalog.must("runtimes", "containerd")["toolkit"]
    return {facts["env"]: facts["value"]}


def _drivers(pools: Sequence[PoolPlan], catalog: Catalog, *, separates: bool) -> Iterator[PoolDriver]:
    """The drivers of pools that name a branch. The nodes of the others get the operator's default.

    With `separates`, pools with InfiniBand also get their own: the default would change on all other nodes. In releases
    whose default driver conflicts with all others, every pool gets its own as soon as one names a branch.
    """
    facts = catalog.must("charts", "gpu-operator")["defaults"]["driver"]
    every_pool = not has_fallback_driver(catalog) and any(pool.pool.branch for pool in pools)
    for pool in pools:
        is_own = pool.pool.branch or every_pool or (separates and pool.pool.uses_network_operator)
        release = operator_driver(pool.pool.branch, catalog) if is_own else None
        if release:
            driver = Driver(facts["repository"], facts["image"], release["version"])
            yield PoolDriver(pool.pool, driver, daemon_placement([pool]), pool.claimed)


def keda(stack: Stack, catalog: Catalog) -> Chart | None:
    """KEDA's chart; None if AKS installs KEDA, or the cluster has none."""
    return chart("keda", catalog) if stack.keda == "helm" else None
