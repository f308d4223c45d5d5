"""The Flux objects: the Git source, and a Kustomization for each layer, which waits for those before it."""

from collections.abc import Iterator

from gitgpu.emit.delivery.flux_readiness import awaited_objects, awaits_all, expressions
from gitgpu.emit.delivery.layers import after, layers
from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import FLUX_SOURCE_V1
from gitgpu.model.names.kinds import GIT_REPOSITORY
from gitgpu.plan.decided.cluster import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The GitRepository and the Kustomizations of a cluster that Flux serves."""
    if plan.cluster.delivery.engine == "flux":
        present = layers(plan)
        bodies = [_repository(plan)]
        bodies += (_kustomization(plan, layer, present) for layer in present)
        for body in bodies:
            yield Manifest(plan.cluster.name, Layer.SYNC, body, plan.mark)


def _repository(plan: ClusterPlan) -> Body:
    delivery = plan.cluster.delivery
    spec: Body = {"interval": delivery.interval, "url": delivery.repository, "ref": {"branch": delivery.revision}}
    if delivery.secret:
        spec["secretRef"] = {"name": delivery.secret}
    meta = {"name": plan.fleet, "namespace": delivery.namespace}
    return {"apiVersion": FLUX_SOURCE_V1, "kind": GIT_REPOSITORY.kind, "metadata": meta, "spec": spec}


def _kustomization(plan: ClusterPlan, layer: Layer, present: tuple[Layer, ...]) -> Body:
    """A Kustomization. Its name contains the fleet, because a cluster can have Kustomizations of several fleets."""
    meta = {"name": f"{plan.fleet}-{layer}", "namespace": plan.cluster.delivery.namespace}
    spec = _spec(plan, layer, present)
    return {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": meta, "spec": spec}


def _spec(plan: ClusterPlan, layer: Layer, present: tuple[Layer, ...]) -> Body:
    delivery, checked = plan.cluster.delivery, awaited_objects(plan, layer)
    spec: Body = {
        "interval": delivery.interval,
        "retryInterval": "2m",  # the default is `interval`
        # Controllers wait for each HelmRelease, which has 15 minutes. No other layer may wait as long, because Flux
        # applies no later commit of a layer while it waits. 5 minutes are a choice.
        "timeout": "20m" if layer is Layer.CONTROLLERS else "5m",
        "sourceRef": {"kind": GIT_REPOSITORY.kind, "name": plan.fleet},
        "path": f"./{delivery.path}/{plan.cluster.name}/{layer}",
        "prune": True,
        "wait": awaits_all(layer),
    }
    # With the default (MirrorPrune, here with prune: true), deleting the Kustomization deletes its NodePools and nodes.
    if layer is Layer.NODES:
        spec["deletionPolicy"] = "Orphan"
    if before := after(layer, present):
        spec["dependsOn"] = [{"name": f"{plan.fleet}-{name}"} for name in before]
    if checked:
        spec["healthChecks"] = checked
    if exprs := expressions(plan, layer):
        spec["healthCheckExprs"] = exprs
    return spec


EMITTER = Emitter("Flux", emit)
