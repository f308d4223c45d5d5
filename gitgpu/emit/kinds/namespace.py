"""The namespaces that the GPU software lives in, and those of workloads where the overlays are to bring them."""

from collections.abc import Iterator, Mapping

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.namespaces import created, own
from gitgpu.plan.decided.cluster import ClusterPlan

KEPT = {"argocd.argoproj.io/sync-options": "Delete=false,Prune=false"}  # to ask would hold the whole Application


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """In the first layer, so that they are there before anything that lives in them.

    The namespace of a workload may hold more than the workload, so it outlives that; Flux keeps every namespace.
    """
    kept = {"annotations": dict(KEPT)} if plan.cluster.delivery.engine == "argocd" else {}
    namespaces = {name: {"labels": dict(labels)} for name, labels in own(plan).items()}
    namespaces |= {name: {"labels": {}, **kept} for name in created(plan)}
    for name, meta in sorted(namespaces.items()):
        yield Manifest(plan.cluster.name, Layer.CONTROLLERS, _body(name, meta), plan.mark)


def _body(name: str, meta: Mapping[str, Mapping[str, str]]) -> Body:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **meta}}


EMITTER = Emitter("Namespace", emit)
