"""When an object counts as ready for Flux, in CEL: https://fluxcd.io/flux/components/kustomize/kustomizations/.

Flux evaluates the expressions on the object alone, with its top-level fields as variables (runtime/cel of
github.com/fluxcd/pkg 0.110.1). An absent variable is an error even inside has(), and `status` is absent until a
controller writes it. So each expression first checks metadata.managedFields, which the API server maintains, for a
manager of the status. An object with an outdated status.observedGeneration is in progress, whatever an expression
returns.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body
from gitgpu.emit.manifest import Layer
from gitgpu.emit.node.agent_pool import KIND, VERSION, node_pool_manifests
from gitgpu.plan.decided.cluster import ClusterPlan

_WRITTEN = "metadata.managedFields.exists(m, has(m.subresource) && m.subresource == 'status')"
_REPORTED = f"(!has(metadata.managedFields) || {_WRITTEN})"
_TRUE = "has(c.type) && c.type == 'Ready' && has(c.status) && c.status == 'True'"
READY = f"{_REPORTED} && has(status.conditions) && status.conditions.exists(c, {_TRUE})"
SEEN = f"{_REPORTED} && has(status.state)"
ROLLED_OUT = "has(status.observedGeneration) && status.observedGeneration == metadata.generation"
EXISTS = "true"


def expressions(plan: ClusterPlan, layer: Layer) -> list[Body]:
    """The health expressions of a layer's Kustomization, one for each kind that needs another check than Flux's own."""
    if layer is Layer.CONTROLLERS:
        return [_daemons()]
    return list(_nodes(plan)) if layer is Layer.NODES else []


def _nodes(plan: ClusterPlan) -> Iterator[Body]:
    """The checks of nodes. A NodePool is Ready only if its node class is, so the class only has to exist."""
    if not plan.cluster.has_node_pools:
        yield _check("karpenter.sh/v1", "NodePool", READY)
        # Flux applies kinds that end in Class first and waits a minute for them (ApplyAllStaged in ssa/manager_apply.go
        # of github.com/fluxcd/pkg): a class that had to be Ready would block every NodePool of the layer.
        yield _check("karpenter.azure.com/v1beta1", "AKSNodeClass", EXISTS)
    if plan.operator and plan.operator.drivers:  # it is not ready before its nodes, and they are not ready before it
        yield _check("nvidia.com/v1alpha1", "NVIDIADriver", SEEN)
    if plan.fabric and plan.fabric.direct:
        yield _daemons()


def _daemons() -> Body:
    """A DaemonSet is not Ready while one node is unhealthy; that must not block the layer."""
    return _check("apps/v1", "DaemonSet", ROLLED_OUT)


def _check(version: str, kind: str, current: str) -> Body:
    return {"apiVersion": version, "kind": kind, "current": current}


def awaits_all(plan: ClusterPlan, layer: Layer) -> bool:
    """Whether Flux has to wait for every object of the layer."""
    # A ScaledObject is not Ready until its metric exists, which is after the first pod has a node, a driver and a
    # scrape. AMD's operator raises the status.observedGeneration of a DeviceConfig only while a node matches it
    # (Reconcile in internal/controllers/device_config_reconciler.go of ROCm/gpu-operator), and Flux waits for that.
    return layer not in (Layer.WORKLOADS, Layer.MODELS) and not (layer is Layer.NODES and plan.amd)


def awaited(plan: ClusterPlan, layer: Layer) -> list[Body]:
    """The objects that a layer waits for if it does not wait for all."""
    if layer is Layer.WORKLOADS:  # the pods that hold a node: KAITO rejects a model while there is none
        lasting = (holder for holder in plan.serving.holders if holder.lasting)
        return [_object("apps/v1", "Deployment", holder.name, holder.namespace) for holder in lasting]
    if layer is not Layer.NODES or awaits_all(plan, layer):
        return []
    if not plan.cluster.has_node_pools:
        return [_object("karpenter.sh/v1", "NodePool", pool.name) for pool in plan.pools]
    refs = [manifest.ref for manifest in node_pool_manifests(plan, beyond=False)]
    return [_object(VERSION, KIND, ref.name, ref.namespace) for ref in refs]


def _object(version: str, kind: str, name: str, namespace: str = "") -> Body:
    reference: Body = {"apiVersion": version, "kind": kind, "name": name}
    if namespace:
        reference["namespace"] = namespace
    return reference
