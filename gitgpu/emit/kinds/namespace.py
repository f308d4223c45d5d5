"""The namespaces of the GPU software, and of workloads if the overlays should create them."""

from collections.abc import Iterator, Mapping

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.namespaces import created_namespaces, own
from gitgpu.model.names.annotations import SYNC_OPTIONS_ANNOTATION
from gitgpu.plan.decided.cluster import ClusterPlan

KEPT = {SYNC_OPTIONS_ANNOTATION: "Delete=false,Prune=false"}  # a confirmation would block the Application


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The namespaces are in the first layer, so that they exist before their objects.

    The namespace of a workload may contain other objects, so it is kept when the workload is removed. Flux keeps every
    namespace.
    """
    kept = {"annotations": dict(KEPT)} if plan.cluster.delivery.engine == "argocd" else {}
    namespaces = {name: {"labels": dict(labels)} for name, labels in own(plan).items()}
    namespaces |= {name: {"labels": {}, **kept} for name in created_namespaces(plan)}
    for name, meta in sorted(namespaces.items()):
        yield Manifest(plan.cluster.name, Layer.CONTROLLERS, _body(name, meta), plan.mark)


def _body(name: str, meta: Mapping[str, Mapping[str, str]]) -> Body:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, **meta}}


EMITTER = Emitter("Namespace", emit)
