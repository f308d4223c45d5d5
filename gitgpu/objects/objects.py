"""The objects of one cluster as rules see them: with valid shapes, sorted by kind, with the facts that rules need."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from gitgpu.access import text_at
from gitgpu.diagnostic import ObjectRef, Places
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.indexes import group_by
from gitgpu.objects.safeguards import Safeguards
from gitgpu.objects.schema.contract import Scope, api_group
from gitgpu.objects.schema.flaws import Flaw
from gitgpu.source import Pointer

ELSEWHERE = "objects of all files"  # the key of what is in `run_cache` for `Objects.elsewhere`
Computed = TypeVar("Computed")
Kinds: TypeAlias = frozenset[tuple[str, str]]  # groups and kinds
_NAME, _KEY, _PATCH = attrgetter("identity.name"), attrgetter("group", "kind", "name"), attrgetter("given.patch")
_KIND = attrgetter("identity.group", "identity.kind")


def _unknown(_: str) -> tuple[str, ...]:
    """The versions of any project, if nothing says what runs."""
    return ()


class Given(NamedTuple):
    """An object from a file: its content, the places of its values, and whether it is only a patch."""

    body: Mapping[str, Any]
    places: Places
    patch: bool = False


class Identity(NamedTuple):
    """The identity of an object in a cluster."""

    group: str
    kind: str
    namespace: str
    name: str

    @property
    def ref(self) -> ObjectRef:
        """The part of it that a diagnostic shows."""
        return ObjectRef(self.kind, self.namespace, self.name)


class Delivered(NamedTuple):
    """What applies an object (`ApplicationSet/NAMESPACE/NAME`), and its content in the file, before substitution."""

    by: str
    written: Mapping[str, Any]


class Item(NamedTuple):
    """One object: its content, its identity, the scope of its kind, and whether it matches its schema (`sound`).

    `flaws` are the places where it does not match; without any, rules cannot read an object that is not sound. `holes`
    are the places of values that are substituted and unknown; `bare` is the object without them, if that matches its
    schema too. `renamed` identifies what may change its name before it is applied: names of two objects can be compared
    only if this is equal. `written` is its content after patches and before substitution; None if nothing patches it.
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
    flaws: frozenset[Flaw] = frozenset()

    @property
    def body(self) -> Mapping[str, Any]:
        """The content of the object."""
        return self.given.body

    @property
    def ref(self) -> ObjectRef:
        """The object as named in its file, before Kustomize sets a namespace or Flux substitutes its name."""
        return identity(self.delivered.written if self.delivered else self.body).ref

    @property
    def shown_name(self) -> str:
        """Its name; if the API server makes one, the start of it and an asterisk."""
        prefix = text_at(self.body, "metadata", "generateName")
        return self.identity.name or (f"{prefix}*" if prefix else "")

    @property
    def is_patch(self) -> bool:
        """Whether it is only a patch of an object with a different owner."""
        return self.given.patch


class Extent(NamedTuple):
    """What is known about the other objects of a cluster; the fields are those of `Objects`."""

    closed: bool = False
    beyond: Kinds = frozenset()
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Objects:
    """All known objects of a cluster.

    `items` fit their schemas, so rules can read all their fields; `present` also contains those that do not fit.
    `kubernetes` is the minor version ("1.34"), `kinds` the facts about built-in kinds. `today` is an ISO date or "".
    With `closed`, the cluster has no other objects, so that missing objects can be reported. `beyond` are kinds, as
    (group, kind), whose objects may also be elsewhere; ("*", "*") is any kind. `reads` are the indexes of objects
    with a flaw that a rule has read. With `by_hand`, only the objects of one file are certainly applied together.
    `safeguards` are those of an AKS Automatic cluster; None if only the objects can say that it is one. `versions`
    returns the versions of a project, such as "argo-cd", that the cluster may run; () if they are not known. `stated`
    are those of them that do not come from the objects.
    """

    items: tuple[Item, ...]
    present: frozenset[Identity]
    catalog: Catalog
    kinds: Mapping[str, Any]
    kubernetes: str = ""
    today: str = ""
    closed: bool = True
    sorted: dict[tuple[str, str], list[Item]] = field(default_factory=dict)
    cache: dict[Hashable, Any] = field(default_factory=dict)
    run_cache: dict[Hashable, Any] = field(default_factory=dict)
    beyond: Kinds = frozenset()
    reads: set[int] | None = None
    by_hand: bool = False
    safeguards: Safeguards | None = None
    versions: Callable[[str], tuple[str, ...]] = _unknown
    stated: Versions = ()

    def __post_init__(self) -> None:
        for item in self.items:
            if not item.is_patch:
                self.sorted.setdefault((item.identity.group, item.identity.kind), []).append(item)

    def only(self, *items: Item) -> "Objects":
        """The same cluster, but with only these objects."""
        return replace(self, items=items, sorted={}, cache={})

    def of(self, group: str, kind: str) -> Iterator[Item]:
        """The objects of one kind without patches, in the order of the input."""
        return iter(self.sorted.get((group, kind), ()))

    def patches(self, group: str, kind: str) -> Sequence[Item]:
        """The patches of objects of one kind, in the order of the input."""
        return self.once("patches", lambda: group_by(filter(_PATCH, self.items), _KIND)).get((group, kind), ())

    def patched_names(self, group: str, kind: str) -> frozenset[str]:
        """The names of objects of a kind that a patch changes: their content in the input is not complete."""
        return self.once(("patched", group, kind), lambda: frozenset(map(_NAME, self.patches(group, kind))))

    def by_name(self, group: str, kind: str, name: str) -> Sequence[Item]:
        """The objects of one kind and name without patches, in any namespace, in the order of the input."""
        return self.once(("named", group, kind), lambda: group_by(self.of(group, kind), _NAME)).get(name, ())

    def identities(self, group: str, kind: str, name: str) -> Sequence[Identity]:
        """The objects of one kind and name, in order of namespace, with those that do not fit their schema."""
        return self.once("identities", lambda: group_by(sorted(self.present), _KEY)).get((group, kind, name), ())

    def once(self, name: Hashable, make: Callable[[], Computed]) -> Computed:
        """The result of `make`, computed once under this name: many rules need the same values."""
        reads = self.reads
        if reads is None:
            return _cached(self.cache, name, make)
        value, read = _cached(self.cache, name, lambda: _recorded(make, reads))
        reads.update(read)
        return value

    def once_per_run(self, name: Hashable, make: Callable[[], Computed]) -> Computed:
        """Like `once`, for values that depend only on the catalog: they are kept for other clusters."""
        return _cached(self.run_cache, name, make)

    def knows(self, group: str, kind: str) -> bool:
        """Whether all objects of a kind are known. They are not if the cluster may have others."""
        is_complete = self.closed or (group, kind) in self.kinds_present  # of a kind that is here, all are
        return is_complete and self.beyond.isdisjoint({("*", "*"), (group, kind)})

    def application_key(self, item: Item) -> str:
        """A value that is equal for objects that are certainly applied together: the file, or "" for all objects.

        Files that nothing joins may be alternatives: a user applies one of them.
        """
        return item.given.places.span().file if self.by_hand else ""

    @property
    def elsewhere(self) -> frozenset[Identity]:
        """The objects of all files of the run, which other clusters of the same repository have."""
        found: frozenset[Identity] = self.run_cache.get(ELSEWHERE, frozenset())
        return found

    @property
    def kinds_present(self) -> frozenset[tuple[str, str]]:
        """The kinds that have an object, as (group, kind)."""
        return self.once("kinds present", lambda: frozenset((name.group, name.kind) for name in self.present))


def _cached(cache: dict[Hashable, Any], name: Hashable, make: Callable[[], Computed]) -> Computed:
    if name not in cache:
        cache[name] = make()
    return cache[name]  # type: ignore[no-any-return]


def _recorded(make: Callable[[], Computed], reads: set[int]) -> tuple[Computed, frozenset[int]]:
    """The result of `make`, and what it adds to `reads`, also if it is there already."""
    before = frozenset(reads)
    reads.clear()
    try:
        value = make()
        return value, frozenset(reads)
    finally:
        reads.update(before)


def identity(body: Mapping[str, Any]) -> Identity:
    """The identity of any object, regardless of its shape; missing parts are empty."""
    group, kind = api_group(str(body.get("apiVersion", ""))), str(body.get("kind", ""))
    return Identity(group, kind, text_at(body, "metadata", "namespace"), text_at(body, "metadata", "name"))
