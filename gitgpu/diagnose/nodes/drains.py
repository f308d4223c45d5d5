"""Why nodes that are being removed are not drained."""

from collections.abc import Iterator

from gitgpu.access import reach, text_at
from gitgpu.diagnose.cause import NOT_DRAINED, Answer, Cause, Evidence, subject_of
from gitgpu.diagnose.nodes.blocking import blockers
from gitgpu.diagnose.nodes.claims import Claim
from gitgpu.diagnose.reading.clock import seconds, stamp
from gitgpu.diagnose.reading.conditions import condition
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.kinds import NODE
from gitgpu.model.syntax.duration import seconds as length
from gitgpu.objects.objects import Item

_PATIENCE = 10  # minutes


def drain_answers(claims: tuple[Claim, ...], state: State) -> Iterator[Answer]:
    """The answers about nodes that have been deleted for longer than a pod needs to stop."""
    by_node = {claim.node: claim for claim in claims if claim.node}
    for node in state.objects.of(*NODE):
        since = reach(node.body, "metadata", "deletionTimestamp")
        minutes = state.minutes_since(since)
        if not since or (minutes is not None and minutes < _PATIENCE):
            continue
        if answer := _answer(node, by_node.get(node.identity.name), state):
            yield answer._replace(minutes=minutes)


def _answer(node: Item, claim: Claim | None, state: State) -> Answer | None:
    found = list(blockers(node, state))
    if not found:
        return None
    message = f"the node is being removed and is not drained: {found[0].message}{_ends(claim)}"
    evidence = [blocker.evidence for blocker in found]
    if why := _why(claim):
        evidence.append(why)
    cause = Cause(NOT_DRAINED, message, found[0].remedy, rules=found[0].rules)
    return Answer(subject_of(node), cause, tuple(dict.fromkeys(evidence)), (node.identity.name,))


def _ends(claim: Claim | None) -> str:
    """When Karpenter removes the pods that are left."""
    grace = reach(claim.item.body, "spec", "terminationGracePeriod") if claim else None
    if not grace or claim is None:
        return ""
    deleted = seconds(reach(claim.item.body, "metadata", "deletionTimestamp"))
    when = f"at {stamp(deleted + length(grace))}" if deleted is not None else f"{grace} after the deletion"
    return f"; Karpenter deletes the pods that are left {when} (terminationGracePeriod)"


def _why(claim: Claim | None) -> Evidence | None:
    """Why a node is being removed, as far as its NodeClaim says: it may also have been deleted by hand."""
    if claim is None:
        return None
    body, named = claim.item.body, subject_of(claim.item).full_name
    after, drifted = text_at(body, "spec", "expireAfter"), condition(claim.item, "Drifted")
    times = (seconds(reach(body, "metadata", key)) for key in ("creationTimestamp", "deletionTimestamp"))
    created, deleted = times
    if created is not None and deleted is not None and length(after) and deleted >= created + length(after):
        return Evidence(named, f"it has expired: expireAfter: {after}")
    return Evidence(named, str(drifted)) if drifted and drifted.status == "True" else None
