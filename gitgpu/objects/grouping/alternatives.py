"""Files with conflicting definitions are alternatives, not applied together. They are grouped by directory."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import commonpath, dirname
from typing import Any, NamedTuple

from gitgpu.model.names.kinds import NAMESPACE
from gitgpu.objects.delivery.delivered import deliver
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.delivery.tree import Tree
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.objects import Identity, identity
from gitgpu.objects.same_content import same_content


class Member(NamedTuple):
    """A file or entry point to group. Two members conflict if they define the same key differently."""

    path: str
    definitions: Mapping[Hashable, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """An object as it is applied (`body`) and as it is in its file. Equal bodies make equal definitions."""

    body: Any
    source: Loaded

    def __eq__(self, other: object) -> bool:
        """Whether the bodies have the same content.

        It is compared only here, because few objects are defined twice.
        """
        if not isinstance(other, Definition):
            return NotImplemented
        return same_content(self.body, other.body)

    __hash__ = None  # type: ignore[assignment]


def first_conflict(members: Iterable[Member]) -> tuple[Loaded, Loaded] | None:
    """The first two definitions of an object that differ; None if no members conflict. They define only objects."""
    seen: dict[Hashable, Definition] = {}
    for member in members:
        for key, definition in member.definitions.items():
            first = seen.setdefault(key, definition)
            if first != definition:
                return first.source, definition.source
    return None


def conflicting(members: Sequence[Member]) -> set[str]:
    """The paths of all members that define a key differently from another member."""
    by_key: dict[Hashable, list[tuple[Any, str]]] = {}
    for member in members:
        for key, definition in member.definitions.items():
            by_key.setdefault(key, []).append((definition, member.path))
    paths: set[str] = set()
    for definitions in by_key.values():
        first, _ = definitions[0]
        if any(definition != first for definition, _ in definitions):
            paths.update(path for _, path in definitions)
    return paths


def split_alternatives(members: Sequence[Member]) -> Iterator[Sequence[Member]]:
    """Splits conflicting members by directory, from the top, until no conflict is left."""
    if not _has_conflict(members):
        yield members
        return
    shared = common_folder([dirname(member.path) for member in members])
    folders: dict[str, list[Member]] = {}
    for sibling in members:
        rest = sibling.path.removeprefix(shared).lstrip("/")
        folders.setdefault(rest.partition("/")[0] if "/" in rest else "", []).append(sibling)
    for inside in folders.values():
        if len(folders) > 1:
            yield from split_alternatives(inside)
        else:
            yield from ([member] for member in inside)


def _has_conflict(members: Iterable[Member]) -> bool:
    seen: dict[Hashable, Any] = {}
    for member in members:
        for key, definition in member.definitions.items():
            if seen.setdefault(key, definition) != definition:
                return True
    return False


def common_folder(folders: Sequence[str]) -> str:
    """The directory that contains all of these; "" if there is none."""
    if not folders or len({folder.startswith("/") for folder in folders}) > 1:
        return ""
    return commonpath(folders)


def definitions(parts: Iterable[Part], whole: Tree) -> dict[Hashable, Definition]:
    """The objects of some files by identity."""
    by_identity: dict[Hashable, Definition] = {}
    for part in parts:
        for loaded in () if part.patch else whole.files.get(part.file, ()):
            applied = deliver(loaded.body, part)
            written = identity(applied.body) if applied else None
            if applied and written and written.name:
                by_identity.setdefault(applied_identity(written, part), Definition(applied.body, loaded))
    return by_identity


def applied_identity(written: Identity, part: Part) -> Identity:
    """The identity in the namespace that a kustomization sets. An Application only sets a missing namespace."""
    if (written.group, written.kind) == NAMESPACE:
        return written._replace(name=part.namespace or written.name)
    namespace = part.namespace or written.namespace or part.fallback
    return written if namespace == written.namespace else written._replace(namespace=namespace)
