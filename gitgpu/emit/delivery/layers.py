"""The layers of a cluster, and the order in which they must be ready."""

from gitgpu.emit.manifest import Layer
from gitgpu.emit.namespaces import created_namespaces, has_own_node_pools
from gitgpu.plan.decided.cluster import ClusterPlan

AFTER = {
    Layer.CONTROLLERS: (),
    Layer.NODES: (Layer.CONTROLLERS,),
    Layer.MONITORING: (Layer.CONTROLLERS,),
    Layer.WORKLOADS: (Layer.NODES, Layer.MONITORING),
    Layer.MODELS: (Layer.NODES, Layer.MONITORING, Layer.WORKLOADS),
}


def layers(plan: ClusterPlan) -> tuple[Layer, ...]:
    """The layers that contain objects to apply, in order. Patches do not count: their owners include them."""
    hardware = (plan.device_plugin, plan.operator, plan.amd, plan.amd_plugin, plan.fabric, plan.dra)
    # All but the exporters only need a namespace.
    exported = (plan.exporters, plan.node_monitor, created_namespaces(plan), has_own_node_pools(plan))
    layers = {
        Layer.CONTROLLERS: any(
            (
                *hardware,
                *exported,
                plan.keda,
                plan.queues.chart,
                plan.adapter,
                plan.serving.charts,
                plan.care.health,
            )
        ),
        Layer.NODES: _has_node_objects(plan),
        Layer.MONITORING: bool(
            plan.monitors or plan.node_monitor or rules(plan) or (plan.insights and plan.insights.namespaces)
        ),
        Layer.WORKLOADS: any(workload.workload.scaling or workload.claims for workload in plan.workloads)
        or any(holder.lasting for holder in plan.serving.holders)
        or bool(plan.packed or plan.queues.teams or plan.guard),
        Layer.MODELS: bool(plan.serving.models),
    }
    return tuple(layer for layer, has_objects in layers.items() if has_objects)


def _has_node_objects(plan: ClusterPlan) -> bool:
    """Whether a pool or a driver is an object: AKS node pools that the operator cannot create are on pages only."""
    has_operator_pools = any(pool.by_operator for pool in plan.node_pools)
    drivers = plan.operator.drivers if plan.operator else ()
    return bool(plan.has_karpenter_pools or has_operator_pools or drivers or plan.fabric or plan.amd)


def rules(plan: ClusterPlan) -> bool:
    """Whether the alert rules are an object. For Azure managed Prometheus they are a page."""
    return bool(plan.alerts) and plan.cluster.stack.metrics.scrape == "prometheus-operator"


def after(layer: Layer, present: tuple[Layer, ...]) -> list[Layer]:
    """The present layers that this one waits for."""
    return [before for before in AFTER[layer] if before in present]
