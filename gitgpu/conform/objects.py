"""The objects of one cluster as rules see them: of proven shape, sorted by kind, with the facts that rules need."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gitgpu.conform.contract import Scope, group
from gitgpu.diagnostic import ObjectRef
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.source import Pointer

_POD_TEMPLATES = {
    ("apps", "DaemonSet"): ("spec", "template"),
    ("apps", "Deployment"): ("spec", "template"),
    ("apps", "ReplicaSet"): ("spec", "template"),
    ("apps", "StatefulSet"): ("spec", "template"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("batch", "Job"): ("spec", "template"),
    ("", "Pod"): (),
}


class Identity(NamedTuple):
    """What makes an object the same object."""

    group: str
    kind: str
    namespace: str
    name: str

    @property
    def ref(self) -> ObjectRef:
        """The part of it that a diagnostic shows."""
        return ObjectRef(self.kind, self.namespace, self.name)


class Item(NamedTuple):
    """One object: its manifest, its identity, where objects of its kind live, and whether it fits its schema."""

    manifest: Manifest
    identity: Identity
    scope: Scope
    sound: bool = True

    @property
    def body(self) -> Mapping[str, Any]:
        """The object itself."""
        return self.manifest.body

    @property
    def is_patch(self) -> bool:
        """Whether it is only part of an object that somebody else owns."""
        return self.manifest.role is Role.PATCH


@dataclass(frozen=True, slots=True)
class Objects:
    """All objects of a cluster.

    `items` fit their schemas, so rules may reach into them; `present` also names those that do not. `labels` is the
    catalog's row about Karpenter's label keys, `kinds` the facts about built-in kinds.
    """

    items: tuple[Item, ...]
    present: frozenset[Identity]
    labels: Mapping[str, Any]
    kinds: Mapping[str, Any]

    def of(self, family: str, kind: str) -> Iterator[Item]:
        """The objects of one kind, in the order they came."""
        return (item for item in self.items if item.identity.kind == kind and item.identity.group == family)


def identity(body: Mapping[str, Any]) -> Identity:
    """The identity of any object, however odd its shape; missing parts are empty."""
    meta = body.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    texts = [value if isinstance(value, str) else "" for value in (meta.get("namespace"), meta.get("name"))]
    return Identity(group(str(body.get("apiVersion", ""))), str(body.get("kind", "")), *texts)


def reach(value: Any, *path: str | int) -> Any:
    """The value at a path, None where the path ends early: Kubernetes reads null as absent."""
    for part in path:
        if value is None:
            return None
        value = value.get(part) if isinstance(part, str) else value[part]
    return value


def pod_template(item: Item) -> tuple[Pointer, Mapping[str, Any]] | None:
    """The pod template of a workload (the object itself for a Pod) and its place."""
    path = _POD_TEMPLATES.get((item.identity.group, item.identity.kind))
    found = None if path is None else reach(item.body, *path)
    return (path or (), found) if found else None
