"""Moves values that most documents of a fleet share to the defaults of the Fleet."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.readable_spec import in_order, pool_defaults
from gitgpu.compare.snapshot import at
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.source import Pointer

Documents = Sequence[tuple[str, SpecDocument]]
_LINUX = ("operatorOptOut",)  # keys that do not apply to Windows nodes
_LEAST = 2  # documents; a single one shares nothing


def lifted(documents: Documents) -> list[tuple[str, SpecDocument]]:
    """The same documents with `defaults` in the Fleet (the first document), and without these values elsewhere.

    A value is moved only if every document has the key, or a default for it, so that each can still set another value.
    """
    pools = [document for _, document in documents if document.kind == "GpuPool"]
    clusters = [document for _, document in documents if document.kind == "Cluster"]
    liftable = fleet_schema()["definitions"]["poolDefaults"]["properties"]
    schema_defaults = pool_defaults()
    fixed = set(chain.from_iterable(map(_overridden, pools)))
    agreed = {
        "stack": _agreed([document.spec.get("stack", {}) for document in clusters]),
        "pool": _agreed(
            [_with_schema_defaults(document.spec, schema_defaults, liftable.keys() - fixed) for document in pools]
        ),
    }
    defaults = {key: values for key, values in agreed.items() if values}
    if not defaults:
        return list(documents)
    (of_fleet, fleet), *others = [(of, _without(document, defaults, schema_defaults)) for of, document in documents]
    notes = dict(_notes(clusters, agreed["stack"]))
    return [(of_fleet, fleet._replace(comments={**fleet.comments, **notes})), *others]


def _notes(clusters: Sequence[SpecDocument], stack: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    """The comments at stack values that move from Clusters to the Fleet, by their new place."""
    for document in clusters:
        for pointer, note in document.comments.items():
            value = at(stack, *pointer[2:]) if pointer[:2] == ("spec", "stack") else None
            if value is not None and value == at(document.spec, *pointer[1:]):
                yield ("spec", "defaults", *pointer[1:]), note


def _overridden(document: SpecDocument) -> Iterator[str]:
    """The keys that overrides set: an override can remove a key, and then a default of the Fleet would apply."""
    for entry in document.spec.get("overrides", ()):
        yield from entry["set"]


def _with_schema_defaults(
    spec: Mapping[str, Any], schema_defaults: Mapping[str, Any], keys: Collection[str]
) -> dict[str, Any]:
    """The values of a pool under these keys, including defaults that its document does not write."""
    return {key: value for key, value in {**schema_defaults, **spec}.items() if key in keys}


def _agreed(values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The values that more than half of the mappings share, for keys that all of them have."""
    if len(values) < _LEAST:
        return {}
    agreed: dict[str, Any] = {}
    for path in _paths(values[0]):
        found = [at(value, *path) for value in values]
        if None in found:
            continue
        best = max(found, key=found.count)
        if found.count(best) * 2 > len(found):
            _put(agreed, path, best)
    return agreed


def _paths(value: Mapping[str, Any], above: Pointer = ()) -> Iterator[Pointer]:
    for key, inner in value.items():
        if isinstance(inner, Mapping) and inner:
            yield from _paths(inner, (*above, key))
        else:
            yield (*above, key)


def _put(values: dict[str, Any], path: Pointer, value: Any) -> None:
    for key in path[:-1]:
        values = values.setdefault(str(key), {})
    values[str(path[-1])] = value


def _without(document: SpecDocument, defaults: Mapping[str, Any], schema_defaults: Mapping[str, Any]) -> SpecDocument:
    """A document without the values that the new defaults set; schema defaults that these override are written."""
    spec = dict(document.spec)
    if document.kind == "Fleet":
        worth = _beyond(defaults, {"pool": schema_defaults})
        return document._replace(spec={**spec, "defaults": worth} if worth else spec)
    if "stack" in spec:
        spec["stack"] = _beyond(spec["stack"], defaults.get("stack", {}))
    if document.kind == "GpuPool":
        lifted_keys = defaults.get("pool", {})
        written = set(spec)
        if spec.get("os") == "windows":
            written.update(_LINUX)
        kept = {key: value for key, value in schema_defaults.items() if key in lifted_keys and key not in written}
        spec = in_order(_beyond({**spec, **kept}, lifted_keys))
    return document._replace(spec={key: value for key, value in spec.items() if value != {} or key not in defaults})


def _beyond(value: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a mapping that differ from its defaults."""
    differing: dict[str, Any] = {}
    for key, inner in value.items():
        if isinstance(inner, Mapping) and isinstance(defaults.get(key), Mapping) and inner:
            rest = _beyond(inner, defaults[key])
            differing |= {key: rest} if rest else {}
        elif key not in defaults or inner != defaults[key]:
            differing[key] = inner
    return differing
