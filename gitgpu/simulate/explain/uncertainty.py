"""What cannot be known from files: unknown facts, requests close to what a node has, and what is not modelled."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice

from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.model.names.kinds import POD_DISRUPTION_BUDGET
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL, HOSTNAME_LABEL, NODEPOOL_LABEL, ZONE_LABEL
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import is_readable
from gitgpu.objects.workload.other_clouds import may_be_foreign
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.scheduler_profiles import NAME, scheduler_profiles
from gitgpu.simulate.explain.queued import of_admission
from gitgpu.simulate.explain.unread import of_unread
from gitgpu.simulate.forecast import Doubt
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.node.node_states import removed_nodes
from gitgpu.simulate.place.node_claim import NodeClaim, highest_count
from gitgpu.simulate.place.scheduler import Packed
from gitgpu.simulate.pod.label_selectors import Kind
from gitgpu.simulate.pod.resource_claims import claimed_devices
from gitgpu.simulate.pod.shape import Shape
from gitgpu.simulate.pod.volumes import storage_of
from gitgpu.simulate.workloads import Work

# Labels that have the same values on nodes without GPUs.
_COUNTED = frozenset({HOSTNAME_LABEL, ZONE_LABEL, CAPACITY_TYPE_LABEL, NODEPOOL_LABEL})
_MAX_STABLE = 12  # Go's sort.Slice sorts up to 12 elements by insertion, which keeps the order of equal ones


def of_work(work: Work, objects: Objects) -> Iterator[Doubt]:
    """Doubts about where the pods of a workload go, or how many there are, that follow from the workload alone."""
    yield from _pod_doubts(work.pod, objects)
    yield from (Doubt("claim", text) for text in claimed_devices(work.pod, objects).uncounted)
    if work.all_pods:
        yield Doubt("model", f"only {work.high:,} of {work.all_pods:,} pods were simulated")


def _pod_doubts(pod: Pod, objects: Objects) -> Iterator[Doubt]:
    if not is_readable(pod):
        yield Doubt("model", "a node selector term that uses matchFields or cannot be parsed was ignored")
    if may_be_foreign(pod, objects):
        yield Doubt("model", "a NodePool of another cloud could run it, but is ignored")
    scheduler = pod.spec.get("schedulerName")
    if scheduler not in (None, "default-scheduler") and scheduler not in _scoring_profiles(objects):
        yield Doubt("model", f"the pod uses the scheduler {scheduler}, which is not modelled")
    if pod.spec.get("nodeName") in removed_nodes(objects):
        yield from _moving_doubts(pod, objects)
    elif pod.spec.get("nodeName"):
        yield Doubt("model", "the pod sets nodeName, so it is not scheduled")
    yield from of_admission(pod, objects)
    if unknown := storage_of(pod, objects).unknown:
        yield Doubt("volume", unknown)
    yield from of_unread(pod, objects)


def _scoring_profiles(objects: Objects) -> frozenset[str]:
    """Profiles of the scheduler that allow the same nodes as the default one: the same nodes are started for pods."""
    profiles = [profile for profile in scheduler_profiles(objects) if profile.item.identity.name == NAME]
    return frozenset(profile.name for profile in profiles if profile.only_scores)


def _moving_doubts(pod: Pod, objects: Objects) -> Iterator[Doubt]:
    """What may keep a pod on a node that is being removed."""
    meta = pod.item.body["metadata"]
    budgets = objects.of(*POD_DISRUPTION_BUDGET)
    if any(item.identity.namespace == pod.item.identity.namespace for item in budgets):
        yield Doubt("model", "a PodDisruptionBudget may keep the pod on its node, which is being removed")
    if DO_NOT_DISRUPT_ANNOTATION in (meta.get("annotations") or {}) or meta.get("deletionTimestamp"):
        yield Doubt("model", "the pod may stay on its node, which is being removed, until it ends")


def of_rules(shape: Shape) -> Iterator[Doubt]:
    """Doubts about affinity and spread rules of a pod that depend on more than the pods of this run."""
    for rule in shape.rules:
        if rule.kind is Kind.TOGETHER and not rule.selector.selects(shape.own):
            yield Doubt("model", "its affinity depends on other pods, and the input may not contain all of them")
        elif rule.key not in _COUNTED:
            text = f"{rule.kind} by {rule.key} also counts sizes without GPUs, which the catalog does not contain"
            yield Doubt("model", text)


def of_estimates(shape: Shape, groups: Iterable[NodeGroup]) -> Iterator[Doubt]:
    """AKS node pools whose nodes may have more than estimated, so that the pod may fit."""
    for group in groups:
        if group.maker is Maker.KARPENTER:
            continue
        for name, amount in sorted(shape.requests.items()):
            types = group.instance_types.of(group.types)
            large = (node_type for node_type in types if (node_type.counts.get(name) or 0) >= amount)
            if any((node_type.offers.get(name) or 0) < amount for node_type in large):
                text = f"allocatable {name} on nodes of {group.name} is estimated as in Karpenter; AKS may offer more"
                yield Doubt("near", text)


def of_limits(packed: Packed) -> dict[int, tuple[Doubt, ...]]:
    """Limits that may or may not apply (no file says which), by the id of the group."""
    by_group: dict[int, list[NodeClaim]] = {}
    for claim in packed.claims:
        if not claim.real:
            by_group.setdefault(id(claim.group), []).append(claim)
    doubts: dict[int, tuple[Doubt, ...]] = {}
    for key, claims in by_group.items():
        group = claims[0].group
        doubts[key] = (*_node_limit_doubts(group, packed.limits[key]), *_limit_doubts(group, claims))
    return doubts


def _limit_doubts(group: NodeGroup, claims: Sequence[NodeClaim]) -> Iterator[Doubt]:
    """Limits that count a shared GPU once for each pod, as soon as its node is up."""
    for name, limit in sorted(group.limits.items()):
        once_up = sum((_once_up(claim, name) for claim in claims), Decimal(0))
        minimum = sum((highest_count(claim, name) for claim in claims), Decimal(0))
        if once_up > limit >= minimum:
            text = f"once they run, the nodes of {group.name} count as {once_up} {name}, but its limit is {limit}"
            yield Doubt("limit", f"{text}: the last of them may not start, depending on the order")


def _node_limit_doubts(group: NodeGroup, left: Mapping[str, Decimal]) -> Iterator[Doubt]:
    """A limit of nodes applies only once they exist: Karpenter does not count the nodes of a batch."""
    maximum = group.limits.get("nodes")
    if group.maker is Maker.KARPENTER and maximum is not None and left["nodes"] < 0:
        nodes = maximum - left["nodes"]
        text = f"Karpenter does not count nodes while it decides on a batch of pods: {group.name} may get {nodes}"
        yield Doubt("limit", f"{text}, because its limit of {maximum} applies only to later pods")


def of_order(claims: Sequence[NodeClaim], own: Iterable[NodeClaim]) -> Iterator[Doubt]:
    """A doubt about which of many nodes with equally many pods gets the next pod.

    It matters only if one of `own`, the nodes of the workload, also has pods of other workloads.
    """
    new = (claim for claim in reversed(claims) if not claim.real)  # new nodes are at the end
    if any(len(claim.pods) > 1 for claim in own) and sum(1 for _ in islice(new, _MAX_STABLE + 1)) > _MAX_STABLE:
        text = f"more than {_MAX_STABLE} new nodes have equally many pods"
        yield Doubt("model", f"{text}: any of them may get the next pod (unstable sort)", decides=False)


def _once_up(claim: NodeClaim, name: str) -> Decimal:
    return claim.group.instance_types.maximum(claim.types, name) if "/" in name else Decimal(0)
