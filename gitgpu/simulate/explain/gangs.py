"""What it means that some pods of a gang do not get a node: the others wait for them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.gangs import PodGang, gang_of
from gitgpu.simulate.forecast import SCHEDULABLE, Doubt, Reason, Verdict
from gitgpu.simulate.workloads import Work


class _Members(NamedTuple):
    """The pods of a gang at maximum replicas, and those without a node at minimum and maximum replicas."""

    total: int
    missing: int
    missing_at_least: int


def with_gangs(listed: Sequence[tuple[Work, Verdict]], works: Iterable[Work], objects: Objects) -> list[Verdict]:
    """The verdicts, with what it means for each workload that others of its gang do not get a node."""
    totals: dict[int, int] = {}
    for work in works:
        if gang := gang_of(work.pod, objects):
            totals[_key(gang)] = totals.get(_key(gang), 0) + work.high
    members: dict[int, _Members] = {}
    for work, verdict in listed:
        if gang := gang_of(work.pod, objects):
            before = members.get(_key(gang), _Members(totals[_key(gang)], 0, 0))
            missing = before.missing + verdict.high.replicas - verdict.high.placed
            missing_at_least = before.missing_at_least + verdict.low.replicas - verdict.low.placed
            members[_key(gang)] = before._replace(missing=missing, missing_at_least=missing_at_least)
    results = []
    for work, verdict in listed:
        gang = gang_of(work.pod, objects)
        results.append(_with_gang(verdict, gang, members[_key(gang)]) if gang else verdict)
    return results


def _key(gang: PodGang) -> int:
    return id(gang.item.body)


def _with_gang(verdict: Verdict, gang: PodGang, members: _Members) -> Verdict:
    if members.missing in (0, members.total):
        return verdict
    name = f"{gang.item.identity.kind} {gang.item.identity.name}"
    placed = members.total - members.missing
    if gang.least is not None and placed >= gang.least:
        doubt = Doubt("gang", f"{name} starts: it needs {gang.least} pods, and {placed} get a node", decides=False)
        return verdict._replace(doubts=(*verdict.doubts, doubt))
    if gang.certain:
        message = f"no pod of {name} starts: it needs {gang.least} together, and {placed} get a node"
        place = gang.item.given.places.span()
        reason = Reason("", "gang", message, "make room for all of them, or lower the number of pods", place, place)
        return verdict._replace(reasons=(reason, *verdict.reasons))
    if gang.least is None and not members.missing_at_least:
        return verdict
    whose = f"a replica of {name}" if gang.by_replica else name
    needed = f"{gang.least} of its pods" if gang.least else "all its pods"
    text = f"{whose} works only once {needed} run, and {members.missing} of {members.total} do not get a node"
    waits = Doubt("gang", f"{text}: those with a node wait, and cost money", decides=verdict.verdict == SCHEDULABLE)
    return verdict._replace(doubts=(*verdict.doubts, waits))
