"""What Flux is pointed at: the Git source, and one Kustomization a layer, each waiting for those before it."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.layers import after, layers
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.plan.decision import ClusterPlan

READY = "has(status.conditions) && status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"
SEEN = "has(status.state)"
INVALID = "has(status.conditions) && status.conditions.exists(c, c.reason == 'ValidationError' && c.status == 'True')"
KARPENTERS = (("karpenter.sh/v1", "NodePool"), ("karpenter.azure.com/v1beta1", "AKSNodeClass"))
DRIVER = {"apiVersion": "nvidia.com/v1alpha1", "kind": "NVIDIADriver", "current": SEEN}
DEVICE = {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "failed": INVALID, "current": "true"}


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The GitRepository and the Kustomizations of a cluster that Flux serves."""
    if plan.cluster.delivery.engine == "flux":
        present = layers(plan)
        for body in (_repository(plan), *(_kustomization(plan, layer, present) for layer in present)):
            yield Manifest(plan.cluster.name, Layer.SYNC, body, plan.mark)


def _repository(plan: ClusterPlan) -> Body:
    delivery = plan.cluster.delivery
    spec: Body = {"interval": delivery.interval, "url": delivery.repository, "ref": {"branch": delivery.revision}}
    if delivery.secret:
        spec["secretRef"] = {"name": delivery.secret}
    meta = {"name": plan.fleet, "namespace": delivery.namespace}
    return {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": meta, "spec": spec}


def _kustomization(plan: ClusterPlan, layer: Layer, present: tuple[Layer, ...]) -> Body:
    """Kustomizations of fleets on one cluster do not meet: they carry the fleet's name.

    Only KAITO's models wait for workloads, and these only for the pods that hold nodes. A ScaledObject is not Ready
    until its metric is there, which is after the first pod has a node, a driver and a scrape.
    """
    delivery = plan.cluster.delivery
    held = _held(plan) if layer is Layer.WORKLOADS else []
    made_by_azure = layer is Layer.NODES and plan.cluster.has_node_pools
    spec: Body = {
        "interval": delivery.interval,
        "retryInterval": "2m",
        "timeout": "20m" if layer is Layer.CONTROLLERS or made_by_azure or held else "5m",
        "sourceRef": {"kind": "GitRepository", "name": plan.fleet},
        "path": f"./{delivery.path}/{plan.cluster.name}/{layer}",
        "prune": True,
        "wait": layer not in (Layer.WORKLOADS, Layer.MODELS),
    }
    if layer is Layer.NODES:
        spec["deletionPolicy"] = "Orphan"
    if before := after(layer, present):
        spec["dependsOn"] = [{"name": f"{plan.fleet}-{name}"} for name in before]
    if held:
        spec["healthChecks"] = held
    if layer is Layer.NODES and (checks := list(_checks(plan))):
        spec["healthCheckExprs"] = checks
    meta = {"name": f"{plan.fleet}-{layer}", "namespace": delivery.namespace}
    return {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": meta, "spec": spec}


def _held(plan: ClusterPlan) -> list[Body]:
    """The pods that hold a node: KAITO refuses a model as long as there is none."""
    lasting = (one for one in plan.serving.holders if one.lasting)
    return [
        {"apiVersion": "apps/v1", "kind": "Deployment", "name": one.name, "namespace": one.namespace} for one in lasting
    ]


def _checks(plan: ClusterPlan) -> Iterator[Body]:
    """What is not Ready before its nodes are, and its nodes not before it, only has to be seen by its operator."""
    for version, kind in () if plan.cluster.has_node_pools else KARPENTERS:
        yield {"apiVersion": version, "kind": kind, "current": READY}
    if plan.operator and plan.operator.drivers:
        yield DRIVER
    if plan.amd:
        yield DEVICE


EMITTER = Emitter("Flux", emit)
