"""Containers of running DaemonSets that stay as they are, although gitgpu now sets their requests and limits.

A DaemonSet of an earlier build has none, or no limits. With them, each of its pods would restart in the first build.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, rows
from gitgpu.adopt.adoption import Adopted, ClusterDocument, Destination, Fate, Outcome
from gitgpu.adopt.compiled import output_of
from gitgpu.inventory.observed import Observed
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.kinds import DAEMON_SET
from gitgpu.objects.objects import Identity, identity

_POD = ("spec", "template", "spec")
_GROUPS = ("containers", "initContainers")
_COMMENT = "the pods of these DaemonSets run without requests or limits, and restart once when a patch is removed"
_REASON = "its pods run without requests or limits that gitgpu would set"


class _Kept(NamedTuple):
    """A running DaemonSet, and the part of a pod that keeps its containers as they are."""

    observed: Observed
    pod: dict[str, list[dict[str, Any]]]


def with_kept_containers(fleet: Adopted, inputs: Inputs | None, running: Mapping[str, Iterable[Observed]]) -> Adopted:
    """The fleet with patches for the DaemonSets that run. `running` are the objects by the name of their Cluster."""
    documents, outcomes = list(fleet.documents), list(fleet.outcomes)
    for cluster in inputs.clusters if inputs else ():
        daemons = {
            identity(seen.body): seen
            for seen in running.get(cluster.name, ())
            if seen.body.get("kind") == DAEMON_SET.kind
        }
        if inputs and daemons:
            bodies = (manifest.body for manifest in output_of(inputs, cluster).manifests)
            kept = list(_kept(daemons, bodies))
            documents = [_with_patches(entry, cluster.name, kept) for entry in documents]
            into = Destination("Cluster", cluster.name, ("spec", "patches"))
            outcomes += [Outcome(each.observed, Fate.INFERRED, _REASON, _POD, into) for each in kept]
    return fleet._replace(documents=tuple(documents), outcomes=tuple(outcomes))


def _kept(running: Mapping[Identity, Observed], bodies: Iterable[Mapping[str, Any]]) -> Iterator[_Kept]:
    for body in bodies:
        seen = running.get(identity(body))
        if seen:
            pod = {group: list(_without_resources(group, body, seen.body)) for group in _GROUPS}
            if any(pod.values()):
                yield _Kept(seen, {group: containers for group, containers in pod.items() if containers})


def _without_resources(group: str, new: Mapping[str, Any], old: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The containers that run without requests and limits, or without limits, as entries of a strategic merge patch."""
    running = {container.get("name"): mapping_at(container, "resources") for container in rows(old, *_POD, group)}
    for container in list_at(new, *_POD, group):
        name, own = container["name"], mapping_at(container, "resources")
        if own and name in running and not running[name]:
            yield {"name": name, "resources": None}
        elif own and running.get(name) == {"requests": own.get("requests")} != own:
            yield {"name": name, "resources": {"limits": None}}


def _with_patches(entry: ClusterDocument, cluster: str, kept: list[_Kept]) -> ClusterDocument:
    document = entry.document
    if document.kind != "Cluster" or document.name != cluster or not kept:
        return entry
    patches = list_at(document.spec, "patches")
    place = ("spec", "patches")
    comments = {**document.comments, place: f"{document.comments.get(place, '')} Kept: {_COMMENT}.".lstrip()}
    for each in kept:
        name = mapping_at(each.observed.body, "metadata")["name"]
        patch = {"spec": {"template": {"spec": each.pod}}}
        patches = [*patches, {"target": {"kind": DAEMON_SET.kind, "name": name}, "patch": patch}]
    spec = {**document.spec, "patches": patches}
    return entry._replace(document=document._replace(spec=spec, comments=comments))
