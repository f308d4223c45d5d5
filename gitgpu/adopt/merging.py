"""Merges the documents of a pool on several clusters into one, with overrides for the few keys that differ."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.adopt.adoption import ClusterDocument, SpecDocument
from gitgpu.adopt.readable_spec import in_order
from gitgpu.source import Pointer

MAX_DIFFERENCES = 3  # a pool is one document if it differs between clusters in at most this many values


class Placed(NamedTuple):
    """A document of one cluster; `driver` is the driver of the cluster's stack."""

    cluster: str
    document: SpecDocument
    driver: str = ""


def merge_documents(placed: Iterable[Placed]) -> list[ClusterDocument]:
    """The merged documents."""
    groups: dict[tuple[str, str, str], list[Placed]] = {}
    for entry in placed:
        document = entry.document
        groups.setdefault((document.kind, document.namespace, document.name), []).append(entry)
    documents: list[ClusterDocument] = []
    for _, group in sorted(groups.items(), key=lambda pair: pair[0]):
        documents += _merged(_with_drivers(group))
    return documents


def _with_drivers(group: Sequence[Placed]) -> list[Placed]:
    """The documents with the driver written out if it differs between the stacks, so that they can be merged."""
    if len({entry.driver for entry in group}) == 1 or group[0].document.kind != "GpuPool":
        return list(group)
    spelled_out = []
    for entry in group:
        spec = in_order({"driver": entry.driver, **entry.document.spec})
        spelled_out.append(entry._replace(document=entry.document._replace(spec=spec)))
    return spelled_out


def _merged(group: Sequence[Placed]) -> Iterator[ClusterDocument]:
    """Merges documents with the same metadata. Clusters that differ in more than a few values stay separate."""
    remaining = list(group)
    while remaining:
        base = _most_frequent(remaining)
        similar, others = list[Placed](), list[Placed]()
        for entry in remaining:
            (similar if entry is base or _is_similar(base, entry) else others).append(entry)
        remaining = others
        cluster = similar[0].cluster if len(similar) == 1 else ""
        yield ClusterDocument(cluster, _joined(base, similar))


def _most_frequent(group: Sequence[Placed]) -> Placed:
    specs = [without_clusters(entry.document.spec) for entry in group]
    return max(group, key=lambda entry: specs.count(without_clusters(entry.document.spec)))


def without_clusters(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The spec without the keys that say which clusters it applies to."""
    return {key: value for key, value in spec.items() if key not in ("clusters", "overrides")}


def _is_similar(base: Placed, other: Placed) -> bool:
    first, second = base.document, other.document
    # An override sets keys of the spec, not labels or annotations.
    same = first._replace(spec={}, comments={}) == second._replace(spec={}, comments={})
    patch = difference(without_clusters(first.spec), without_clusters(second.spec))
    # A workload has one document for all clusters, but a pool can have several.
    return same and (first.kind == "GpuWorkload" or len(list(_leaves(patch))) <= MAX_DIFFERENCES)


def _joined(base: Placed, similar: Sequence[Placed]) -> SpecDocument:
    """One document for several clusters, with an override for each group of clusters that differs in the same way."""
    document, base_spec = base.document, without_clusters(base.document.spec)
    names = sorted(entry.cluster for entry in similar)
    spec = {"clusters": names, **base_spec} if document.kind == "GpuPool" else dict(base_spec)
    patches: list[tuple[dict[str, Any], list[str]]] = []
    for entry in sorted(similar):
        patch = difference(base_spec, without_clusters(entry.document.spec))
        # Clusters that differ in the same way share one override.
        sharing = next((clusters for other, clusters in patches if other == patch), None)
        if patch and sharing is None:
            patches.append((patch, [entry.cluster]))
        elif sharing is not None:
            sharing.append(entry.cluster)
    if patches:
        spec["overrides"] = [{"clusters": clusters, "set": patch} for patch, clusters in patches]
    return document._replace(spec=spec, comments=_comments(base, similar))


def _comments(base: Placed, similar: Sequence[Placed]) -> dict[Pointer, str]:
    heads = [entry.document.comments.get((), "") for entry in sorted(similar)]
    return {**base.document.comments, (): "\n".join(dict.fromkeys(head for head in heads if head))}


def difference(base: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The merge patch (RFC 7386) that turns `base` into `other`."""
    patch: dict[str, Any] = {key: None for key in base if key not in other}
    for key, value in other.items():
        before = base.get(key)
        if key in base and before == value:
            continue
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        patch[key] = difference(before, value) if both else value  # type: ignore[arg-type]
    return patch


def _leaves(value: Mapping[str, Any]) -> Iterator[Any]:
    for inner in value.values():
        if isinstance(inner, Mapping):
            yield from _leaves(inner)
        else:
            yield inner
