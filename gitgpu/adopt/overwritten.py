"""The values of a fleet that an import with `--force` removes or replaces."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import MAPPING, mapping_at, reach
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.load.spec.shape import Document
from gitgpu.source import Pointer

_REMEDY = "copy it from the previous version of the file if you need it"


def overwritten_values(before: Iterable[Document], after: Iterable[Document]) -> Iterator[Diagnostic]:
    """A warning for each value in `before` that `after` does not have, with the defaults of each Fleet applied."""
    old, new = _by_key(before), _by_key(after)
    was, now = _defaults(old), _defaults(new)
    for key, document in old.items():
        if key not in new:
            yield _warning(document, (), "removes the document")
            continue
        written = _whole(new[key].data, now)
        for pointer, value in _lost(_whole(document.data, was), written):
            yield _warning(document, pointer, _effect(pointer, value, reach(written, *map(str, pointer))))


def _by_key(documents: Iterable[Document]) -> dict[tuple[str, str, str], Document]:
    """The documents by kind, namespace and name; a fleet has one Fleet, regardless of its name."""
    by_key: dict[tuple[str, str, str], Document] = {}
    for document in documents:
        name = "" if document.kind == "Fleet" else document.ref.name
        by_key[document.kind, document.ref.namespace, name] = document
    return by_key


def _defaults(documents: Mapping[tuple[str, str, str], Document]) -> Mapping[str, Any]:
    fleet = documents.get(("Fleet", "", ""))
    return mapping_at(fleet.data, "spec", "defaults") if fleet else {}


def _whole(data: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """A document with the defaults of its Fleet; the Fleet without them."""
    spec = data.get("spec")
    if not isinstance(spec, MAPPING):
        return dict(data)
    if data.get("kind") == "Fleet":
        return {**data, "spec": {key: value for key, value in spec.items() if key != "defaults"}}
    by_kind = {"GpuPool": defaults.get("pool"), "Cluster": {"stack": defaults.get("stack") or {}}}
    return {**data, "spec": merge_patch(by_kind.get(str(data.get("kind"))) or {}, spec)}


def _lost(old: Mapping[str, Any], new: Any, above: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    """The values that are missing or different in `new`; a missing mapping is one value."""
    for key, value in old.items():
        other = new.get(key) if isinstance(new, MAPPING) else None
        if isinstance(value, MAPPING) and isinstance(other, MAPPING):
            yield from _lost(value, other, (*above, key))
        elif value != other and value not in ({}, []):
            yield (*above, key), value


def _effect(pointer: Pointer, value: Any, other: Any) -> str:
    field = ".".join(map(str, pointer))
    if other is None:
        return f"removes {field}"
    if isinstance(value, (*MAPPING, list)) or isinstance(other, (*MAPPING, list)):
        return f"replaces {field}"
    return f"replaces {field} {json.dumps(value)} with {json.dumps(other)}"


def _warning(document: Document, pointer: Pointer, effect: str) -> Diagnostic:
    place = document.places.span(pointer, key=bool(pointer))
    message = f"{document.kind} {document.ref.name}: --force {effect}"
    return Diagnostic("IMP011", Severity.WARNING, message, _REMEDY, place)
