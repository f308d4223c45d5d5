"""Why a group gives a pod no node: the first thing that stands in the way, where it is written, what to change."""

from collections.abc import Iterable
from decimal import Decimal

from gitgpu.check.phrase import listed
from gitgpu.conform.wishes import request_place
from gitgpu.schedule.requirement import clash
from gitgpu.schedule.room import shown
from gitgpu.simulate.case import Case, agreed, kept_off_by, reason, said, sizes, together
from gitgpu.simulate.fit import kept_off, lacking_choice, missing, refuses, within
from gitgpu.simulate.group import Maker, NodeGroup
from gitgpu.simulate.outcome import Reason
from gitgpu.simulate.selector import ZONE, Kind
from gitgpu.simulate.shape import Shape


def blocked(case: Case, shapes: Iterable[Shape]) -> Reason:
    """What keeps the pods away from a group, in the reading that comes nearest to a node."""
    return max((_first(case._replace(shape=shape)) for shape in shapes), key=lambda one: one.stage)


def _first(case: Case) -> Reason:
    steps = (_barred, _taint, _label, _size, _offering, _claim, _port, _resource, _choice, _limit)
    for stage, step in enumerate(steps):
        found = step(case)
        if found:
            return found._replace(stage=stage)
    return _late(case)._replace(stage=len(steps))


def _barred(case: Case) -> Reason | None:
    one = case.group.barred
    return reason(case, one.kind, (one.message, one.help), one.at) if one else None


def _taint(case: Case) -> Reason | None:
    taints = kept_off(case.shape, case.group)
    if not taints:
        return None
    at = list(case.group.taints).index(taints[0])
    return reason(case, "taint", kept_off_by(taints[0]), case.group.at("taints", at), case.here("tolerations"))


def _label(case: Case) -> Reason | None:
    group, wants = case.group, case.shape.wants
    key = clash(group.node, wants)
    if key:
        words = f"the pod wants {said(wants[key])}, and its nodes have {said(group.node[key])}"
        remedy = "change one of the two, or choose another pool"
        return reason(case, "label", (words, remedy), group.at(key), case.wish(key))
    key = missing(case.shape, group)
    if not key:
        return None
    who = "Karpenter starts no node for a label" if group.maker is Maker.KARPENTER else "no node has a label"
    words = f"the pod wants {said(wants[key])}: {who} that the pool does not set"
    remedy = f"set {key} in the labels of the pool, or take it out of the pod"
    if not case.settable(key):
        remedy = f"take {key} out of the pod: no NodePool may set it"
    if key in case.instead:
        words += "; software sets it on the node, which is too late"
        remedy = f"ask for {case.instead[key]} instead"
    return reason(case, "label", (words, remedy), group.at("labels"), case.wish(key))


def _size(case: Case) -> Reason | None:
    group, wants = case.group, case.shape.wants
    if not group.types:
        words = "no GPU size that the catalog knows and Karpenter offers meets its requirements and labels"
        remedy = "name GPU sizes of `gitgpu sku list`, and take out what excludes them"
        return reason(case, "size", (words, remedy), group.at("requirements"))
    types, offered = group.types, group.shelf.market.labels(0)
    for key in sorted(wants.keys() - offered.keys()):
        types &= group.shelf.meeting([wants[key]])
        if not types:
            words = f"the pod wants {said(wants[key])}, and none of its sizes ({sizes(group, group.types)}) is so"
            remedy = "change what the pod wants, or the sizes of the pool"
            return reason(case, "size", (words, remedy), group.at("requirements"), case.wish(key))
    return None


def _offering(case: Case) -> Reason | None:
    types, slots = agreed(case)
    if types & case.group.shelf.selling(slots):
        return None
    market = case.group.shelf.market
    keys = [key for key in sorted(case.shape.wants) if key in market.slots[0].labels] if market.slots else []
    asked = listed([said(case.shape.wants[key]) for key in keys]) or "any of the pool's zones and capacity types"
    words = f"no size ({sizes(case.group, types)}) is sold with {asked}"
    remedy = "allow another zone or capacity type"
    return reason(
        case,
        "offering",
        (words, remedy),
        case.group.at(keys[0] if keys else ZONE),
        case.wish(keys[0]) if keys else None,
    )


def _claim(case: Case) -> Reason | None:
    if not refuses(case.shape, case.group):
        return None
    words = "the pod has resourceClaims, and Karpenter on AKS starts no node for such pods"
    remedy = "ask for nvidia.com/gpu under limits, or use a pool of the cluster autoscaler"
    return reason(case, "claim", (words, remedy), case.here("resourceClaims"))


def _port(case: Case) -> Reason | None:
    types, slots = agreed(case)
    shelf = case.group.shelf
    if types & shelf.selling(slots) & shelf.without(case.shape.ports):
        return None
    ports = listed([f"{one.port}/{one.protocol}" for one in sorted(case.shape.ports)])
    words = f"the pod takes port {ports} of its node, and a DaemonSet on all nodes of the pool has it"
    return reason(case, "apart", (words, "take another port, or none of the node"), case.here("containers"))


def _resource(case: Case) -> Reason | None:
    types, slots = agreed(case)
    shelf, left = case.group.shelf, types & case.group.shelf.selling(slots)
    for name in sorted(case.shape.asks, key=lambda one: ("/" not in one, one)):
        amount, before = case.shape.asks[name], left
        left &= shelf.fitting({name: amount})
        if not left:
            return _too_much(case, name, before)
    return None


def _too_much(case: Case, name: str, types: int) -> Reason:
    """The pod asks for more than any size offers of those that had enough of everything before."""
    amount, group = case.shape.asks[name], case.group
    has = {one.sku.name: one.offers.get(name) or Decimal(0) for one in group.shelf.of(types)}
    best = max(has, key=lambda sku: (has[sku], sku))
    asked, most = shown(name, amount), shown(name, max(has[best], Decimal(0)))
    change = case.pod.item.given.places.span(request_place(case.pod, name))
    words = f"the pod asks for {asked} of {name}, and {best}, its largest size, offers {most}"
    remedy = f"ask for less {name}, or add a larger size to the pool"
    if has[best] <= 0:
        words = f"the pod asks for {name}, and none of its sizes offers any{_uncounted(group, types, name)}"
        remedy = "ask for what the pool has, or choose another pool"
    elif any((one.holds.get(name) or 0) >= amount for one in group.shelf.of(types)):
        words += " until its device plugin runs"
    return reason(case, "resource", (words, remedy), group.at("requirements"), change)


def _uncounted(group: NodeGroup, types: int, name: str) -> str:
    """Some sizes have GPUs of which Azure's API reports none, and so Karpenter knows of none."""
    found = [one.sku.name for one in group.shelf.of(types) if one.sku.resource == name and one.sku.counted_gpus == 0]
    return f": Azure's API reports no GPU of {listed(found)}" if found else ""


def _choice(case: Case) -> Reason | None:
    types, slots = agreed(case)
    left = types & case.group.shelf.selling(slots) & case.group.shelf.fitting(case.shape.asks)
    key = lacking_choice(left, case.group)
    if not key:
        return None
    words = f"fewer than {case.group.minimum[key]} values of {key} are left to choose from, which minValues demands"
    return reason(case, "minValues", (words, "lower minValues, or allow more sizes"), case.group.at(key))


def _limit(case: Case) -> Reason | None:
    types, slots = agreed(case)
    group = case.group
    left = types & group.shelf.selling(slots) & group.shelf.fitting(case.shape.asks)
    if group.maker is Maker.NOBODY:
        words = f"its number of nodes is fixed, and the {group.least} that it has are full"
        return reason(case, "limit", (words, "give the pool more nodes"), group.at("limits"))
    if within(left, group, case.left):
        return None
    key = next((one for one in sorted(case.left) if not within(left, group, {one: case.left[one]})), "")
    if not key:
        return together(case)
    at = group.at("limits", *([key] if group.maker is Maker.KARPENTER else []))
    if not group.limits[key]:
        words = f"its limit {key} is 0, so it gets no new nodes"
        return reason(case, "limit", (words, "choose another pool, or allow this one new nodes"), at)
    needs = {one.counts.get(key) or Decimal(0) for one in group.shelf.of(left)} or {Decimal(0)}
    words = (
        f"of its limit {key}: {shown(key, group.limits[key])}, {shown(key, max(case.left[key], Decimal(0)))} is left, "
        f"and a node of {sizes(group, left)} takes {'at least ' if len(needs) > 1 else ''}{shown(key, min(needs))}"
    )
    return reason(case, "limit", (words, f"raise the limit of {key}, or ask for fewer replicas"), at)


def _late(case: Case) -> Reason:
    """Every single pod could have a node; it is the others that leave none."""
    kinds = {rule.kind for rule in case.shape.rules if rule.hard}
    if Kind.TOGETHER in kinds:
        words = "no node with the pods that it wants to be with has room for it"
        remedy = "simulate those pods as well, or prefer to be with them instead of requiring it"
        return reason(case, "apart", (words, remedy), case.here("affinity"))
    if Kind.SPREAD in kinds:
        words = "its topology spread allows no more pods in the zones that are left"
        remedy = "raise maxSkew, let ScheduleAnyway do, or name the zones in the pod"
        return reason(case, "spread", (words, remedy), case.here("topologySpreadConstraints"))
    words = "the other pods of this run leave it no node"
    return reason(case, "apart", (words, "simulate fewer workloads at once"), case.here())
