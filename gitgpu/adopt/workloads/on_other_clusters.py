"""Workloads that would also run on a cluster that does not have them: a GpuWorkload runs on all with its pools."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from gitgpu.adopt.adoption import Fate, Outcome, SpecDocument

_REASON = (
    "it would also run on {clusters}, which {has} a pool with the same name: a GpuWorkload runs on every cluster with "
    "one of its pools"
)


class Kept(NamedTuple):
    """The workloads of a cluster that run only there, and the outcomes of its objects."""

    workloads: tuple[SpecDocument, ...]
    outcomes: tuple[Outcome, ...]


def only_here(cluster: Kept, workloads: Mapping[str, Collection[str]], pools: Mapping[str, Collection[str]]) -> Kept:
    """The workloads and outcomes of a cluster without workloads that other clusters would get too.

    `workloads` are the folders of the workloads of each cluster, and `pools` the names of its pools.
    """
    kept: list[SpecDocument] = []
    outcomes = list(cluster.outcomes)
    for document in cluster.workloads:
        named = set(document.spec.get("pools", ()))
        others = [
            name
            for name, own in sorted(pools.items())
            if named.intersection(own) and document.folder not in workloads.get(name, ())
        ]
        if not others:
            kept.append(document)
            continue
        has = "has" if len(others) == 1 else "have"
        reason = _REASON.format(clusters=" and ".join(others), has=has)
        outcomes = [_left(outcome, document, reason) for outcome in outcomes]
    return Kept(tuple(kept), tuple(outcomes))


def _left(outcome: Outcome, document: SpecDocument, reason: str) -> Outcome:
    """The outcome of an object that is not adopted because its workload is not."""
    if outcome.into and outcome.into[:2] == (document.kind, document.name) and outcome.fate is Fate.ADOPTED:
        return Outcome(outcome.observed, Fate.INEXPRESSIBLE, reason)
    return outcome
