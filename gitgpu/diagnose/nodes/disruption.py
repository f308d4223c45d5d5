"""What Karpenter does with a node that works: why it is not consolidated or replaced, and when it expires.

The order is that of NewCandidate in pkg/controllers/disruption/types.go, ShouldDisrupt in consolidation.go and
emptiness.go, and BuildDisruptionBudgetMapping in helpers.go of kubernetes-sigs/karpenter v1.14.0.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.diagnose.cause import EXPIRES, NOT_CONSOLIDATED, NOT_REPLACED, Answer, Cause, Evidence, subject_of
from gitgpu.diagnose.nodes.blocking import Blocker, blockers, pods_on, runs_pods
from gitgpu.diagnose.nodes.budgets import closed_budgets
from gitgpu.diagnose.nodes.claims import Claim
from gitgpu.diagnose.reading.clock import seconds, stamp
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.model.names.kinds import NODE, NODE_POOL
from gitgpu.model.symptoms import rules_of
from gitgpu.model.syntax.duration import seconds as length
from gitgpu.objects.objects import Item

_NEVER, _EMPTY, _DRIFTED, _UNDERUSED = "Never", "Empty", "Drifted", "Underutilized"


class Kept(NamedTuple):
    """The answers about nodes that work; `idle` are those about nodes on which nothing runs, and which stay."""

    every: tuple[Answer, ...]
    idle: tuple[Answer, ...]


class _Candidate(NamedTuple):
    """A node of Karpenter with its NodeClaim and its NodePool."""

    node: Item
    claim: Claim
    pool: Item
    state: State

    @property
    def title(self) -> str:
        return f"NodePool {self.pool.identity.name}"


def kept_nodes(claims: Iterable[Claim], state: State) -> Kept:
    """The answers about every initialized node of Karpenter that is not being removed."""
    every: list[Answer] = []
    idle: list[Answer] = []
    for candidate in _candidates(claims, state):
        every += _lifetime(candidate)
        if not pods_on(candidate.node, state):
            continue  # every node runs pods of DaemonSets, so the dump lacks pods
        consolidated = _consolidated(candidate)
        every += filter(None, (_replaced(candidate), consolidated))
        if consolidated and not runs_pods(candidate.node, state) and not _wait_blocker(candidate):
            idle.append(consolidated)
    return Kept(tuple(every), tuple(idle))


def _candidates(claims: Iterable[Claim], state: State) -> Iterator[_Candidate]:
    nodes: Mapping[str, Item] = {node.identity.name: node for node in state.objects.of(*NODE)}
    pools = {pool.identity.name: pool for pool in state.objects.of(*NODE_POOL)}
    for claim in claims:
        node, pool = nodes.get(claim.node), pools.get(claim.pool)
        if node and pool and not claim.waits and not _is_removed(node, claim):
            yield _Candidate(node, claim, pool, state)


def _is_removed(node: Item, claim: Claim) -> bool:
    """Whether Karpenter has begun to remove the node, or it was deleted."""
    begun = condition(claim.item, "DisruptionReason")
    deleted = claim.deleted or bool(reach(node.body, "metadata", "deletionTimestamp"))
    return deleted or (begun is not None and begun.status == "True")


def _replaced(candidate: _Candidate) -> Answer | None:
    """Why a node that has drifted is not replaced."""
    drifted = condition(candidate.claim.item, _DRIFTED)
    if drifted is None or drifted.status != "True":
        return None
    forced = reach(candidate.claim.item.body, "spec", "terminationGracePeriod")
    found = _node_blocker(candidate) or (None if forced else next(blockers(candidate.node, candidate.state), None))
    found = found or closed_budgets(candidate.pool, _DRIFTED, candidate.state)
    if found is None:
        return None
    message = f"Karpenter does not replace the node, which has drifted ({drifted.reason}): {found.message}"
    evidence = (Evidence(subject_of(candidate.claim.item).full_name, str(drifted)), found.evidence)
    return _answer(candidate, NOT_REPLACED, found._replace(message=message), *evidence)


def _consolidated(candidate: _Candidate) -> Answer | None:
    """Why a node is not consolidated."""
    found = (
        _policy_blocker(candidate)
        or _node_blocker(candidate)
        or next(blockers(candidate.node, candidate.state), None)
        or _wait_blocker(candidate)
        or closed_budgets(candidate.pool, _reason(candidate), candidate.state)
        or _event_blocker(candidate)
    )
    if found is None:
        return None
    message = f"Karpenter does not consolidate the node: {found.message}"
    return _answer(candidate, NOT_CONSOLIDATED, found._replace(message=message), found.evidence)


def _reason(candidate: _Candidate) -> str:
    return _UNDERUSED if runs_pods(candidate.node, candidate.state) else _EMPTY


def _answer(candidate: _Candidate, verdict: str, found: Blocker, *evidence: Evidence) -> Answer:
    cause = Cause(verdict, found.message, found.remedy, rules=found.rules, normal=True)
    return Answer(subject_of(candidate.node), cause, evidence, (candidate.node.identity.name,))


def _policy_blocker(candidate: _Candidate) -> Blocker | None:
    disruption = mapping_at(candidate.pool.body, "spec", "disruption")
    if disruption.get("consolidateAfter") == _NEVER:
        message = f"{candidate.title} has consolidation turned off"
        evidence = Evidence(candidate.title, f"consolidateAfter: {_NEVER}")
        return Blocker(message, "set consolidateAfter to a time", evidence)
    policy = disruption.get("consolidationPolicy")
    if policy == "WhenEmpty" and runs_pods(candidate.node, candidate.state):
        message = f"{candidate.title} only consolidates empty nodes, and pods run on it"
        evidence = Evidence(candidate.title, f"consolidationPolicy: {policy}")
        return Blocker(message, "set consolidationPolicy to WhenEmptyOrUnderutilized if pods may move", evidence)
    return None


def _node_blocker(candidate: _Candidate) -> Blocker | None:
    name = candidate.node.identity.name
    if text_at(candidate.node.body, "metadata", "annotations", DO_NOT_DISRUPT_ANNOTATION) != "true":
        return None
    return Blocker(
        f"it has the annotation {DO_NOT_DISRUPT_ANNOTATION}",
        f"remove the annotation: kubectl annotate node {name} {DO_NOT_DISRUPT_ANNOTATION}-",
        Evidence(f"Node {name}", f'{DO_NOT_DISRUPT_ANNOTATION}: "true"'),
    )


def _wait_blocker(candidate: _Candidate) -> Blocker | None:
    """The wait after the last pod started or ended there."""
    item, after = candidate.claim.item, text_at(candidate.pool.body, "spec", "disruption", "consolidateAfter")
    initialized = condition(item, "Initialized")
    last = text_at(item.body, "status", "lastPodEventTime") or (initialized.since if initialized else "")
    start = seconds(last)
    if start is None or candidate.state.now is None or candidate.state.now >= start + length(after):
        return None
    message = f"consolidateAfter is {after}, and a pod last started or ended there at {last}"
    when = stamp(start + length(after))
    return Blocker(message, f"wait until {when}", Evidence(subject_of(item).full_name, f"lastPodEventTime: {last}"))


def _event_blocker(candidate: _Candidate) -> Blocker | None:
    """What Karpenter said last about the node."""
    for event in candidate.state.events_of(candidate.node):
        if event.reason == "Unconsolidatable":
            evidence = Evidence(subject_of(candidate.node).full_name, f"event {event.reason}: {event.message}")
            said = event.message[:1].lower() + event.message[1:]
            rules = rules_of("cheaper-node", candidate.state.objects.catalog) if "cheaper" in said else ()
            return Blocker(said, "nothing, unless the node is nearly empty", evidence, rules)
    return None


def _lifetime(candidate: _Candidate) -> Iterator[Answer]:
    """When a node expires."""
    item, now = candidate.claim.item, candidate.state.now
    after, created = (
        text_at(item.body, "spec", "expireAfter"),
        seconds(reach(item.body, "metadata", "creationTimestamp")),
    )
    evidence = Evidence(subject_of(item).full_name, f"expireAfter: {after}")
    if after == _NEVER:
        found = Blocker("the node does not expire", "set expireAfter, so that nodes get new images", evidence)
    elif not length(after) or created is None:
        return
    else:
        end = created + length(after)
        grace = reach(item.body, "spec", "terminationGracePeriod")
        forced = f", and deletes pods that are left {grace} later (terminationGracePeriod)" if grace else ""
        verb = "deletes" if now is None or now < end else "has to delete"
        message = f"the node expires: Karpenter {verb} it at {stamp(end)}{forced}"
        found = Blocker(message, "nothing; PodDisruptionBudgets apply while it is drained", evidence)
    yield _answer(candidate, EXPIRES, found, evidence)
