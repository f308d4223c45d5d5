"""All decisions for one cluster of a fleet, each made by a module of this folder."""

from itertools import chain
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import driver_on, is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.profiling import is_profiled
from gitgpu.model.software.installed import unknown_versions
from gitgpu.model.spec.stack import Stack
from gitgpu.plan.adapter import adapter
from gitgpu.plan.aks_node_pool import node_pool
from gitgpu.plan.alerts import alerts
from gitgpu.plan.amd import amd_operator, amd_plugin
from gitgpu.plan.capacity import limits, requirements, resource
from gitgpu.plan.claims import dra_driver
from gitgpu.plan.conditions import health, health_alerts
from gitgpu.plan.container_insights import insights
from gitgpu.plan.dashboard import panels
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import ClusterPlan, Exporter, Operator, PoolPlan, WorkloadPlan
from gitgpu.plan.decided.gpus import DevicePlugin
from gitgpu.plan.decided.hardware import AmdOperator, Fabric
from gitgpu.plan.decided.health import Care
from gitgpu.plan.decided.models import Serving
from gitgpu.plan.decided.monitoring import Alert, Watched
from gitgpu.plan.device_plugin import device_plugin
from gitgpu.plan.discovery import discovery
from gitgpu.plan.driver import gpu_mode, installer, labels, tags
from gitgpu.plan.exporters import exporters
from gitgpu.plan.guard import guard
from gitgpu.plan.kaito import gpu_labels, holders, kaito, models
from gitgpu.plan.metrics import amd_monitor, watched_metrics
from gitgpu.plan.node_alerts import node_alerts
from gitgpu.plan.placement import taints
from gitgpu.plan.prerequisites import prerequisites
from gitgpu.plan.queues import priority_of, queue_of, queues
from gitgpu.plan.rdma import fabric
from gitgpu.plan.registry import registry
from gitgpu.plan.scaling import workload_plan
from gitgpu.plan.scheduler import packed_resources
from gitgpu.plan.software import keda, operator
from gitgpu.plan.verification import samples


def plan(inputs: Inputs, cluster: Cluster) -> ClusterPlan:
    """All decisions for one cluster of a fleet without errors, with the versions that the cluster pins.

    Raises KeyError for software in a version that the catalog does not have, because no other version may be installed
    instead.
    """
    for name in unknown_versions(inputs, cluster):
        raise KeyError(f"{name} {cluster.stack.versions[name]}")
    return _plan(inputs._replace(catalog=inputs.catalog_for(cluster)), cluster)


class _Software(NamedTuple):
    """The GPU software of a cluster, and which parts of it are scraped."""

    exporters: tuple[Exporter, ...]
    device_plugin: DevicePlugin | None
    fabric: Fabric | None
    amd: AmdOperator | None
    operator: Operator | None
    watched: Watched

    @property
    def operator_charts(self) -> list[Chart]:
        """The charts that include Node Feature Discovery, the Network Operator's first."""
        return [part.chart for part in (self.fabric, self.operator, self.amd) if part]

    @property
    def labels_gpus(self) -> bool:
        """Whether GPU Feature Discovery runs together with the device plugin."""
        return bool(self.device_plugin and self.device_plugin.discovery)


def _plan(inputs: Inputs, cluster: Cluster) -> ClusterPlan:
    catalog, stack, pools = inputs.catalog, cluster.stack, _pools(inputs, cluster)
    software = _software(pools, cluster, catalog)
    seen = software.watched
    workloads = _workloads(inputs, pools, cluster)
    return ClusterPlan(
        fleet=inputs.fleet.name,
        cluster=cluster,
        pools=pools,
        device_plugin=software.device_plugin,
        exporters=software.exporters,
        operator=software.operator,
        amd=software.amd,
        amd_plugin=amd_plugin(pools, stack, catalog),
        fabric=software.fabric,
        discovery=discovery(pools, software.operator_charts, stack, catalog, labels_gpus=software.labels_gpus),
        dra=dra_driver(pools, workloads, cluster.stack, catalog),
        keda=keda(stack, catalog),
        adapter=adapter(workloads, stack, catalog),
        monitors=seen.monitors,
        node_monitor=seen.own_nodes,
        alerts=_alerts(pools, seen, stack, catalog),
        panels=panels(seen, cluster) if stack.metrics.dashboards else (),
        insights=insights(software.exporters, cluster, catalog),
        workloads=workloads,
        care=Care(health(pools, stack, catalog), samples(pools, stack, catalog)),
        prerequisites=prerequisites(cluster, pools, workloads, catalog),
        packed=packed_resources(pools, cluster),
        serving=_serving(inputs, pools, cluster),
        registry=registry(cluster, catalog),
        queues=queues(inputs, pools, cluster),
        guard=guard(inputs, pools, cluster),
    )


def _workloads(inputs: Inputs, pools: tuple[PoolPlan, ...], cluster: Cluster) -> tuple[WorkloadPlan, ...]:
    places = {pool.name: place for place, pool in enumerate(pools)}
    plans = []
    for workload in inputs.workloads_on(cluster):
        # A workload may name pools of other clusters.
        named = sorted({places[name] for name in workload.pools if name in places})
        planned = workload_plan(workload, [pools[place] for place in named], cluster, inputs.catalog)
        if planned:
            queue, priority = queue_of(inputs, workload, cluster), priority_of(inputs, workload, cluster)
            plans.append(planned._replace(queue=queue, priority=priority))
    return tuple(plans)


def _alerts(pools: tuple[PoolPlan, ...], seen: Watched, stack: Stack, catalog: Catalog) -> tuple[Alert, ...]:
    """Alerts on metrics of exporters, on GPU nodes, and on conditions of nodes."""
    metric_alerts, nodes = alerts(seen, stack.metrics, catalog), node_alerts(pools, stack.metrics, catalog)
    return (*metric_alerts, *nodes, *health_alerts(pools, stack, catalog))


def _software(pools: tuple[PoolPlan, ...], cluster: Cluster, catalog: Catalog) -> _Software:
    stack = cluster.stack
    own, amd = exporters(pools, stack, catalog), amd_operator(pools, stack, catalog)
    nvidia = operator(pools, cluster, catalog)
    seen = watched_metrics(pools, own, nvidia, stack.metrics, catalog)._replace(
        amd=amd_monitor(amd, stack.metrics, catalog)
    )
    return _Software(own, device_plugin(pools, stack, catalog), fabric(pools, stack, catalog), amd, nvidia, seen)


def _serving(inputs: Inputs, pools: tuple[PoolPlan, ...], cluster: Cluster) -> Serving:
    served = tuple(models(inputs.models_on(cluster), pools, cluster, inputs.catalog))
    charts = kaito(served, cluster, inputs.catalog)
    return Serving(charts, served, tuple(holders(served, pools, inputs.catalog)) if charts else ())


def _pools(inputs: Inputs, cluster: Cluster) -> tuple[PoolPlan, ...]:
    return tuple(_pool(inputs, cluster, pool) for pool in inputs.pools_on(cluster))


def _pool(inputs: Inputs, cluster: Cluster, pool: Pool) -> PoolPlan:
    driver, claimed = installer(pool, driver_on(cluster, pool)), is_claimed(cluster, pool)
    pool_labels = labels(pool, driver, claimed=claimed)
    rows = chain.from_iterable(inputs.catalog.own("skus", sku.name) for sku in pool.skus)
    planned = PoolPlan(
        pool=pool,
        driver=driver,
        claimed=claimed,
        resource=resource(pool),
        gpu_mode=gpu_mode(driver),
        requirements=requirements(pool, cluster),
        limits=limits(pool),
        # The labels of the pool itself take precedence.
        labels=dict(sorted({**_for_kaito(inputs, cluster, pool), **pool_labels}.items())),
        taints=taints(pool),
        tags=tags(pool, driver),
        subnet=pool.objects.subnet or cluster.network.get("subnet"),
        rows=tuple(rows),
        profiling=all(is_profiled(sku, driver, inputs.catalog) for sku in pool.skus),
    )
    if not pool.by_karpenter:
        return planned._replace(node_pool=node_pool(planned, inputs.catalog, cluster))
    return planned


def _for_kaito(inputs: Inputs, cluster: Cluster, pool: Pool) -> dict[str, str]:
    used = cluster.stack.kaito == "helm" and any(pool.name in model.pools for model in inputs.models_on(cluster))
    derived = gpu_labels(pool, cluster) if used else {}
    return {key: value for key, value in derived.items() if key not in pool.objects.unwanted_labels}
