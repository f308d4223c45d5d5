"""When an object counts as ready for Flux, in CEL: https://fluxcd.io/flux/components/kustomize/kustomizations/.

Flux evaluates the expressions on the object alone, with its top-level fields as variables (runtime/cel of
github.com/fluxcd/pkg 0.110.1). An absent variable is an error even inside has(), and `status` is absent until a
controller writes it. An object with an outdated status.observedGeneration is in progress, whatever an expression
returns.
"""

from gitgpu.emit.emitter import Body
from gitgpu.emit.manifest import Layer
from gitgpu.model.names.groups import KARPENTER_AZURE_V1BETA1
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.plan.decided.cluster import ClusterPlan

ROLLED_OUT = "has(status.observedGeneration) && status.observedGeneration == metadata.generation"
EXISTS = "true"


def expressions(plan: ClusterPlan, layer: Layer) -> list[Body]:
    """The health expressions of a layer's Kustomization, one for each kind that needs another check than Flux's own."""
    if layer is Layer.CONTROLLERS:
        # A DaemonSet is not Ready while one node is unhealthy; that must not block the layer.
        return [_check("apps/v1", "DaemonSet", ROLLED_OUT)]
    if layer is Layer.NODES and plan.has_karpenter_pools:
        # Flux applies kinds that end in Class first and waits a minute for them, whatever `wait` says (ApplyAllStaged
        # in ssa/manager_apply.go of github.com/fluxcd/pkg): a class that had to be Ready would block every NodePool.
        return [_check(KARPENTER_AZURE_V1BETA1, AKS_NODE_CLASS.kind, EXISTS)]
    return []


def _check(version: str, kind: str, current: str) -> Body:
    return {"apiVersion": version, "kind": kind, "current": current}


def awaits_all(layer: Layer) -> bool:
    """Whether Flux has to wait for every object of the layer.

    A layer that waits blocks the layers that depend on it and, until its timeout, its own later commits. So nothing
    waits for nodes: one pool that is not Ready would stop the workloads of all others. A ScaledObject is not Ready
    until its metric exists, which is after the first pod has a node, a driver and a scrape.
    """
    return layer in (Layer.CONTROLLERS, Layer.MONITORING)


def awaited_objects(plan: ClusterPlan, layer: Layer) -> list[Body]:
    """The objects that a layer waits for if it does not wait for all.

    Models wait for the pods that hold a node: KAITO rejects a model while there is none.
    """
    if layer is not Layer.WORKLOADS:
        return []
    lasting_holders = (holder for holder in plan.serving.holders if holder.lasting)
    return [
        {"apiVersion": "apps/v1", "kind": "Deployment", "name": holder.name, "namespace": holder.namespace}
        for holder in lasting_holders
    ]
