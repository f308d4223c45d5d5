"""Queues and quotas of a running cluster to GpuTeams.

A team is adopted only if its document, once compiled and patched, generates objects that are equal to those that run.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from gitgpu.adopt.adoption import Destination, Fate, Outcome, Part, SpecDocument
from gitgpu.adopt.stack.view import View
from gitgpu.adopt.teams.compiled import CompiledTeams, compile_teams, fault
from gitgpu.adopt.teams.draft import Draft
from gitgpu.adopt.teams.equality import difference
from gitgpu.adopt.teams.from_queues import queue_drafts
from gitgpu.adopt.teams.from_quotas import quota_drafts
from gitgpu.adopt.teams.patches import with_patch
from gitgpu.adopt.teams.running import Key, Running, running_queues, title
from gitgpu.adopt.teams.site import Site, site_of
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import (
    CLUSTER_QUEUE,
    LOCAL_QUEUE,
    PRIORITY_CLASS,
    RESOURCE_FLAVOR,
    RESOURCE_QUOTA,
)
from gitgpu.objects.queues.flavors import MANAGED_PREFIX

_OF_AKS = "the Kueue extension of AKS generates it"
_UNUSED = "no adopted team uses it"
_OWN = (CLUSTER_QUEUE.kind, LOCAL_QUEUE.kind, RESOURCE_QUOTA.kind)


def teams(view: View, documents: Sequence[SpecDocument]) -> Part:
    """The GpuTeams of a cluster. `documents` are its Fleet, its Cluster with its stack, and its GpuPools."""
    running = running_queues(view.cluster.objects)
    site = site_of(documents, view) if running.objects else None
    if site is None:
        return Part()
    drafts = list(queue_drafts(running, site) if site.has_kueue else quota_drafts(running, site))
    decided = _decided(drafts, site, running)
    generated = compile_teams(site, [draft for draft in decided if not draft.reason])
    documents = tuple(site.document(draft) for draft in decided if not draft.reason)
    return Part(documents, tuple(_outcomes(running, decided, generated, site)))


def _decided(drafts: Sequence[Draft], site: Site, running: Running) -> list[Draft]:
    """The drafts, each with the reason why it is not adopted, if there is one.

    What a team generates can depend on the other teams, so the rest is compared again without those that differ.
    """
    decided = list(drafts)
    while True:
        adopted_drafts = [draft for draft in decided if not draft.reason]
        generated = compile_teams(site, adopted_drafts)
        changed = {draft.name: _checked(draft, generated, running, site) for draft in adopted_drafts}
        if all(changed[draft.name] == draft for draft in adopted_drafts):
            return decided
        decided = [changed.get(draft.name, draft) if not draft.reason else draft for draft in decided]


def _checked(draft: Draft, generated: CompiledTeams, running: Running, site: Site) -> Draft:
    """The draft as it is if it generates what runs; else with patches, or with the reason why it is not adopted."""
    if draft.name not in generated.own:
        return draft._replace(reason=fault(site, draft))
    for key, body in generated.of(draft):
        observed = running.objects.get(key)
        if observed is None:
            if key not in generated.shared:  # a further Cohort or AdmissionCheck changes nothing
                return draft._replace(reason=_absent(key, draft, running))
        elif differing := difference(observed.body, body):
            better = with_patch(draft, observed.body, body) if key[0] in _OWN else None
            if better is None or draft.patches_of(key):
                where = "" if observed is draft.observed else f" of {observed.name}"
                return draft._replace(reason=f"a GpuTeam would change {' and '.join(differing)}{where}")
            return better
    return draft


def _absent(key: Key, draft: Draft, running: Running) -> str:
    kind, namespace, name = key
    if kind == LOCAL_QUEUE.kind:
        others = [other for other in running.local_queues(draft.name) if other[1] == namespace]
        if others:
            return f"its LocalQueue in namespace {namespace} is {others[0][2]}, and a GpuTeam names it {name}"
    return f"a GpuTeam would add {title(key)}"


def _outcomes(running: Running, decided: Iterable[Draft], generated: CompiledTeams, site: Site) -> Iterator[Outcome]:
    """An outcome for each queue and quota, in the order of the input."""
    by_name = {draft.name: draft for draft in decided}
    owners = {key: draft for draft in decided if not draft.reason for key, _ in generated.of(draft)}
    named = set(chain.from_iterable(draft.flavors for draft in decided if not draft.reason))
    for key, observed in running.objects.items():
        owner = owners.get(key)
        if owner:
            where = Destination("GpuTeam", owner.name, (), site.cluster.name)
            yield Outcome(observed, Fate.ADOPTED, "a GpuTeam generates the same object", (), where)
        elif observed.body.get("kind") in (CLUSTER_QUEUE.kind, RESOURCE_QUOTA.kind):
            yield from _left_queue(observed, by_name.get(key[2]))
        elif key[0] != PRIORITY_CLASS.kind:
            yield Outcome(observed, Fate.LEFT, _why_left(key, observed, by_name, named, site))


def _left_queue(observed: Observed, draft: Draft | None) -> Iterator[Outcome]:
    if draft is not None:
        fate = Fate.LEFT if draft.unrelated else Fate.INEXPRESSIBLE
        yield Outcome(observed, fate, f"it stays with its owner: {draft.reason}")
    elif observed.body.get("kind") == CLUSTER_QUEUE.kind:
        yield Outcome(observed, Fate.LEFT, "with queues: none, gitgpu writes nothing for Kueue")


def _why_left(key: Key, observed: Observed, drafts: Mapping[str, Draft], named: set[str], site: Site) -> str:
    kind, _, name = key
    if name.startswith(MANAGED_PREFIX):
        return _OF_AKS
    if not site.has_kueue:
        return "with queues: none, gitgpu writes nothing for Kueue"
    if kind == RESOURCE_FLAVOR.kind and name in named:
        return "the quota of a GpuTeam names it, and it stays with its owner"
    if kind == LOCAL_QUEUE.kind:
        queue = str((observed.body.get("spec") or {}).get("clusterQueue"))
        draft = drafts.get(queue)
        return (
            f"its ClusterQueue {queue} stays with its owner"
            if not draft or draft.reason
            else (f"workloads can name it as well as the LocalQueue {queue}, which is that of the team")
        )
    return _UNUSED
