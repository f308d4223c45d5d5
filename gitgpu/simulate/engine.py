"""Simulates one cluster: its objects in, a forecast out."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.model.dates import evidence_day
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import counts_gpus, is_gpu_resource
from gitgpu.objects.workload.placement import is_pinned
from gitgpu.objects.workload.pods import Pod
from gitgpu.simulate.explain.cost import costs
from gitgpu.simulate.explain.gangs import with_gangs
from gitgpu.simulate.explain.incomplete_nodes import notes
from gitgpu.simulate.explain.priorities import Priorities
from gitgpu.simulate.explain.refused import refused_classes, refused_workloads, unread_pools
from gitgpu.simulate.explain.resource_quota_uses import resource_quota_uses
from gitgpu.simulate.explain.shared_nodes import SharedNodes, with_shared_doubts
from gitgpu.simulate.explain.team_uses import team_uses
from gitgpu.simulate.explain.uncertainty import of_limits, of_work
from gitgpu.simulate.explain.unsupported import unsupported_objects
from gitgpu.simulate.explain.verdicts import Run, verdict
from gitgpu.simulate.forecast import Forecast, Running
from gitgpu.simulate.instance.offerings import Offerings, named_zones
from gitgpu.simulate.instance.overhead import daemons
from gitgpu.simulate.node.agent_pools import agent_groups
from gitgpu.simulate.node.existing_nodes import ExistingNodes, existing_nodes
from gitgpu.simulate.node.karpenter import karpenter_groups
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.place.candidates import Candidates
from gitgpu.simulate.place.fit import SOFT, Fits
from gitgpu.simulate.place.scheduler import Load, Places, pack
from gitgpu.simulate.pod.shape import Shape, shapes
from gitgpu.simulate.releases import releases_of, with_doubts
from gitgpu.simulate.setup import Setup
from gitgpu.simulate.workloads import Work, workloads
from gitgpu.simulate.world import World
from gitgpu.spelling import count_text


def simulate(objects: Objects, setup: Setup) -> Forecast:
    """The forecast of one cluster. If Karpenter releases that it may run differ, that of the older ones."""
    releases = releases_of(setup.karpenter, objects.catalog)
    forecast = _forecast(objects, setup, counts_allowed=bool(releases.allowed and not releases.every))
    if releases.differ(objects):
        return with_doubts(forecast, _forecast(objects, setup, counts_allowed=True), releases)
    return forecast


class Simulated(NamedTuple):
    """A packed cluster: the run, its existing nodes, all workloads, and those that need or get a GPU node."""

    run: Run
    existing: ExistingNodes
    works: tuple[Work, ...]
    listed: tuple[tuple[Work, Load], ...]


def place_pods(objects: Objects, setup: Setup, *, counts_allowed: bool = False) -> Simulated:
    """Places the pods of one cluster."""
    world = _world(objects, setup)._replace(counts_allowed=counts_allowed)
    existing = existing_nodes(objects, world)
    places = Places(_groups(world), Fits(), existing)
    works = tuple(sorted(workloads(objects), key=lambda workload: _order(workload.pod)))
    loads = _loads(works, places, objects)
    run = _run(world, setup, places, loads)
    listed = tuple((work, load) for work, load in loads if _is_listed(work, load, run))
    return Simulated(run, existing, works, listed)


def _forecast(objects: Objects, setup: Setup, *, counts_allowed: bool) -> Forecast:
    run, existing, works, listed = place_pods(objects, setup, counts_allowed=counts_allowed)
    verdicts = with_shared_doubts([verdict(work, load, run) for work, load in listed], run.high.every)
    judged = [(work, result) for (work, _), result in zip(listed, verdicts, strict=True)]
    verdicts = with_gangs(judged, works, objects)
    verdicts += refused_workloads(setup.refused)
    prices = objects.catalog.facts("prices", setup.region)
    counted = cache(partial(counts_gpus, objects=objects))
    return Forecast(
        cluster=setup.cluster,
        region=setup.region,
        verdicts=tuple(sorted(verdicts, key=lambda result: (result.namespace, result.name, result.kind))),
        low=run.low.nodes,
        high=run.high.nodes,
        skipped=len(works) - len(listed),
        notes=(
            *_running(existing),
            *notes(existing, objects),
            *unsupported_objects(objects, works, setup.refused),
        ),
        running=Running(len(existing.nodes) + len(existing.unlisted), existing.pods),
        priced=evidence_day(prices) if prices else "",
        teams=(
            *team_uses(judged, objects, counted),
            *resource_quota_uses(judged, objects, setup.teams, counted),
        ),
    )


def _loads(works: Sequence[Work], places: Places, objects: Objects) -> list[tuple[Work, Load]]:
    """The workloads that need a GPU node or may run on one, with the readings of their pods."""
    # Like Karpenter, which drops PreferNoSchedule as the last preference only if a pool has such a taint.
    gentle = any(map(_has_soft_taint, places.groups))
    loads: list[tuple[Work, Load]] = []
    for work in works:
        readings = shapes(work.pod, objects, gentle=gentle)
        if _needs_pool(work.pod, objects) or _could_share(readings, places):
            loads.append((work, Load(len(loads), readings, work.admitted_count)))
    return loads


def possible_pools(
    objects: Objects, setup: Setup, requests_gpus: Callable[[Pod], bool]
) -> Iterator[tuple[Pod, tuple[str, ...]]]:
    """Yields each pod that requests GPUs with the pools that could run it, regardless of limits and other pods."""
    gpu_work = (work for work in workloads(objects) if requests_gpus(work.pod))
    works = sorted(gpu_work, key=lambda workload: _order(workload.pod))
    fits, candidates = Fits(), Candidates(_groups(_world(objects, setup)) if works else ())
    for work in works:
        readings = shapes(work.pod, objects, gentle=False)
        names: set[str] = set()
        for shape in readings:
            names.update(group.name for group in candidates.of(shape) if fits.possible(shape, group))
        yield work.pod, tuple(sorted(names))


def _running(existing: ExistingNodes) -> Iterator[str]:
    """Notes on the nodes and pods that exist."""
    nodes, inferred = len(existing.nodes) + len(existing.unlisted), len(existing.unlisted)
    if existing.pods or nodes:
        text = f"{count_text(nodes, 'GPU node')} and {count_text(existing.pods, 'pod')}"
        yield f"{text} already exist: they use capacity and count towards limits"
    if inferred:
        yield f"{inferred} of these nodes are not in the input: their pool and size are inferred from their pods"


def _run(world: World, setup: Setup, places: Places, loads: Sequence[tuple[Work, Load]]) -> Run:
    """Packs the pods at minimum and at maximum replicas, and in a burst if nodes offer more once they are up."""
    objects, groups = world.objects, tuple(places.groups)
    is_gpu = cache(partial(is_gpu_resource, objects=objects))
    maximum = [load for _, load in loads]
    fewest = [load._replace(pods=min(work.low, work.admitted_count)) for work, load in loads]
    shared = any(_offers_more_later(group) for group in groups)
    high = costs(pack(maximum, places, up=True), is_gpu)
    pool_doubts = tuple(unread_pools(setup.refused))
    own = {load.number: (*of_work(work, objects), *pool_doubts) for work, load in loads}
    uncertain = [(work.title, load) for work, load in loads if own[load.number]]
    low = high if fewest == maximum else costs(pack(fewest, places, up=True), is_gpu)
    burst = costs(pack(maximum, places, up=False), is_gpu) if shared else None
    return Run(
        objects=objects,
        setup=setup,
        places=places,
        is_gpu=is_gpu,
        low=low,
        high=high,
        burst=burst,
        crowded=of_limits(high.packed),
        own=own,
        shared=SharedNodes(uncertain, high.packed, places),
        priorities=Priorities(maximum, high.packed, places),
    )


def _world(objects: Objects, setup: Setup) -> World:
    offerings = Offerings(objects.catalog, setup.region, setup.spot, named_zones(objects))
    classes = refused_classes(setup.refused)
    return World(
        objects=objects,
        offerings=offerings,
        daemons=daemons(objects, setup.overhead),
        max_pods=setup.max_pods,
        shared_types={},
        refused=classes,
    )


def _groups(world: World) -> tuple[NodeGroup, ...]:
    return tuple(sorted((*karpenter_groups(world), *agent_groups(world)), key=lambda group: group.order))


def _has_soft_taint(group: NodeGroup) -> bool:
    return any(taint.get("effect") == SOFT for taint in group.taints)


def _offers_more_later(group: NodeGroup) -> bool:
    """Whether nodes of the group offer other amounts once their software runs, such as shared GPUs."""
    return any(node_type.holds != node_type.offers for node_type in group.instance_types.types)


def _order(pod: Pod) -> tuple[str, ...]:
    """The sort key of pods in Karpenter's order: older pods first if their age is known; the others by name."""
    # Upstream compares the UIDs of pods created in the same second. UIDs are random and in no file, so names are used.
    identity, created = pod.item.identity, reach(pod.item.body, "metadata", "creationTimestamp")
    return str(created or ""), identity.namespace, identity.name, identity.kind, str(pod.pointer)


def _needs_pool(pod: Pod, objects: Objects) -> bool:
    """Whether the pod requests a device, or a node that only one of the pools can provide."""
    requested = (name for name, amount in pod.requests().items() if amount)
    # Kubernetes keeps kubernetes.io/ for resources of its own, which are not devices.
    devices = any("/" in name and not name.startswith(KUBERNETES_PREFIX) for name in requested)
    return devices or bool(pod.spec.get("resourceClaims")) or is_pinned(pod, objects)


def _is_listed(work: Work, load: Load, run: Run) -> bool:
    """Whether the workload needs a GPU node, or gets one although it does not need it."""
    return _needs_pool(work.pod, run.objects) or load.number in run.high.by_workload


def _could_share(readings: Sequence[Shape], places: Places) -> bool:
    """Whether a pod without a GPU request could run on a GPU node, at least next to other pods."""
    ready = [group for group in places.groups if not group.not_ready]
    if any(places.fits.fit_by_labels(shape, group) for shape, group in product(readings, ready)):
        return True
    # An existing node may have other labels and taints than its pool, whose NodePool may no longer start nodes.
    nodes = (node.group for node in places.existing.nodes)
    return any(places.fits.may_join(shape, node) for shape, node in product(readings, nodes))
