"""Compiles the documents of workloads, to compare the result with the running objects."""

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, NamedTuple

from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.compiled import link_documents
from gitgpu.emit import emit, emitters
from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import SCALED_JOB, SCALED_OBJECT, TRIGGER_AUTHENTICATION
from gitgpu.objects.objects import identity
from gitgpu.plan.cluster_plan import plan

_EMITTERS = (
    SCALED_OBJECT.kind,
    SCALED_JOB.kind,
    "HorizontalPodAutoscaler",
    TRIGGER_AUTHENTICATION.kind,
    "workload patch",
    "KAITO",
)


class CompiledObjects(NamedTuple):
    """The compiled objects of workloads, and the patches by the folder that contains them (NAMESPACE.NAME).

    Objects are found by kind, namespace and name, because running objects may have another API version.
    """

    objects: Mapping[tuple[str, str, str], Mapping[str, Any]]
    patches: Mapping[str, Mapping[str, Any]]

    def find(self, kind: str, namespace: str, name: str) -> Mapping[str, Any] | None:
        """The object of this kind and name, in any API version; None if there is none."""
        return self.objects.get((kind, namespace, name))


def join_compiled(first: CompiledObjects, second: CompiledObjects) -> CompiledObjects:
    """The objects and patches of both; the second takes precedence."""
    return CompiledObjects({**first.objects, **second.objects}, {**first.patches, **second.patches})


def compile_documents(documents: Iterable[SpecDocument], cluster: str, catalog: Catalog) -> CompiledObjects:
    """The objects that a cluster gets; none if the documents cannot be compiled."""
    try:
        manifests = _manifests(documents, cluster, catalog)
    except Exception:  # noqa: BLE001  documents that rules would reject
        return CompiledObjects({}, {})
    objects = {_key(manifest.body): manifest.body for manifest in manifests if manifest.role is Role.RESOURCE}
    patches = {manifest.folder: manifest.body for manifest in manifests if manifest.role is Role.PATCH}
    return CompiledObjects(objects, patches)


def _key(body: Mapping[str, Any]) -> tuple[str, str, str]:
    own = identity(body)
    return own.kind, own.namespace, own.name


def compile_each(
    common: list[SpecDocument], documents: Iterable[SpecDocument], cluster: str, catalog: Catalog
) -> CompiledObjects:
    """The objects that a cluster gets. A document that cannot be compiled does not affect the others."""
    all_documents = list(documents)
    together = compile_documents([*common, *all_documents], cluster, catalog)
    if together.objects or together.patches or len(all_documents) < 2:
        return together
    each = [compile_documents([*common, document], cluster, catalog) for document in all_documents]
    return reduce(join_compiled, each, CompiledObjects({}, {}))


def _manifests(documents: Iterable[SpecDocument], name: str, catalog: Catalog) -> list[Manifest]:
    inputs = link_documents(documents, catalog)
    if not inputs:
        return []
    cluster = next((cluster for cluster in inputs.clusters if cluster.name == name), None)
    return list(emit(plan(inputs, cluster), _workload_emitters())) if cluster else []


def _workload_emitters() -> tuple[Emitter, ...]:
    return tuple(emitter for emitter in emitters() if emitter.name in _EMITTERS)
