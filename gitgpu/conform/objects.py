"""The objects of one cluster as rules see them: of proven shape, sorted by kind, with the facts that rules need."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from gitgpu.conform.grouped import grouped
from gitgpu.conform.schema.contract import Scope, group
from gitgpu.diagnostic import ObjectRef, Places
from gitgpu.model.catalog import Catalog
from gitgpu.source import Pointer

Found = TypeVar("Found")
_NAME, _KEY = attrgetter("identity.name"), attrgetter("group", "kind", "name")
_POD_TEMPLATES: Mapping[tuple[str, str], Pointer] = {
    ("", "Pod"): (),
    ("apps", "DaemonSet"): ("spec", "template"),
    ("apps", "Deployment"): ("spec", "template"),
    ("apps", "ReplicaSet"): ("spec", "template"),
    ("apps", "StatefulSet"): ("spec", "template"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("batch", "Job"): ("spec", "template"),
    ("keda.sh", "ScaledJob"): ("spec", "jobTargetRef", "template"),
}
WORKLOADS = tuple(_POD_TEMPLATES)
NODE_POOL = ("karpenter.sh", "NodePool")


class Given(NamedTuple):
    """An object as it came: what it says, where its values stand, and whether it is only a patch."""

    body: Mapping[str, Any]
    places: Places
    patch: bool = False


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


class Delivered(NamedTuple):
    """What applies an object (`ApplicationSet/NAMESPACE/NAME`), and what its file says before values are filled in."""

    by: str
    written: Mapping[str, Any]


class Item(NamedTuple):
    """One object: as it came, its identity, where objects of its kind live, and whether it fits its schema.

    `holes` are the places of values that are filled in on the way and are not known, `bare` is the object without them,
    where that fits its schema too. `renamed` says what may change its name before it is applied: only of two objects
    with the same words here is it known whether their names are the same. `written` is what its file says after
    the patches of what applies it, before values are filled in; None where nothing patches it.
    """

    given: Given
    identity: Identity
    scope: Scope
    sound: bool = True
    holes: frozenset[Pointer] = frozenset()
    bare: Mapping[str, Any] | None = None
    delivered: Delivered | None = None
    renamed: str = ""
    written: Mapping[str, Any] | None = None

    @property
    def body(self) -> Mapping[str, Any]:
        """The object itself."""
        return self.given.body

    @property
    def ref(self) -> ObjectRef:
        """The object as its file names it; Kustomize may have given it another namespace since, and Flux a name."""
        return identity(self.delivered.written if self.delivered else self.body).ref

    @property
    def is_patch(self) -> bool:
        """Whether it is only a patch of an object that is owned elsewhere."""
        return self.given.patch


@dataclass(frozen=True, slots=True)
class Objects:
    """All objects of a cluster, as far as they were given.

    `items` fit their schemas, so rules may reach into them; `present` also names those that do not. `kubernetes` is
    the minor version that holds ("1.34"), `kinds` the facts about built-in kinds. `today` is an ISO date, or "" when
    nobody said. `closed` says that nothing else is on the cluster, so that what is missing here is missing. `beyond`
    names the kinds, as (group, kind), of which others come from where lint cannot look; ("*", "*") is any kind.
    """

    items: tuple[Item, ...]
    present: frozenset[Identity]
    catalog: Catalog
    kinds: Mapping[str, Any]
    kubernetes: str = ""
    today: str = ""
    closed: bool = True
    sorted: dict[tuple[str, str], list[Item]] = field(default_factory=dict)
    remembered: dict[Hashable, Any] = field(default_factory=dict)
    lasting: dict[Hashable, Any] = field(default_factory=dict)
    beyond: frozenset[tuple[str, str]] = frozenset()

    def __post_init__(self) -> None:
        for item in (item for item in self.items if not item.is_patch):
            self.sorted.setdefault((item.identity.group, item.identity.kind), []).append(item)

    def only(self, *items: Item) -> "Objects":
        """The same cluster as if these were all its objects."""
        return replace(self, items=items, sorted={}, remembered={})

    def of(self, family: str, kind: str) -> Iterator[Item]:
        """The whole objects of one kind, in the order they came."""
        return iter(self.sorted.get((family, kind), ()))

    def patched(self, family: str, kind: str) -> frozenset[str]:
        """The names of objects of a kind that a patch changes: what they say is not all that will be there."""
        patches = self.once("patches", lambda: [item.identity for item in self.items if item.is_patch])
        names = (patch.name for patch in patches if (patch.group, patch.kind) == (family, kind))
        return self.once(("patched", family, kind), lambda: frozenset(names))

    def named(self, family: str, kind: str, name: str) -> Sequence[Item]:
        """The whole objects of one kind and name, in any namespace, in the order they came."""
        return self.once(("named", family, kind), lambda: grouped(self.of(family, kind), _NAME)).get(name, ())

    def identities(self, family: str, kind: str, name: str) -> Sequence[Identity]:
        """The objects of one kind and name, in order of namespace, with those that do not fit their schema."""
        return self.once("identities", lambda: grouped(sorted(self.present), _KEY)).get((family, kind, name), ())

    def once(self, name: Hashable, make: Callable[[], Found]) -> Found:
        """The result of `make`, computed once under this name: many rules need the same values."""
        return _made(self.remembered, name, make)

    def always(self, name: Hashable, make: Callable[[], Found]) -> Found:
        """The same for values that depend on the catalog alone: they are kept for the next cluster too."""
        return _made(self.lasting, name, make)

    def knows(self, family: str, kind: str) -> bool:
        """Are all objects of a kind known? Not if some are elsewhere, or if none is here and some may be elsewhere."""
        if {("*", "*"), (family, kind)} & self.beyond:
            return False
        return self.closed or (family, kind) in self.kinds_present

    @property
    def kinds_present(self) -> frozenset[tuple[str, str]]:
        """The kinds of which there is an object, as (group, kind)."""
        return self.once("kinds present", lambda: frozenset((known.group, known.kind) for known in self.present))


def _made(memory: dict[Hashable, Any], name: Hashable, make: Callable[[], Found]) -> Found:
    if name not in memory:
        memory[name] = make()
    found: Found = memory[name]
    return found


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


def mapping(value: Any) -> Mapping[str, Any]:
    """A value that has to be a mapping; anything else counts as empty."""
    return value if isinstance(value, dict) else {}


def listed(value: Any) -> list[Any]:
    """A value that has to be a list; anything else counts as empty."""
    return value if isinstance(value, list) else []


def pod_template(item: Item) -> tuple[Pointer, Mapping[str, Any]] | None:
    """The pod template of a workload (the object itself for a Pod) and its place."""
    path = _POD_TEMPLATES.get((item.identity.group, item.identity.kind))
    found = None if path is None else reach(item.body, *path)
    return (path or (), found) if found else None
