"""Files with conflicting definitions are not applied together: their directories separate the alternatives."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import commonpath, dirname
from typing import Any, NamedTuple

from gitgpu.load.manifest.objects import Loaded
from gitgpu.load.null_fields import without_null


class Member(NamedTuple):
    """Something to be grouped: its path, and what it says of each thing. Two that say different things clash."""

    path: str
    says: Mapping[Hashable, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """What an object says, as it is applied, and the object; equal to another that says the same."""

    body: Any
    one: Loaded

    def __eq__(self, other: object) -> bool:
        """Do they say the same? A null says nothing; it is looked for only here, because few objects have a twin."""
        if not isinstance(other, Definition):
            return NotImplemented
        return bool(self.body == other.body or without_null(self.body) == without_null(other.body))

    __hash__ = None  # type: ignore[assignment]


def first_conflict(members: Iterable[Member]) -> tuple[Loaded, Loaded] | None:
    """The first two definitions of one thing that are not the same."""
    seen: dict[Hashable, Any] = {}
    for member in members:
        for key, said in member.says.items():
            if seen.setdefault(key, said) != said:
                first = seen[key]
                return (first.one, said.one) if isinstance(first, Definition) and isinstance(said, Definition) else None
    return None


def odd(members: Sequence[Member]) -> set[str]:
    """The paths of members that say of some thing what another member does not say of it."""
    ways: dict[Hashable, list[tuple[Any, str]]] = {}
    for member in members:
        for key, said in member.says.items():
            ways.setdefault(key, []).append((said, member.path))
    found: set[str] = set()
    for definitions in ways.values():
        first, _ = definitions[0]
        if any(definition != first for definition, _ in definitions):
            found.update(path for _, path in definitions)
    return found


def split_alternatives(members: Sequence[Member]) -> Iterator[Sequence[Member]]:
    """Members that clash are alternatives: they are split by directory, from the top, until none clashes."""
    if len(members) < 2 or not _clash(members):
        yield members
        return
    shared = common_folder([dirname(member.path) for member in members])
    folders: dict[str, list[Member]] = {}
    for sibling in members:
        rest = sibling.path.removeprefix(shared).lstrip("/")
        folders.setdefault(rest.partition("/")[0] if "/" in rest else "", []).append(sibling)
    for inside in folders.values():
        yield from split_alternatives(inside) if len(folders) > 1 else ([member] for member in inside)


def _clash(members: Iterable[Member]) -> bool:
    seen: dict[Hashable, Any] = {}
    return any(seen.setdefault(key, said) != said for member in members for key, said in member.says.items())


def common_folder(folders: Sequence[str]) -> str:
    """The directory that all of these are in; "" where there is none."""
    if not folders or len({folder.startswith("/") for folder in folders}) > 1:
        return ""
    return commonpath(folders) if all(folders) else ""
