"""The values of a fleet that an import with `--force` removes or replaces."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import MAPPING, list_at, mapping_at, reach
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.load.spec.shape import Document
from gitgpu.source import Pointer

_DEFAULTS = {"Fleet": "defaults", "Cluster": "pool"}  # the key with the defaults for other documents
_REMEDY = "copy it from the previous version of the file if you need it"


def overwritten_values(before: Iterable[Document], after: Iterable[Document]) -> Iterator[Diagnostic]:
    """A warning for each value in `before` that a document of the same name in the same file in `after` lacks.

    Both have the defaults of their Fleet and their Cluster.
    """
    old, new = _by_key(before), _by_key(after)
    was, now = _defaults(old.values()), _defaults(new.values())
    for key, document in old.items():
        if key not in new:
            yield _warning(document, (), "removes the document")
            continue
        written = _whole(new[key], now)
        for pointer, value in _lost(_whole(document, was), written):
            yield _warning(document, pointer, _effect(pointer, value, reach(written, *map(str, pointer))))


def _by_key(documents: Iterable[Document]) -> dict[tuple[str, ...], Document]:
    """The documents by file, kind, namespace and name; a fleet has one Fleet, regardless of its file and name."""
    by_key: dict[tuple[str, ...], Document] = {}
    for document in documents:
        key = (document.places.span().file, document.kind, document.ref.namespace, document.ref.name)
        by_key[("Fleet",) if document.kind == "Fleet" else key] = document
    return by_key


def _defaults(documents: Iterable[Document]) -> dict[tuple[str, str], dict[str, Any]]:
    """The defaults for the stack of all clusters, at ("Cluster", ""), and for the pools of each, by its name."""
    defaults: dict[tuple[str, str], dict[str, Any]] = {}
    pool_defaults: dict[str, Any] = {}
    clusters = []
    for document in documents:
        if document.kind == "Fleet":
            fleet_defaults = mapping_at(document.data, "spec", "defaults")
            defaults["Cluster", ""] = {"stack": mapping_at(fleet_defaults, "stack")}
            pool_defaults = dict(mapping_at(fleet_defaults, "pool"))
        elif document.kind == "Cluster":
            clusters.append(document)
    defaults["GpuPool", ""] = pool_defaults
    for cluster in clusters:
        defaults["GpuPool", cluster.ref.name] = merge_patch(pool_defaults, mapping_at(cluster.data, "spec", "pool"))
    return defaults


def _whole(document: Document, defaults: Mapping[tuple[str, str], Mapping[str, Any]]) -> dict[str, Any]:
    """A document with the defaults of its Fleet and, for a pool of one cluster, of its Cluster; these without them."""
    spec = document.data.get("spec")
    if not isinstance(spec, MAPPING):
        return dict(document.data)
    own = {key: value for key, value in spec.items() if key != _DEFAULTS.get(document.kind)}
    fleet_defaults = defaults.get((document.kind, ""), {})
    clusters = list_at(spec, "clusters")
    inherited = (
        defaults.get((document.kind, str(clusters[0])), fleet_defaults) if len(clusters) == 1 else fleet_defaults
    )
    return {**document.data, "spec": merge_patch(inherited, own)}


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
