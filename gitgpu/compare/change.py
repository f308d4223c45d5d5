"""What has become of two sets of objects: which came, which went, which say something else, field by field."""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.compare.normal_form import Flat, Shown, flat, stored
from gitgpu.compare.snapshot import Thing
from gitgpu.model.catalog import Catalog, Facts

_SEAM = re.compile(r'"[^"]*"|\[[^\]]*\]|\.')  # what is in quotes or brackets is one part


class Kind(StrEnum):
    """What has become of an object."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class Field(NamedTuple):
    """A value that is another now; None is absent. `whole` is the part of the object that came or went with it."""

    path: str
    before: Any
    after: Any
    whole: str = ""


class Change(NamedTuple):
    """An object that is added, removed or changed. `written` are fields that only set or unset a default value."""

    kind: Kind
    before: Thing | None
    after: Thing | None
    fields: tuple[Field, ...] = ()
    written: tuple[str, ...] = ()

    @property
    def thing(self) -> Thing:
        """The object, as it is to be if it stays."""
        return self.after or self.before  # type: ignore[return-value]

    @property
    def is_silent(self) -> bool:
        """Does the object mean what it meant?"""
        return self.kind is Kind.CHANGED and not self.fields


def facts_of(thing: Thing, catalog: Catalog) -> Facts | None:
    """What the catalog knows of edits of the object's kind."""
    found = catalog.facts("edits", thing.identity.kind.lower())
    return found if found and found["group"] == thing.identity.group else None


def changed(before: Mapping[Any, Thing], after: Mapping[Any, Thing], catalog: Catalog) -> Iterator[Change]:
    """Every difference between objects by identity, in the order of what is there now, then of what went."""
    for key, now in after.items():
        was = before.get(key)
        if was is None:
            yield Change(Kind.ADDED, None, now)
        elif was.body != now.body and (found := _compared(was, now, catalog)):
            yield found
    yield from (Change(Kind.REMOVED, was, None) for key, was in before.items() if key not in after)


def _compared(was: Thing, now: Thing, catalog: Catalog) -> Change | None:
    facts, lists = facts_of(now, catalog), catalog.must("lists", "kubernetes")
    before, after = (stored(thing.body, facts) for thing in (was, now))
    fields = tuple(_fields(flat(before, lists), flat(after, lists)))
    written: tuple[str, ...] = ()
    if (before, after) != (was.body, now.body):  # objects that are as stored already have nothing else to compare
        plain = {field.path for field in _fields(flat(was.body, lists), flat(now.body, lists)) if _says(field)}
        written = tuple(sorted(plain - {field.path for field in fields}))
    return Change(Kind.CHANGED, was, now, fields, written) if fields or written else None


_NONE: frozenset[str] = frozenset()


def _fields(before: Flat, after: Flat) -> Iterator[Field]:
    changed = [path for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)]
    if not changed:
        return
    stems_before = _every_stem(before) if any(path not in before for path in changed) else _NONE
    stems_after = _every_stem(after) if any(path not in after for path in changed) else _NONE
    for path in changed:
        whole = path
        if (path not in after and _is_filled(before, path, stems_after)) or (
            path not in before and _is_filled(after, path, stems_before)
        ):
            continue
        if path not in before:
            whole = next((stem for stem in _stems(path) if stem not in stems_before), path)
        elif path not in after:
            whole = next((stem for stem in _stems(path) if stem not in stems_after), path)
        yield Field(path, _shown_text(before.get(path)), _shown_text(after.get(path)), whole)


def _is_filled(side: Flat, path: str, stems_of_other: frozenset[str]) -> bool:
    """Is a mapping or list empty on one side, and does the other side say what is in it?"""
    return side[path] in ({}, []) and path in stems_of_other


def _every_stem(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for path in paths for stem in _stems(path))


def _says(field: Field) -> bool:
    """Is it more than an empty mapping that came or went?"""
    return any(value not in (None, {}) for value in (field.before, field.after))


def _stems(path: str) -> Iterator[str]:
    """The path of everything around a value, the outermost first, and its own."""
    yield from (path[: found.start()] for found in _SEAM.finditer(path) if found[0][0] in ".[")
    yield path


def _shown_text(value: Any) -> Any:
    return value.text if isinstance(value, Shown) else value


def below(path: str, field: str) -> bool:
    """Is the path that of the field, or of something in it?"""
    return path == field or path.startswith((f"{field}.", f"{field}["))


def effect(path: str, facts: Facts | None) -> str:
    """The effect of a changed field on nodes, from the catalog; the longest matching path is used."""
    words = (
        [(len(entry["field"]), entry["effect"]) for entry in facts["effects"] if below(path, entry["field"])]
        if facts
        else []
    )
    return max(words, default=(0, ""))[1]
