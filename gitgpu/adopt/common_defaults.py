"""Moves values that most documents of a fleet share to the defaults of the Fleet."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gitgpu.access import reach
from gitgpu.adopt.adoption import ClusterDocument, SpecDocument
from gitgpu.adopt.readable_spec import in_order, pool_defaults
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.source import Pointer

_LINUX = ("operatorOptOut",)  # keys that do not apply to Windows nodes
# Properties of single pools. A default would also give them to every new pool: the labels of another size, for example.
_OWN = frozenset({"labels", "annotations", "taints", "startupTaints", "tags"})
_OWN_LIFETIMES = frozenset({("disruption", "expireAfter"), ("disruption", "terminationGracePeriod")})
_MIN_DOCUMENTS = 2  # a single one shares nothing


def with_common_defaults(documents: Sequence[ClusterDocument]) -> list[ClusterDocument]:
    """The same documents with `defaults` in the Fleet (the first document), and without these values elsewhere.

    A value is moved only if every document has the key, or a default for it, so that each can still set another value.
    """
    pools = [document for _, document in documents if document.kind == "GpuPool"]
    clusters = [document for _, document in documents if document.kind == "Cluster"]
    allowed = fleet_schema()["definitions"]["poolDefaults"]["properties"]
    schema_defaults = pool_defaults()
    keys = allowed.keys() - _OWN - set(chain.from_iterable(map(_overridden, pools)))
    common = {
        "stack": _common([document.spec.get("stack", {}) for document in clusters]),
        "pool": _common([_with_schema_defaults(document.spec, schema_defaults, keys) for document in pools]),
    }
    defaults = {key: values for key, values in common.items() if values}
    if not defaults:
        return list(documents)
    notes = dict(_notes(clusters, common["stack"]))
    moved: list[ClusterDocument] = []
    for cluster, document in documents:
        without = _without(document, defaults, schema_defaults)
        if document.kind == "Fleet":
            without = without._replace(comments={**without.comments, **notes})
        moved.append(ClusterDocument(cluster, without))
    return moved


def _notes(clusters: Sequence[SpecDocument], stack: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    """The comments at stack values that move from Clusters to the Fleet, by their new place."""
    for document in clusters:
        for pointer, note in document.comments.items():
            value = reach(stack, *pointer[2:]) if pointer[:2] == ("spec", "stack") else None
            if value is not None and value == reach(document.spec, *pointer[1:]):
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


def _common(values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The values that more than half of the mappings share, for keys that all of them have."""
    if len(values) < _MIN_DOCUMENTS:
        return {}
    common: dict[str, Any] = {}
    for path in _paths(values[0]):
        found = [reach(value, *path) for value in values]
        if None in found or path in _OWN_LIFETIMES:
            continue
        # By count, because lists among the values have no hash.
        most_frequent = max(found, key=found.count)
        if found.count(most_frequent) * 2 > len(found):
            _put(common, path, most_frequent)
    return common


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
        different = _beyond(defaults, {"pool": schema_defaults})
        return document._replace(spec={**spec, "defaults": different} if different else spec)
    if "stack" in spec:
        spec["stack"] = _beyond(spec["stack"], defaults.get("stack", {}))
    if document.kind == "GpuPool":
        of_fleet = defaults.get("pool", {})
        written = set(spec)
        if spec.get("os") == "windows":
            written.update(_LINUX)
        unwritten = {key: value for key, value in schema_defaults.items() if key not in written}
        overridden = {key: value for key, value in unwritten.items() if key in of_fleet}
        spec = in_order(_beyond({**spec, **overridden}, of_fleet))
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
