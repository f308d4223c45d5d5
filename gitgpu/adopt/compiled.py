"""Compiles spec documents to objects in memory."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.adopt.adoption import SpecDocument
from gitgpu.compare.snapshot import Key, OverlayObject
from gitgpu.emit import emit, emitters
from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.node.agent_pool import node_pool_manifests
from gitgpu.load.spec.shape import API_VERSION, Document, document_faults
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.model.names.kinds import AKS_NODE_CLASS, MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.objects.objects import identity
from gitgpu.patch import apply_patches
from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.source import SourceMap, Span

_NODES = (MANAGED_CLUSTERS_AGENT_POOL.kind, NODE_POOL.kind, AKS_NODE_CLASS.kind)


def data(document: SpecDocument) -> dict[str, Any]:
    """The document as data, as it is written."""
    namespace = {"namespace": document.namespace} if document.namespace else {}
    labels = {"labels": dict(document.labels)} if document.labels else {}
    annotations = {"annotations": dict(document.annotations)} if document.annotations else {}
    metadata = {"name": document.name, **namespace, **labels, **annotations}
    return {"apiVersion": API_VERSION, "kind": document.kind, "metadata": metadata, "spec": dict(document.spec)}


def link_documents(documents: Iterable[SpecDocument], catalog: Catalog) -> Inputs | None:
    """The fleet of these documents, without those that do not match the schema; None without a valid Fleet."""
    converted = []
    for number, document in enumerate(documents, start=1):
        body = data(document)
        places = SourceMap.of(Span("", number, 1))
        converted.append(Document(document.kind, body, places, "", not document_faults(body)))
    return link(converted, catalog)[0]


class Output(NamedTuple):
    """What a fleet writes for a cluster: its decisions, the objects, and these after the patches in the spec."""

    plan: ClusterPlan
    catalog: Catalog
    emitted: Sequence[Manifest]
    manifests: Sequence[Manifest]

    @property
    def nodes(self) -> dict[Key, OverlayObject]:
        """Its node objects, without patches."""
        return _node_objects(self.plan, self.emitted)


def output_of(inputs: Inputs, cluster: Cluster) -> Output:
    """The output for a cluster."""
    planned = plan(inputs, cluster)
    emitted = emit(planned, emitters())
    return Output(planned, inputs.catalog_for(cluster), emitted, apply_patches(emitted, planned).manifests)


def node_objects(inputs: Inputs, cluster: Cluster) -> dict[Key, OverlayObject]:
    """The NodePools, AKSNodeClasses and node pools of a cluster, including pools created with `az` commands."""
    planned = plan(inputs, cluster)
    return _node_objects(planned, emit(planned, _node_emitters()))


def _node_objects(planned: ClusterPlan, emitted: Iterable[Manifest]) -> dict[Key, OverlayObject]:
    manifests = [manifest for manifest in emitted if manifest.layer is Layer.NODES]
    manifests += node_pool_manifests(planned, beyond=True)
    overlay_objects = (node_object(manifest.body, planned.cluster.name) for manifest in manifests)
    return {obj.key: obj for obj in overlay_objects if obj.identity.kind in _NODES}


def node_object(body: Mapping[str, Any], cluster: str) -> OverlayObject:
    """An object of a cluster as `compare` reads it."""
    own = identity(body)
    return OverlayObject(f"{cluster}/nodes/{own.kind}-{own.name}.yaml".lower(), own, body)


def _node_emitters() -> tuple[Emitter, ...]:
    return tuple(emitter for emitter in emitters() if emitter.name in _NODES)
