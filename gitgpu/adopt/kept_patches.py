"""Values of running objects that patches in the spec keep on the objects that gitgpu writes in their place."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.access import list_at
from gitgpu.adopt.adoption import ClusterDocument
from gitgpu.source import Pointer

PATCHES: Pointer = ("spec", "patches")


def patch_of(kind: str, name: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """A patch that keeps these fields of the spec of an object."""
    return {"target": {"kind": kind, "name": name}, "patch": {"spec": dict(spec)}}


def with_patches(
    entry: ClusterDocument, cluster: str, patches: Sequence[Mapping[str, Any]], reason: str
) -> ClusterDocument:
    """The document, with these patches if it is the Cluster with this name. A comment says why they are there."""
    document = entry.document
    if document.kind != "Cluster" or document.name != cluster or not patches:
        return entry
    spec = {**document.spec, "patches": [*list_at(document.spec, "patches"), *patches]}
    comments = {**document.comments, PATCHES: f"{document.comments.get(PATCHES, '')} Kept: {reason}.".lstrip()}
    return entry._replace(document=document._replace(spec=spec, comments=comments))
