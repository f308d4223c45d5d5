"""The verdict on a workload: where its pods run, why the rest of them do not, and what is uncertain."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.simulate.explain.closed_nodes import closed_nodes
from gitgpu.simulate.explain.cost import Costs, IsGpu, in_order, level
from gitgpu.simulate.explain.incomplete_nodes import of_incomplete
from gitgpu.simulate.explain.priorities import Priorities
from gitgpu.simulate.explain.queued import of_queue
from gitgpu.simulate.explain.refused import refused_pools
from gitgpu.simulate.explain.shared_nodes import SharedNodes
from gitgpu.simulate.explain.uncertain_nodes import of_hardening, of_nodes
from gitgpu.simulate.explain.uncertainty import of_estimates, of_order, of_rules
from gitgpu.simulate.explain.unschedulable import unschedulable
from gitgpu.simulate.forecast import Doubt, Reason, Verdict
from gitgpu.simulate.node.node_group import Maker
from gitgpu.simulate.place.candidate import Candidate
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.place.scheduler import Load, Places
from gitgpu.simulate.pod.resource_claims import claimed_devices
from gitgpu.simulate.setup import Setup
from gitgpu.simulate.workloads import Work


class Run(NamedTuple):
    """What is the same for all workloads of a run. `own` are the doubts that follow from a workload alone."""

    objects: Objects
    setup: Setup
    places: Places
    is_gpu: IsGpu
    low: Costs
    high: Costs
    burst: Costs | None
    crowded: Mapping[int, tuple[Doubt, ...]]
    own: Mapping[int, tuple[Doubt, ...]]
    shared: SharedNodes
    priorities: Priorities


def verdict(work: Work, load: Load, run: Run) -> Verdict:
    """The answer for one workload."""
    identity, item = work.pod.item.identity, work.pod.item
    claims = [claim for claim, _ in run.high.by_workload.get(load.number, ())]
    nodes = in_order(node for _, node in run.high.by_workload.get(load.number, ()))
    zones = chain.from_iterable(node.zones for node in nodes)
    high = level(run.high, load.number, work.admitted_count)._replace(replicas=work.high)
    reasons = tuple(_reasons(work.pod, load, run)) if high.placed < work.admitted_count else ()
    reasons = (*of_queue(work), *reasons) if high.placed < high.replicas else ()
    burst = len(run.burst.by_workload.get(load.number, ())) if run.burst else 0
    return Verdict(
        kind=identity.kind,
        namespace=identity.namespace,
        name=item.shown_name,
        place=item.given.places.span(),
        high=high,
        low=level(run.low, load.number, min(work.low, work.admitted_count))._replace(replicas=work.low),
        pools=_once_each(node.pool for node in nodes),
        skus=_once_each(node.sku for node in nodes),
        zones=_once_each(zones),
        spot=any(node.spot for node in nodes),
        reasons=reasons,
        doubts=tuple(dict.fromkeys(_doubts(work, load, claims, run))),
        together=burst if burst > high.nodes else None,
        number=load.number,
        labels={**_labels(item), **work.pod.labels},
        team=work.queued.queue if work.queued else run.setup.teams.of(identity),
    )


def _labels(item: Item) -> Mapping[str, str]:
    return reach(item.body, "metadata", "labels") or {}


def _once_each(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _reasons(pod: Pod, load: Load, run: Run) -> Iterator[Reason]:
    """Why the remaining pods do not get a node: nodes that take none, then a reason for each pool."""
    yield from closed_nodes(load, run.places)
    refused = tuple(refused_pools(run.setup.refused))
    yield from refused
    if not run.places.groups and not refused:
        place = pod.item.given.places.span()
        yield Reason("", "pools", "there is no node pool", "pass the NodePools with --pools", place, place)
    limits = run.high.packed.limits
    instead = {row["key"]: row["instead"] for row in run.objects.catalog.must("placement", "aks")["later"]}
    owned = run.objects.catalog.must("labels", "karpenter")
    cases = (Candidate(pod, load.shapes[0], group, limits[id(group)], instead, owned) for group in run.places.groups)
    reasons = [unschedulable(candidate, load.shapes) for candidate in cases]
    yield from sorted(reasons, key=lambda reason: -reason.stage)


def _doubts(work: Work, load: Load, claims: Sequence[NodeClaim], run: Run) -> Iterator[Doubt]:
    own = run.own.get(load.number, ())
    yield from own
    if not own:
        yield from run.shared.doubts(load)
    yield from of_incomplete(load, run.places)
    yield from run.priorities.doubts(load, claims)
    if load.shapes[0].ignored and any(claim.group.maker is Maker.KARPENTER and not claim.real for claim in claims):
        yield Doubt("model", "Karpenter does not start a node for it: it uses what is free on nodes for other pods")
    yield from of_rules(load.shapes[0])
    yield from of_nodes(claims, load.number)
    if run.setup.hardened:
        yield from of_hardening(claims)
    yield from of_order(run.high.packed.claims, claims)
    for group in dict.fromkeys(id(claim.group) for claim in claims if not claim.real):
        yield from run.crowded[group]
    if work.pod.item.identity in run.setup.bare:
        text = "CPU and memory requests unknown (pass the manifest with --workloads)"
        yield Doubt("bare", text if work.scaled else f"{text}; assuming 1 replica", decides=False)
    if not claims:
        yield from of_estimates(load.shapes[0], run.places.groups)
    yield from _gpu_doubts(work.pod, load, run)
    yield from _expander_doubts(load, run)


def _gpu_doubts(pod: Pod, load: Load, run: Run) -> Iterator[Doubt]:
    """Pods that need no GPU node."""
    uncounted = claimed_devices(pod, run.objects).uncounted
    requested: set[str] = set().union(*(shape.requests for shape in load.shapes))
    if not uncounted and not any(map(run.is_gpu, requested)):
        yield Doubt("gpuless", "it requests no GPU: on the cluster it may run on another node")


def _fitting(load: Load, run: Run, maker: Maker) -> list[str]:
    """The pools of a maker that would start a node for a pod, in any of its readings."""
    groups = (group for group in run.places.groups if group.maker is maker)
    alone = run.places.fits.alone
    return [group.name for group in groups if any(alone(shape, group) for shape in load.shapes)]


def _expander_doubts(load: Load, run: Run) -> Iterator[Doubt]:
    """Which of several pools the cluster autoscaler scales up, and whether Karpenter does so for the same pods."""
    scaled = _fitting(load, run, Maker.AUTOSCALER)
    started = _fitting(load, run, Maker.KARPENTER) if scaled else []
    if started:
        both = f"Karpenter ({', '.join(started)}) and the cluster autoscaler ({', '.join(scaled)})"
        yield Doubt("expander", f"{both} both react to its pods: either may start the nodes, or both", decides=False)
    if len(scaled) > 1:
        text = f"the cluster autoscaler chooses between {' and '.join(scaled)} according to its expander"
        yield Doubt("expander", text, decides=False)
