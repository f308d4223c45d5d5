"""A cluster's objects to its forecast."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from gitgpu.conform.devices import row_of
from gitgpu.conform.objects import Identity, Objects
from gitgpu.conform.placement import is_pinned
from gitgpu.conform.pods import Pod
from gitgpu.simulate.agents import agent_groups
from gitgpu.simulate.bill import Bill, IsGpu, bill, in_order, level
from gitgpu.simulate.blocked import blocked
from gitgpu.simulate.case import Case
from gitgpu.simulate.claim import Claim
from gitgpu.simulate.claimed import claimed
from gitgpu.simulate.doubts import of_estimates, of_limits, of_nodes, of_pod
from gitgpu.simulate.fit import SOFT, Fits
from gitgpu.simulate.group import Maker, NodeGroup
from gitgpu.simulate.karpenter import World, karpenter_groups
from gitgpu.simulate.market import Market, named_zones
from gitgpu.simulate.outcome import Doubt, Forecast, Reason, Verdict
from gitgpu.simulate.overhead import daemons
from gitgpu.simulate.pack import Load, pack
from gitgpu.simulate.passed import passed_over
from gitgpu.simulate.refused import Refused, refused_pools, refused_workloads
from gitgpu.simulate.shape import Shape, shapes
from gitgpu.simulate.workloads import Work, workloads


class Setup(NamedTuple):
    """What the objects of a cluster do not say of it.

    `spot` are prices of spot nodes by size, `overhead` is what daemons that are not among the objects take from a node,
    `bare` are workloads of which only the part about GPUs is known, `refused` what no API server would take.
    """

    cluster: str
    region: str
    max_pods: int
    spot: Mapping[str, float] = {}
    overhead: Mapping[str, Decimal] = {}
    bare: frozenset[Identity] = frozenset()
    refused: tuple[Refused, ...] = ()


class _Places(NamedTuple):
    """Where pods may go."""

    objects: Objects
    setup: Setup
    groups: tuple[NodeGroup, ...]
    fits: Fits


class _Run(NamedTuple):
    """All that is the same for the workloads of a run."""

    objects: Objects
    setup: Setup
    groups: tuple[NodeGroup, ...]
    fits: Fits
    is_gpu: IsGpu
    low: Bill
    high: Bill
    burst: Bill | None
    crowded: Mapping[str, tuple[Doubt, ...]]


def simulate(objects: Objects, setup: Setup) -> Forecast:
    """The forecast of one cluster."""
    groups = _groups(objects, setup)
    fits = Fits()
    gentle = any(taint.get("effect") == SOFT for group in groups for taint in group.taints)
    found = sorted(workloads(objects), key=lambda one: _name(one.pod))
    read = [(work, shapes(work.pod, objects, gentle=gentle)) for work in found]
    wanted = [(work, all_) for work, all_ in read if _matters(work.pod, objects) or _lands(all_, groups, fits)]
    loads = [Load(at, all_, work.high) for at, (work, all_) in enumerate(wanted)]
    run = _run(_Places(objects, setup, groups, fits), loads, [work.low for work, _ in wanted])
    verdicts = [
        *(_verdict(work, load, run) for (work, _), load in zip(wanted, loads, strict=True)),
        *refused_workloads(setup.refused),
    ]
    return Forecast(
        setup.cluster,
        setup.region,
        tuple(sorted(verdicts, key=lambda one: (one.namespace, one.name, one.kind))),
        run.low.nodes,
        run.high.nodes,
        len(read) - len(wanted),
        tuple(passed_over(objects, found, setup.refused)),
    )


def _run(places: _Places, loads: Sequence[Load], fewest: Sequence[int]) -> _Run:
    """The packings: at the fewest replicas, at the most, and when all come at once to nodes that share GPUs."""
    objects, setup, groups, fits = places

    @cache
    def is_gpu(name: str) -> bool:
        row = row_of(name, objects)
        return bool(row and row["manufacturer"])

    few = [load._replace(pods=pods) for load, pods in zip(loads, fewest, strict=True)]
    shared = any(one.holds != one.offers for group in groups for one in group.shelf.types)
    high = bill(pack(loads, groups, fits, up=True), is_gpu)
    low = high if few == loads else bill(pack(few, groups, fits, up=True), is_gpu)
    burst = bill(pack(loads, groups, fits, up=False), is_gpu) if shared else None
    return _Run(objects, setup, groups, fits, is_gpu, low, high, burst, of_limits(high.packed.claims))


def _groups(objects: Objects, setup: Setup) -> tuple[NodeGroup, ...]:
    market = Market(objects.catalog, setup.region, setup.spot, named_zones(objects))
    world = World(objects, market, daemons(objects, setup.overhead), setup.max_pods, {})
    return tuple(sorted((*karpenter_groups(world), *agent_groups(world)), key=lambda one: one.order))


def _name(pod: Pod) -> tuple[str, str, str, str]:
    one = pod.item.identity
    return one.namespace, one.name, one.kind, str(pod.pointer)


def _matters(pod: Pod, objects: Objects) -> bool:
    """Does the pod ask for a device, or for a node that only a pool of these can be?"""
    asks = any(
        "/" in name and not name.startswith("kubernetes.io/") for name, amount in pod.requests().items() if amount
    )
    return asks or bool(pod.spec.get("resourceClaims")) or is_pinned(pod, objects)


def _lands(all_: Sequence[Shape], groups: Iterable[NodeGroup], fits: Fits) -> bool:
    """Would a pod that asks for no GPU get a GPU node all the same?"""
    return any(fits.alone(shape, group) for shape in all_ for group in groups)


def _verdict(work: Work, load: Load, run: _Run) -> Verdict:
    one, item = work.pod.item.identity, work.pod.item
    mine = [claim for claim, _ in run.high.of.get(load.number, ())]
    after = level(run.high, load.number, work.high)
    reasons = tuple(_reasons(work.pod, load, run)) if after.placed < after.replicas else ()
    picked = in_order(node for _, node in run.high.of.get(load.number, ()))
    burst = len(run.burst.of.get(load.number, ())) if run.burst else 0
    return Verdict(
        kind=one.kind,
        namespace=one.namespace,
        name=one.name,
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


def _reasons(pod: Pod, load: Load, run: _Run) -> Iterator[Reason]:
    """Why the rest of the pods got nothing: every pool's reason, the pool that came nearest first."""
    yield from refused_pools(run.setup.refused)
    if not run.groups:
        place = pod.item.given.places.span()
        yield Reason("", "pools", "there is no pool of nodes", "give the NodePools with --pools", place, place)
        return
    limits = run.high.packed.limits
    instead = {row["key"]: row["instead"] for row in run.objects.catalog.must("placement", "aks")["later"]}
    cases = (Case(pod, load.shapes[0], group, limits[group.name], instead) for group in run.groups)
    found = [blocked(case, load.shapes) for case in cases]
    yield from sorted(found, key=lambda one: -one.stage)


def _doubts(work: Work, load: Load, mine: Sequence[Claim], run: _Run) -> Iterator[Doubt]:
    yield from of_pod(work.pod, run.objects)
    if work.cut:
        yield Doubt("model", f"only {work.high:,} of {work.cut:,} pods were simulated")
    yield from of_nodes(mine, load.number)
    for name in dict.fromkeys(claim.group.name for claim in mine):
        yield from run.crowded[name]
    if work.pod.item.identity in run.setup.bare:
        text = "its own manifest was not given, so its requests for cpu and memory are not known"
        yield Doubt("bare", text if work.scaled else f"{text}, nor its replicas: one is assumed", decides=False)
    if not mine:
        yield from of_estimates(load.shapes[0], run.groups)
    untold = claimed(work.pod, run.objects).open
    yield from (Doubt("claim", text) for text in untold)
    if not untold and not any(run.is_gpu(name) for shape in load.shapes for name in shape.asks):
        yield Doubt("gpuless", "it asks for no GPU: on the cluster another node may take it first")
    scaled = [one.name for one in run.groups if one.maker is Maker.AUTOSCALER and run.fits.alone(load.shapes[0], one)]
    if len(scaled) > 1:
        yield Doubt(
            "expander",
            f"the cluster autoscaler chooses between {' and '.join(scaled)} as its expander says",
            decides=False,
        )
