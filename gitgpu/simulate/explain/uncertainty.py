"""What files cannot answer: unknown facts, requests close to what a node has, and what is not modelled."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice

from gitgpu.check.names import join_names
from gitgpu.conform.node.other_clouds import may_be_foreign
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.offers import POOL
from gitgpu.conform.workload.node_constraints import is_readable
from gitgpu.conform.workload.pods import Pod
from gitgpu.schedule.allocatable import NEAR, amount_text
from gitgpu.simulate.explain.forecast import Doubt
from gitgpu.simulate.instance.offerings import CAPACITY
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.place.scheduler import Packed
from gitgpu.simulate.pod.label_selectors import HOST, ZONE, Kind
from gitgpu.simulate.pod.shape import Shape

_COUNTED = frozenset({HOST, ZONE, CAPACITY, POOL})  # labels whose values on nodes without GPUs are the same
_STABLE = 12  # up to so many elements Go's sort.Slice sorts by insertion, which keeps the order of equals


def of_pod(pod: Pod, objects: Objects) -> Iterator[Doubt]:
    """What follows from the pod alone."""
    if not is_readable(pod):
        yield Doubt("model", "a node selector term that uses matchFields or cannot be parsed was ignored")
    if may_be_foreign(pod, objects):
        yield Doubt("model", "a NodePool of another cloud could run it, but is ignored")
    if pod.spec.get("schedulerName") not in (None, "default-scheduler"):
        yield Doubt("model", f"the scheduler {pod.spec['schedulerName']} schedules the pod, and is not modelled")
    if pod.spec.get("nodeName"):
        yield Doubt("model", "the pod sets nodeName, so nothing is scheduled")
    queue = objects.catalog.must("placement", "aks")["queueLabel"]
    if queue in {**(reach(pod.item.body, "metadata", "labels") or {}), **pod.labels}:
        yield Doubt("queue", "Kueue decides when the pod starts and what it tolerates")
    if _volumes(pod):
        yield Doubt("volume", "a volume may restrict the pod to the zone of its disk")


def of_rules(shape: Shape) -> Iterator[Doubt]:
    """What affinity and spread rules of a pod depend on, apart from the pods of this run."""
    for rule in shape.rules:
        if rule.kind is Kind.TOGETHER and not rule.selector.means(shape.own):
            yield Doubt("model", "its affinity depends on other pods, which may not all be among the manifests")
        elif rule.key not in _COUNTED:
            text = f"{rule.kind} by {rule.key} also counts sizes without GPUs, which the catalog does not contain"
            yield Doubt("model", text)


def _volumes(pod: Pod) -> bool:
    """Does it mount a disk that outlives it?"""
    named = any(volume and ("persistentVolumeClaim" in volume) for volume in pod.spec.get("volumes") or ())
    return named or bool(reach(pod.item.body, "spec", "volumeClaimTemplates"))


def of_nodes(claims: Iterable[NodeClaim], number: int) -> Iterator[Doubt]:
    """What follows from the nodes that a workload would get."""
    seen: set[tuple[int, int, int]] = set()
    for claim in claims:
        key = (id(claim.group), claim.types, claim.slots)
        if key not in seen and not claim.real:
            seen.add(key)
            yield from _of_node(claim, claim.shapes[number])


def _of_node(claim: NodeClaim, shape: Shape) -> Iterator[Doubt]:
    group, offerings = claim.group, claim.group.instance_types.offerings
    node_type = next(group.instance_types.of(claim.types))
    name = node_type.sku.name
    for resource in ("cpu", "memory"):
        has, asked = node_type.offers.get(resource), claim.asked.get(resource, Decimal(0))
        if has is not None and asked > has * NEAR:
            text = f"is within 2 % of the {amount_text(resource, has)} that {name} is estimated to offer"
            yield Doubt("near", f"{amount_text(resource, asked)} of {resource} {text}")
    unknown = [key for key in sorted(shape.asks) if key in node_type.offers and node_type.offers[key] is None]
    wanted = {*shape.wants, *group.node}
    silent = sorted(key for key in wanted if key in _FACTS and key not in node_type.labels)
    if unknown or silent:
        yield Doubt("fact", f"what a node of {name} has of {join_names([*unknown, *silent])} is not known")
    spot = any(offerings.slots[at].spot for at in range(len(offerings.slots)) if claim.slots >> at & 1)
    if spot:
        yield _spot(name, fallback=bool(group.instance_types.selling(_on_demand(claim, shape)) & claim.types))
    if name not in offerings.prices and not (spot and name in offerings.spot):
        where = f"in {offerings.region}" if offerings.region else "without a region"
        yield Doubt("price", f"no known price for {name} {where}: Azure may not offer it there")
    zones = [requirement for requirement in (shape.wants.get(ZONE), group.node.get(ZONE)) if requirement]
    if not all(zone.takes(offerings.nowhere) for zone in zones):
        yield from _zones(claim, name)
    late = [key for key in sorted(shape.wants) if key not in group.node and key not in group.known]
    if late and group.labelled:
        yield Doubt("software", f"assuming that AKS or software on the nodes sets {join_names(late)}")
    if group.maker is not Maker.KARPENTER and not group.least:
        yield Doubt("empty", f"pool {group.name} may be scaled to zero, so its node capacity is an estimate")


def of_estimates(shape: Shape, groups: Iterable[NodeGroup]) -> Iterator[Doubt]:
    """AKS node pools whose nodes may have more than estimated, so that the pod may fit."""
    for group in groups:
        for name, amount in sorted(shape.asks.items()):
            types = group.instance_types.of(group.types)
            large = (node_type for node_type in types if (node_type.counts.get(name) or 0) >= amount)
            lacking = any((node_type.offers.get(name) or 0) < amount for node_type in large)
            if group.maker is not Maker.KARPENTER and lacking:
                text = f"allocatable {name} on nodes of {group.name} is estimated as in Karpenter; AKS may offer more"
                yield Doubt("near", text)


def _spot(name: str, *, fallback: bool) -> Doubt:
    """Whether there is a spot node is Azure's business; it decides where nothing else will do."""
    if fallback:
        text = f"{name} uses spot when available, otherwise on-demand; the price shown is the on-demand maximum"
        return Doubt("spot", text, decides=False)
    return Doubt("spot", f"{name} is spot: Azure may have no capacity, and can evict the node at any time")


def _on_demand(claim: NodeClaim, shape: Shape) -> int:
    """The offerings on demand that the pool and the pod would take."""
    offerings = claim.group.instance_types.offerings
    allowed = claim.group.slots & offerings.meeting(shape.wants)
    return sum(1 << at for at, slot in enumerate(offerings.slots) if allowed >> at & 1 and not slot.spot)


def _zones(claim: NodeClaim, name: str) -> Iterator[Doubt]:
    offerings = claim.group.instance_types.offerings
    sku = next(claim.group.instance_types.of(claim.types)).sku
    if not offerings.known:
        yield Doubt("zone", "the zones of the region are not known")
    elif offerings.region not in sku.zones:
        yield Doubt("zone", f"zones of {name} in {offerings.region} are unknown")


def of_limits(packed: Packed) -> dict[str, tuple[Doubt, ...]]:
    """Limits that may or may not apply (no file says which), by the name of the group."""
    by_group: dict[str, list[NodeClaim]] = {}
    for claim in packed.claims:
        if not claim.real:
            by_group.setdefault(claim.group.name, []).append(claim)
    return {
        name: (*_of_nodes(found[0].group, packed.limits[name]), *_of_limit(found)) for name, found in by_group.items()
    }


def _of_limit(found: Sequence[NodeClaim]) -> Iterator[Doubt]:
    """Limits that count a shared GPU once for each pod, as soon as its node is up."""
    group = found[0].group
    for name, limit in sorted(group.limits.items()):
        held = sum((_held(claim, name) for claim in found), Decimal(0))
        counted = sum((_counted(claim, name) for claim in found), Decimal(0))
        if held > limit >= counted:
            text = f"once they are up, the nodes of {group.name} count as {held} {name}, and its limit is {limit}"
            yield Doubt("limit", f"{text}: whether the last of them starts depends on the order")


def _of_nodes(group: NodeGroup, left: Mapping[str, Decimal]) -> Iterator[Doubt]:
    """A limit of nodes that holds only once they are there: Karpenter does not count the nodes of a batch."""
    most, over = group.limits.get("nodes"), -left.get("nodes", Decimal(0))
    if group.maker is Maker.KARPENTER and most is not None and over > 0:
        text = f"Karpenter does not count nodes while it decides on a batch of pods: {group.name} may get {most + over}"
        yield Doubt("limit", f"{text}, and its limit of {most} only applies to later pods")


def of_order(claims: Sequence[NodeClaim], mine: Iterable[NodeClaim]) -> Iterator[Doubt]:
    """Which of many nodes with as many pods takes the next pod, where it matters: other pods share `mine`."""
    new = (claim for claim in reversed(claims) if not claim.real)  # from the end, where they are: this asks few of them
    if any(len(claim.pods) > 1 for claim in mine) and sum(1 for _ in islice(new, _STABLE + 1)) > _STABLE:
        text = (
            f"of more than {_STABLE} new nodes with equally many pods, any may get the next pod: the sort is unstable"
        )
        yield Doubt("model", text, decides=False)


def _held(claim: NodeClaim, name: str) -> Decimal:
    return claim.group.instance_types.most(claim.types, name) if "/" in name else Decimal(0)


def _counted(claim: NodeClaim, name: str) -> Decimal:
    return max((node_type.counts.get(name) or Decimal(0)) for node_type in claim.group.instance_types.of(claim.types))


_FACTS = frozenset(
    f"karpenter.azure.com/sku-{key}"
    for key in (
        "cpu",
        "family",
        "gpu-count",
        "gpu-manufacturer",
        "memory",
        "networking-accelerated",
        "series",
        "storage-ephemeralos-maxsize",
        "storage-premium-capable",
        "storage-ultra-ssd",
        "version",
    )
) | {"kubernetes.azure.com/sku-cpu", "kubernetes.azure.com/sku-memory", "kubernetes.azure.com/cluster"}
