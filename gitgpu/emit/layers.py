"""Which layers a cluster has, and which of them must stand before another."""

from gitgpu.emit.manifest import Layer
from gitgpu.plan.decision import ClusterPlan

AFTER = {
    Layer.CONTROLLERS: (),
    Layer.NODES: (Layer.CONTROLLERS,),
    Layer.MONITORING: (Layer.CONTROLLERS,),
    Layer.WORKLOADS: (Layer.NODES, Layer.MONITORING),
}


def layers(plan: ClusterPlan) -> tuple[Layer, ...]:
    """The layers that hold something to apply, in order. Patches are included by their owner, not applied here."""
    there = {
        Layer.CONTROLLERS: any(
            (plan.device_plugin, plan.exporters, plan.operator, plan.dra, plan.keda, plan.adapter, plan.node_pools)
        ),
        Layer.NODES: bool(plan.pools),
        Layer.MONITORING: bool(plan.monitors),
        Layer.WORKLOADS: any(one.trigger or one.claim for one in plan.workloads),
    }
    return tuple(layer for layer, found in there.items() if found)


def after(layer: Layer, present: tuple[Layer, ...]) -> list[Layer]:
    """The present layers that this one waits for."""
    return [before for before in AFTER[layer] if before in present]
