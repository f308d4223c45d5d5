"""What becomes of a workload: where its pods go, what keeps the rest of them away, what no file can settle."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gitgpu.conform.objects import Objects
from gitgpu.conform.workload.pods import Pod
from gitgpu.simulate.explain.cost import Costs, IsGpu, in_order, level
from gitgpu.simulate.explain.forecast import Doubt, Reason, Verdict
from gitgpu.simulate.explain.refused import refused_pools
from gitgpu.simulate.explain.uncertainty import of_estimates, of_nodes, of_order, of_pod, of_rules
from gitgpu.simulate.explain.unschedulable import unschedulable
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.place.candidate import Candidate
from gitgpu.simulate.place.fit import Fits
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.place.scheduler import Load
from gitgpu.simulate.pod.resource_claims import claimed_devices
from gitgpu.simulate.pod.workloads import Work
from gitgpu.simulate.setup import Setup


class Run(NamedTuple):
    """All that is the same for the workloads of a run."""

    objects: Objects
    setup: Setup
    groups: tuple[NodeGroup, ...]
    fits: Fits
    is_gpu: IsGpu
    low: Costs
    high: Costs
    burst: Costs | None
    crowded: Mapping[str, tuple[Doubt, ...]]


def verdict(work: Work, load: Load, run: Run) -> Verdict:
    """The answer for one workload."""
    identity, item = work.pod.item.identity, work.pod.item
    mine = [claim for claim, _ in run.high.of.get(load.number, ())]
    after = level(run.high, load.number, work.high)
    reasons = tuple(_reasons(work.pod, load, run)) if after.placed < after.replicas else ()
    picked = in_order(node for _, node in run.high.of.get(load.number, ()))
    burst = len(run.burst.of.get(load.number, ())) if run.burst else 0
    return Verdict(
        kind=identity.kind,
        namespace=identity.namespace,
        name=identity.name,
        place=item.given.places.span(),
        high=after,
        low=level(run.low, load.number, work.low),
        pools=tuple(dict.fromkeys(node.pool for node in picked)),
        skus=tuple(dict.fromkeys(node.sku for node in picked)),
        zones=tuple(dict.fromkeys(zone for node in picked for zone in node.zones)),
        spot=any(node.spot for node in picked),
        reasons=reasons,
        doubts=tuple(dict.fromkeys(_doubts(work, load, mine, run))),
        together=burst if burst > after.nodes else None,
        number=load.number,
    )


def _reasons(pod: Pod, load: Load, run: Run) -> Iterator[Reason]:
    """Why the rest of the pods got nothing: every pool's reason, the pool that came nearest first."""
    refused = tuple(refused_pools(run.setup.refused))
    yield from refused
    if not run.groups and not refused:
        place = pod.item.given.places.span()
        yield Reason("", "pools", "there is no node pool", "pass the NodePools with --pools", place, place)
    limits = run.high.packed.limits
    instead = {row["key"]: row["instead"] for row in run.objects.catalog.must("placement", "aks")["later"]}
    owned = run.objects.catalog.must("labels", "karpenter")
    cases = (Candidate(pod, load.shapes[0], group, limits[group.name], instead, owned) for group in run.groups)
    found = [unschedulable(candidate, load.shapes) for candidate in cases]
    yield from sorted(found, key=lambda reason: -reason.stage)


def _doubts(work: Work, load: Load, mine: Sequence[NodeClaim], run: Run) -> Iterator[Doubt]:
    yield from of_pod(work.pod, run.objects)
    if work.cut:
        yield Doubt("model", f"only {work.high:,} of {work.cut:,} pods were simulated")
    yield from of_rules(load.shapes[0])
    yield from of_nodes(mine, load.number)
    yield from of_order(run.high.packed.claims, mine)
    for name in dict.fromkeys(claim.group.name for claim in mine if not claim.real):
        yield from run.crowded[name]
    if work.pod.item.identity in run.setup.bare:
        text = "CPU and memory requests unknown (pass the manifest with --workloads)"
        yield Doubt("bare", text if work.scaled else f"{text}; assuming 1 replica", decides=False)
    if not mine:
        yield from of_estimates(load.shapes[0], run.groups)
    untold = claimed_devices(work.pod, run.objects).open
    yield from (Doubt("claim", text) for text in untold)
    if not untold and not any(run.is_gpu(name) for shape in load.shapes for name in shape.asks):
        yield Doubt("gpuless", "it requests no GPU: on the cluster it may run on another node")
    scaled = [
        group.name for group in run.groups if group.maker is Maker.AUTOSCALER and run.fits.alone(load.shapes[0], group)
    ]
    if len(scaled) > 1:
        yield Doubt(
            "expander",
            f"the cluster autoscaler chooses between {' and '.join(scaled)} according to its expander",
            decides=False,
        )
