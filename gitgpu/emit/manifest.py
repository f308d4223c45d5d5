"""A manifest is one Kubernetes object on its way to a file."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.diagnostic import ObjectRef, Places
from gitgpu.model.spec.origin import SpecObject


class Layer(StrEnum):
    """A folder below a cluster. A delivery engine applies them in this order, except for the last one."""

    SYNC = "sync"
    CONTROLLERS = "controllers"
    NODES = "nodes"
    MONITORING = "monitoring"
    WORKLOADS = "workloads"
    MODELS = "models"
    VERIFY = "verify"

    @property
    def by_hand(self) -> bool:
        """Whether a person applies it instead of an engine."""
        return self is Layer.VERIFY


class Role(StrEnum):
    """What the file is for: a resource is listed in kustomization.yaml, a patch is applied by a Kustomize component."""

    RESOURCE = "resource"
    PATCH = "patch"


class Manifest(NamedTuple):
    """One object. `origin` is the spec object that it comes from (with the file as in headers, never absolute).

    `folder` is a subfolder of the layer ("" for the layer itself); a folder with patches becomes a separate Kustomize
    component, which the owner of the patched workload includes. `rows` are the files of the user's own catalog that it
    depends on, `places` where its author wrote parts of it. `values_of` are the documents with values of its chart,
    `patched_by` those whose patches have been applied to it.
    """

    cluster: str
    layer: Layer
    body: Mapping[str, Any]
    origin: SpecObject
    role: Role = Role.RESOURCE
    folder: str = ""
    rows: tuple[str, ...] = ()
    places: Places | None = None
    values_of: tuple[SpecObject, ...] = ()
    patched_by: tuple[SpecObject, ...] = ()

    @property
    def ref(self) -> ObjectRef:
        """Kind, namespace and name of the object."""
        meta = self.body.get("metadata", {})
        return ObjectRef(self.body.get("kind", ""), meta.get("namespace", ""), meta.get("name", ""))
