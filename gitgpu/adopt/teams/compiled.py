"""What the documents of teams generate, after their patches."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import text_at
from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.compiled import data, link_documents
from gitgpu.adopt.teams.draft import Draft
from gitgpu.adopt.teams.equality import difference
from gitgpu.adopt.teams.running import Key, Running, key_of
from gitgpu.adopt.teams.site import Site, selection
from gitgpu.emit import emit, emitters
from gitgpu.emit.manifest import Manifest
from gitgpu.load.spec.shape import document_faults
from gitgpu.model.names.kinds import (
    ADMISSION_CHECK,
    CLUSTER_QUEUE,
    COHORT,
    LOCAL_QUEUE,
    PRIORITY_CLASS,
    PROVISIONING_REQUEST_CONFIG,
    RESOURCE_FLAVOR,
    RESOURCE_QUOTA,
    TOPOLOGY,
)
from gitgpu.model.team_quotas import Unit
from gitgpu.patch import apply_patches
from gitgpu.plan.cluster_plan import plan

_EMITTERS = (
    ADMISSION_CHECK.kind,
    CLUSTER_QUEUE.kind,
    LOCAL_QUEUE.kind,
    PRIORITY_CLASS.kind,
    RESOURCE_FLAVOR.kind,
    RESOURCE_QUOTA.kind,
)
_SHARED = (COHORT.kind, RESOURCE_FLAVOR.kind, TOPOLOGY.kind, ADMISSION_CHECK.kind, PROVISIONING_REQUEST_CONFIG.kind)
_ANY = "any"  # what names of teams that generate every flavor begin with


class CompiledTeams(NamedTuple):
    """The objects that teams generate: those of each team by its name, and those that teams share."""

    own: Mapping[str, Mapping[Key, Mapping[str, Any]]]
    shared: Mapping[Key, Mapping[str, Any]]

    def of(self, draft: Draft) -> Iterator[tuple[Key, Mapping[str, Any]]]:
        """What a team needs: the objects that it shares, and its own."""
        yield from self.shared.items()
        yield from self.own.get(draft.name, {}).items()


def compile_teams(site: Site, drafts: Sequence[Draft]) -> CompiledTeams:
    """What these teams generate together. An invalid draft generates nothing."""
    own: dict[str, dict[Key, Mapping[str, Any]]] = {}
    shared: dict[Key, Mapping[str, Any]] = {}
    teams = {draft.name: draft for draft in drafts}
    for manifest in _manifests(site, [site.document(draft) for draft in drafts]):
        key = key_of(manifest.body)
        if key[0] in _SHARED:
            shared[key] = manifest.body
        else:
            name = _team_of(key, teams)
            own.setdefault(name, {})[key] = manifest.body
    return CompiledTeams(own, shared)


def _team_of(key: Key, teams: Collection[str]) -> str:
    """The team of an object: its own name, or that of a class without the priority."""
    name = key[2]
    return name if name in teams else max((team for team in teams if name.startswith(f"{team}-")), key=len)


def fault(site: Site, draft: Draft) -> str:
    """Why a team generates nothing."""
    faults = document_faults(data(site.document(draft)))
    if not faults:
        return "the fleet has no pool of its quota"
    return f"{'.'.join(map(str, faults[0].pointer))}: {faults[0].message}"


def equal_flavors(running: Running, site: Site) -> set[str]:
    """The running flavors that gitgpu would generate, with their topologies, as they are.

    Whether a flavor has a topology depends on the other pools of its teams.
    """
    by_pool: dict[str, list[Unit]] = {}
    for unit in site.units:
        by_pool.setdefault(unit.pool.name, []).append(unit)
    found = _equal_flavors(_generated(by_pool.values(), site), running)
    return found | _equal_flavors(_generated([site.units], site), running)


def _generated(teams: Iterable[Iterable[Unit]], site: Site) -> Mapping[Key, Mapping[str, Any]]:
    """What teams with quotas of these units generate."""
    documents = []
    for number, units in enumerate(teams):
        quota = [{**selection(unit), "gpus": 0} for unit in units]
        name = f"{_ANY}-{number}"
        documents.append(SpecDocument("GpuTeam", name, {"namespaces": [name], "quota": quota}))
    return {key_of(manifest.body): manifest.body for manifest in _manifests(site, documents)}


def _equal_flavors(bodies: Mapping[Key, Mapping[str, Any]], running: Running) -> set[str]:
    same = {
        key
        for key, body in bodies.items()
        if key in running.objects and not difference(running.objects[key].body, body)
    }
    found: set[str] = set()
    for key in same:
        topology = text_at(bodies[key], "spec", "topologyName")
        if key[0] == RESOURCE_FLAVOR.kind and (not topology or (TOPOLOGY.kind, "", topology) in same):
            found.add(key[2])
    return found


def _manifests(site: Site, documents: Sequence[SpecDocument]) -> Sequence[Manifest]:
    inputs = link_documents([*site.common, *documents], site.inputs.catalog)
    cluster = next(iter(inputs.clusters_named([site.cluster.name])), None) if inputs else None
    if inputs is None or cluster is None:
        return ()
    planned = plan(inputs, cluster)
    wanted_emitters = tuple(emitter for emitter in emitters() if emitter.name in _EMITTERS)
    return apply_patches(emit(planned, wanted_emitters), planned).manifests
