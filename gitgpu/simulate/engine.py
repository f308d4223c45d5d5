"""A cluster's objects to its forecast."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.workload.devices import device_row
from gitgpu.conform.workload.placement import is_pinned
from gitgpu.conform.workload.pods import Pod
from gitgpu.simulate.explain.cost import costs
from gitgpu.simulate.explain.forecast import Forecast
from gitgpu.simulate.explain.refused import refused_classes, refused_workloads
from gitgpu.simulate.explain.uncertainty import of_limits
from gitgpu.simulate.explain.unsupported import unsupported
from gitgpu.simulate.explain.verdicts import Run, verdict
from gitgpu.simulate.instance.offerings import Offerings, named_zones
from gitgpu.simulate.instance.overhead import daemons
from gitgpu.simulate.node.agent_pools import agent_groups
from gitgpu.simulate.node.existing_nodes import Present, present
from gitgpu.simulate.node.karpenter import karpenter_groups
from gitgpu.simulate.node.node_group import NodeGroup
from gitgpu.simulate.place.candidates import Candidates
from gitgpu.simulate.place.fit import SOFT, Fits
from gitgpu.simulate.place.scheduler import Load, Places, pack
from gitgpu.simulate.pod.shape import Shape, shapes
from gitgpu.simulate.pod.workloads import Work, workloads
from gitgpu.simulate.setup import Setup
from gitgpu.simulate.world import World
from gitgpu.spelling import counted


def simulate(objects: Objects, setup: Setup) -> Forecast:
    """The forecast of one cluster."""
    world = _world(objects, setup)
    groups, fits, there = _groups(world), Fits(), present(objects, world)
    places = Places(groups, fits, there)
    gentle = any(taint.get("effect") == SOFT for group in groups for taint in group.taints)
    found = sorted(workloads(objects), key=lambda workload: _name(workload.pod))
    read = [(work, shapes(work.pod, objects, gentle=gentle)) for work in found]
    wanted = [(work, all_) for work, all_ in read if _matters(work.pod, objects) or _lands(all_, groups, fits)]
    loads = [Load(at, all_, work.high) for at, (work, all_) in enumerate(wanted)]
    run = _run(world, setup, places, loads, [work.low for work, _ in wanted])
    listed = [(work, load) for (work, _), load in zip(wanted, loads, strict=True) if _counts(work, load, run)]
    verdicts = [*(verdict(work, load, run) for work, load in listed), *refused_workloads(setup.refused)]
    return Forecast(
        setup.cluster,
        setup.region,
        tuple(sorted(verdicts, key=lambda result: (result.namespace, result.name, result.kind))),
        run.low.nodes,
        run.high.nodes,
        len(read) - len(listed),
        (*_running(there), *unsupported(objects, found, setup.refused)),
        (len(there.nodes) + len(there.seats), there.pods),
    )


def possible_pools(
    objects: Objects, setup: Setup, asks: Callable[[Pod], bool]
) -> Iterator[tuple[Pod, tuple[str, ...]]]:
    """The pools that could run a pod of each workload that requests GPUs, regardless of limits and other pods."""
    found = sorted((work for work in workloads(objects) if asks(work.pod)), key=lambda workload: _name(workload.pod))
    fits, candidates = Fits(), Candidates(_groups(_world(objects, setup)) if found else ())
    for work in found:
        readings = shapes(work.pod, objects, gentle=False)
        names: set[str] = set()
        for shape in readings:
            names.update(group.name for group in candidates.of(shape) if fits.possible(shape, group))
        yield work.pod, tuple(sorted(names))


def _running(there: Present) -> Iterator[str]:
    """What is to be known of the nodes and pods that are there."""
    nodes, guessed = len(there.nodes) + len(there.seats), len(there.seats)
    if there.pods or nodes:
        there_now = f"{counted(nodes, 'GPU node')} and {counted(there.pods, 'pod')}"
        yield f"{there_now} already exist: they use capacity and count towards limits"
    if guessed:
        yield f"{guessed} of these nodes are not in the input: their pool and size are inferred from their pods"


def _run(world: World, setup: Setup, places: Places, loads: Sequence[Load], fewest: Sequence[int]) -> Run:
    """The packings: at minimum replicas, at the most, and when all come at once to nodes that share GPUs."""
    objects, groups = world.objects, tuple(places.groups)

    @cache
    def is_gpu(name: str) -> bool:
        row = device_row(name, objects)
        return bool(row and row["manufacturer"])

    few = [load._replace(pods=pods) for load, pods in zip(loads, fewest, strict=True)]
    shared = any(type_.holds != type_.offers for group in groups for type_ in group.instance_types.types)
    high = costs(pack(loads, places, up=True), is_gpu)
    low = high if few == loads else costs(pack(few, places, up=True), is_gpu)
    burst = costs(pack(loads, places, up=False), is_gpu) if shared else None
    return Run(objects, setup, groups, places.fits, is_gpu, low, high, burst, of_limits(high.packed))


def _world(objects: Objects, setup: Setup) -> World:
    offerings = Offerings(objects.catalog, setup.region, setup.spot, named_zones(objects))
    every, classes = daemons(objects, setup.overhead), refused_classes(setup.refused)
    return World(objects, offerings, every, setup.max_pods, {}, classes)


def _groups(world: World) -> tuple[NodeGroup, ...]:
    return tuple(sorted((*karpenter_groups(world), *agent_groups(world)), key=lambda group: group.order))


def _name(pod: Pod) -> tuple[str, ...]:
    """Older pods come first where it is known when they were made, as Karpenter has it; the others by name."""
    identity, made = pod.item.identity, reach(pod.item.body, "metadata", "creationTimestamp")
    return str(made or ""), identity.namespace, identity.name, identity.kind, str(pod.pointer)


def _matters(pod: Pod, objects: Objects) -> bool:
    """Does the pod ask for a device, or for a node that only a pool of these can be?"""
    asks = any(
        "/" in name and not name.startswith("kubernetes.io/") for name, amount in pod.requests().items() if amount
    )
    return asks or bool(pod.spec.get("resourceClaims")) or is_pinned(pod, objects)


def _counts(work: Work, load: Load, run: Run) -> bool:
    """Is it about GPU nodes: does it need one, or does it get one?"""
    return _matters(work.pod, run.objects) or load.number in run.high.of


def _lands(all_: Sequence[Shape], groups: Iterable[NodeGroup], fits: Fits) -> bool:
    """Could a pod without a GPU request run on a GPU node, at least next to other pods?"""
    return any(fits.agreed(shape, group) and not group.not_ready for shape in all_ for group in groups)
