"""The differences between two sets of objects: which are added, removed or changed, field by field."""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.compare.normal_form import Flat, Shown, as_stored, flat
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.catalog import Catalog, Facts

_SEAM = re.compile(r'"[^"]*"|\[[^\]]*\]|\.')  # what is in quotes or brackets is one part


class Kind(StrEnum):
    """What happens to an object."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class Field(NamedTuple):
    """A value that changes; None means absent. `whole` is the part of the object that is added or removed with it."""

    path: str
    before: Any
    after: Any
    whole: str = ""


class Change(NamedTuple):
    """An object that is added, removed or changed. `written` are fields that only set or unset a default value."""

    kind: Kind
    before: OverlayObject | None
    after: OverlayObject | None
    fields: tuple[Field, ...] = ()
    written: tuple[str, ...] = ()

    @property
    def object(self) -> OverlayObject:
        """The object: its new state, or the old one if it is removed."""
        return self.after or self.before  # type: ignore[return-value]

    @property
    def is_silent(self) -> bool:
        """Whether the object changes without any effect."""
        return self.kind is Kind.CHANGED and not self.fields


def facts_of(obj: OverlayObject, catalog: Catalog) -> Facts | None:
    """The catalog's facts about edits of this kind of object."""
    row = catalog.facts("edits", obj.identity.kind.lower())
    return row if row and row["group"] == obj.identity.group else None


def object_changes(
    before: Mapping[Any, OverlayObject], after: Mapping[Any, OverlayObject], catalog: Catalog
) -> Iterator[Change]:
    """Every difference between objects with the same key: new and changed objects in order, then removed ones."""
    for key, now in after.items():
        was = before.get(key)
        if was is None:
            yield Change(Kind.ADDED, None, now)
        elif was.body != now.body and (change := _compared(was, now, catalog)):
            yield change
    yield from (Change(Kind.REMOVED, was, None) for key, was in before.items() if key not in after)


def _compared(was: OverlayObject, now: OverlayObject, catalog: Catalog) -> Change | None:
    facts, lists = facts_of(now, catalog), catalog.must("lists", "kubernetes")
    before, after = (as_stored(obj.body, facts) for obj in (was, now))
    fields = tuple(_fields(flat(before, lists), flat(after, lists)))
    written: tuple[str, ...] = ()
    if (before, after) != (was.body, now.body):  # if both had their defaults, there is nothing more to compare
        plain = filter(_has_content, _fields(flat(was.body, lists), flat(now.body, lists)))
        written = tuple(sorted({field.path for field in plain} - {field.path for field in fields}))
    return Change(Kind.CHANGED, was, now, fields, written) if fields or written else None


_NONE: frozenset[str] = frozenset()


def _fields(before: Flat, after: Flat) -> Iterator[Field]:
    changed_paths = [path for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)]
    if not changed_paths:
        return
    # The stems of all paths are only needed for values that are added or removed, and most edits have none.
    has_added = any(path not in before for path in changed_paths)
    has_removed = any(path not in after for path in changed_paths)
    stems_before = _all_stems(before) if has_added else _NONE
    stems_after = _all_stems(after) if has_removed else _NONE
    for path in changed_paths:
        whole = path
        if path not in before or path not in after:
            value, other_stems = (before[path], stems_after) if path in before else (after[path], stems_before)
            # A mapping or list that is empty on one side and has entries on the other: they are separate fields.
            if value in ({}, []) and path in other_stems:
                continue
            whole = next((stem for stem in _stems(path) if stem not in other_stems), path)
        yield Field(path, _shown_text(before.get(path)), _shown_text(after.get(path)), whole)


def _all_stems(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(chain.from_iterable(map(_stems, paths)))


def _has_content(field: Field) -> bool:
    """Whether it is more than an empty mapping that is added or removed."""
    return any(value not in (None, {}) for value in (field.before, field.after))


def _stems(path: str) -> Iterator[str]:
    """The path of every part around a value, the outermost first, then the path of the value."""
    for part in _SEAM.finditer(path):
        if part[0].startswith((".", "[")):  # not a quoted key
            yield path[: part.start()]
    yield path


def _shown_text(value: Any) -> Any:
    return value.text if isinstance(value, Shown) else value


def below(path: str, field: str) -> bool:
    """Whether the path is the field, or something inside it."""
    return path == field or path.startswith((f"{field}.", f"{field}["))


def effect(path: str, facts: Facts | None) -> str:
    """The effect of a changed field on nodes, from the catalog; the longest matching path is used."""
    if facts is None:
        return ""
    entries = [entry for entry in facts["effects"] if below(path, entry["field"])]
    if not entries:
        return ""
    return str(max(entries, key=lambda entry: len(entry["field"]))["effect"])
