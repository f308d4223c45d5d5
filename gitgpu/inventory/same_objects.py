"""Several documents about the same object: which of them is kept, and whether they contradict each other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from gitgpu.access import text_at
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.kubernetes_objects import POOLS
from gitgpu.inventory.observed import Azure, Observed, ObservedCluster, Skipped
from gitgpu.load.null_fields import without_null
from gitgpu.model.names.kinds import HELM_VALUES, MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL, group_kind
from gitgpu.spelling import count_text

LAYOUT = "put the files of each cluster in clusters/NAME/, or in a folder with its `az aks show`"
_FACTS = {  # what can change in a running cluster, by the name of the field in `Azure`
    "kubernetes": "Kubernetes version",
    "provisioner": "node auto-provisioning",
    "sku": "SKU",
    "network": "network",
    "addons": "addons",
    "keeps": "profile of the cluster autoscaler",
    "pools": "node pools",
}
_ByFiles: TypeAlias = dict[tuple[str, str], list[tuple[Observed, Observed]]]


def each_once(all_objects: Iterable[Observed], skipped: list[Skipped], faults: list[Diagnostic]) -> list[Observed]:
    """Each object once, in order of kind and name. Running objects have precedence, and gitgpu's own files are last."""
    by_key: dict[tuple[str, ...], Observed] = {}
    clashes: _ByFiles = {}
    repeated: _ByFiles = {}
    for observed in _with_values(list(all_objects)):
        key = _key(observed)
        other = by_key.setdefault(key, observed)
        if other is observed:
            continue
        if _yields(other, observed) or _is_same(other, observed):
            first, second = sorted((other, observed), key=_precedence)
            by_key[key] = first if first.owner.tool else first._replace(owner=second.owner)
            if second.places.span() != first.places.span():  # two controllers may apply the same file
                _add(repeated, first, second)
        elif other.live or group_kind(other.body) in POOLS:
            _add(clashes, other, observed)
        else:  # steps or alternatives in a repository
            skipped.append(_alternative(observed, other))
    skipped += [_repeat(pairs) for pairs in repeated.values()]
    faults += [_clash(pairs) for pairs in clashes.values()]
    return [by_key[key] for key in sorted(by_key)]


def states_of_one_cluster(clusters: Iterable[ObservedCluster]) -> Iterator[Diagnostic]:
    """A fault for two clusters that have the same object: UIDs are unique, so these are two exports of one cluster."""
    first: dict[str, tuple[str, Observed]] = {}
    reported: set[tuple[str, str]] = set()
    for cluster in clusters:
        for observed in cluster.objects:
            if not observed.uid:
                continue
            name, other = first.setdefault(observed.uid, (cluster.name, observed))
            if name == cluster.name or (name, cluster.name) in reported:
                continue
            reported.add((name, cluster.name))
            both = f"{name} and {cluster.name} are two exports of the same cluster"
            message = f"{observed.name} has the UID of {other.name} at {other.places.span()}: {both}"
            yield Diagnostic("IMP006", Severity.ERROR, message, "pass only the newest export", observed.places.span())


def states_in_azure(name: str, parts: Iterable[Azure]) -> Iterator[Diagnostic]:
    """A fault for each document of Azure that contradicts the first one about the same running cluster."""
    first: Azure | None = None
    for part in parts:
        if part.pools is None or part.span is None:
            continue
        first = first or part
        different = [words for field, words in _FACTS.items() if getattr(part, field) != getattr(first, field)]
        if different:
            message = f"cluster {name} is different at {first.span} ({', '.join(different)})"
            message += ": these are two clusters, or two states of the same cluster"
            remedy = "pass only the newest output of `az aks show`"
            yield Diagnostic("IMP006", Severity.ERROR, message, remedy, part.span)


def possibly_one_cluster(clusters: Sequence[ObservedCluster]) -> Iterator[Diagnostic]:
    """A fault for NodePools of a cluster without documents from Azure, if Azure has one whose NodePools are missing.

    With node auto-provisioning, AKS creates NodePools: an export that has none is not complete.
    """
    without_azure: list[tuple[ObservedCluster, Observed]] = []
    without_pools: list[ObservedCluster] = []
    for cluster in clusters:
        pool = next((observed for observed in cluster.objects if group_kind(observed.body) == NODE_POOL), None)
        if pool and cluster.name and not (cluster.azure.resource_id or cluster.azure.provisioner):
            without_azure.append((cluster, pool))
        elif not pool and cluster.azure.resource_id and cluster.azure.provisioner == "nap":
            without_pools.append(cluster)
    for cluster, pool in without_azure if without_pools else ():
        names = " or ".join(other.name for other in without_pools)
        files = " or ".join(str(other.azure.span.file) for other in without_pools if other.azure.span)
        message = f"{pool.name} is of {cluster.name}, which is possibly {names}: that has no NodePools in the input"
        remedy = f"if it is, move {files} to the folder of this file; if not, import them separately"
        yield Diagnostic("IMP023", Severity.ERROR, message, remedy, pool.places.span())


def clusters_without_node_pools(clusters: Iterable[ObservedCluster]) -> Iterator[Diagnostic]:
    """A warning for each cluster in which AKS has created NodePools, if the input has none of it."""
    for cluster in clusters:
        has_pools = any(group_kind(observed.body) == NODE_POOL for observed in cluster.objects)
        if cluster.azure.makes_pools and cluster.azure.span and not has_pools:
            message = f"{cluster.name} has node auto-provisioning, but the input has none of its NodePools"
            remedy = (
                "pass the output of `kubectl get nodepools,aksnodeclasses -o yaml` too: the fleet lacks those with GPUs"
            )
            yield Diagnostic("IMP024", Severity.WARNING, message, remedy, cluster.azure.span)


def _precedence(observed: Observed) -> tuple[bool, bool]:
    """Running objects come first, and files that gitgpu generated last."""
    return not observed.live, observed.generated


def _yields(first: Observed, other: Observed) -> bool:
    """Whether one of two documents about an object has precedence, so that a difference contradicts nothing."""
    return _precedence(first) != _precedence(other)


def _is_same(first: Observed, other: Observed) -> bool:
    """Whether the documents say the same about the same object. Pools of two clusters can be equal, except for UIDs."""
    two_clusters = group_kind(first.body) in POOLS and first.uid and other.uid and first.uid != other.uid
    return not two_clusters and _compared(first.body) == _compared(other.body)


def _alternative(observed: Observed, other: Observed) -> Skipped:
    reason = f"another definition of the object is read from {other.places.span()}"
    return Skipped(observed.name, observed.places.span(), reason)


def _add(pairs: _ByFiles, first: Observed, other: Observed) -> None:
    files = first.places.span().file, other.places.span().file
    pairs.setdefault(files, []).append((first, other))


def identity_of(body: Mapping[str, Any]) -> tuple[str, ...]:
    """The identity of an object in its cluster. A node pool is identified by its name in Azure."""
    group, kind = group_kind(body)
    meta = body.get("metadata")
    if kind == MANAGED_CLUSTERS_AGENT_POOL.kind:
        return group, kind, "", text_at(body, "spec", "azureName") or text_at(meta, "name")
    if kind == HELM_VALUES.kind:
        return group, kind, text_at(body, "namespace"), text_at(body, "release") or text_at(body, "chart")
    return group, kind, text_at(meta, "namespace"), text_at(meta, "name")


def _key(observed: Observed) -> tuple[str, ...]:
    """The identity as a key. Values files (a release can have several) and objects without a name have unique keys."""
    identity = identity_of(observed.body)
    bare = not identity[-1] or (observed.body["kind"] == HELM_VALUES.kind and not text_at(observed.body, "release"))
    return (*identity, str(observed.places.span())) if bare else identity


def _compared(body: Mapping[str, Any]) -> Any:
    """The object without what is not compared: null, and the count of an autoscaled pool, which changes by itself."""
    spec = body.get("spec")
    if body["kind"] == MANAGED_CLUSTERS_AGENT_POOL.kind and isinstance(spec, dict) and spec.get("enableAutoScaling"):
        return without_null({**body, "spec": {key: value for key, value in spec.items() if key != "count"}})
    return without_null(dict(body))


def _with_values(all_objects: list[Observed]) -> list[Observed]:
    """The objects, with values for releases from `helm list`: from `helm status` or a file."""
    with_values = [observed for observed in all_objects if _is_helm(observed) and not _is_named_only(observed)]
    by_chart: dict[str, list[Observed]] = {}
    for file in filter(_is_file, with_values):
        by_chart.setdefault(file.body["chart"], []).append(file)
    releases = {identity_of(release.body) for release in with_values}
    objects: list[Observed] = []
    used: set[int] = set()  # by id: bodies cannot be hashed
    for observed in all_objects:
        if not _is_named_only(observed):
            objects.append(observed)
        elif identity_of(observed.body) not in releases:
            files = by_chart.get(observed.body["chart"], [])
            if len(files) == 1:
                used.add(id(files[0]))
                objects.append(_filled(observed, files[0]))
            else:
                objects.append(observed)
    return [observed for observed in objects if id(observed) not in used]


def _is_helm(observed: Observed) -> bool:
    return bool(observed.body["kind"] == HELM_VALUES.kind)


def _is_named_only(observed: Observed) -> bool:
    """Whether this is a release from `helm list`, which prints no values."""
    return _is_helm(observed) and observed.body.get("whole") is False


def _filled(release: Observed, values: Observed) -> Observed:
    """A release with the values of a file."""
    body = {**release.body, "values": values.body["values"], "whole": True}
    return release._replace(body=body, places=values.places)


def _is_file(observed: Observed) -> bool:
    """Whether these are values of a chart without a release. The values files of a known release name no chart."""
    return "release" not in observed.body and "id" not in observed.body


def _repeat(pairs: Sequence[tuple[Observed, Observed]]) -> Skipped:
    """One note for two files with the same content, however many objects they share."""
    kept, left = pairs[0]
    more = f" (and {count_text(len(pairs) - 1, 'other object')})" if len(pairs) > 1 else ""
    return Skipped(f"{left.name}{more}", left.places.span(), f"the same object is read from {kept.places.span()}")


def _clash(pairs: Sequence[tuple[Observed, Observed]]) -> Diagnostic:
    """One finding for two files, however many objects differ between them."""
    first, other = pairs[0]
    place, more = first.places.span(), len(pairs) - 1
    others = f" (and {count_text(more, 'other object')})" if more else ""
    message = f"{other.name}{others} is different at {place}: these are two clusters, or two states of the same cluster"
    remedy = f"pass only the running state, import each with `--cluster NAME`, or {LAYOUT}"
    return Diagnostic("IMP006", Severity.ERROR, message, remedy, other.places.span())
