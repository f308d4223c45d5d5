"""Why a pod does not get a node of a group: the first obstacle, where it is written, and what to change."""

from collections.abc import Iterable

from gitgpu.diagnostic import Problem
from gitgpu.model.names.labels import NODEPOOL_LABEL, ZONE_LABEL
from gitgpu.model.syntax.requirement import Requirements, clash, intersect
from gitgpu.simulate.explain.insufficient import choice, full_of_daemons, limit, resource
from gitgpu.simulate.forecast import Reason
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.place.candidate import Candidate, count_agreeing, reason, requirement_text, sizes, taint_problem
from gitgpu.simulate.place.fit import enough, missing, refuses, repelling_taints, unset_label
from gitgpu.simulate.pod.label_selectors import Kind
from gitgpu.simulate.pod.shape import Shape
from gitgpu.spelling import join_names


def unschedulable(candidate: Candidate, shapes: Iterable[Shape]) -> Reason:
    """What keeps the pods away from a group, in the reading that comes nearest to a node."""
    return max((_first(candidate._replace(shape=shape)) for shape in shapes), key=lambda why: why.stage)


def _first(candidate: Candidate) -> Reason:
    steps = (_not_ready, _taint, _label, _size, _offering, _ignored, _port, resource, _choice, limit)
    for stage, step in enumerate(steps):
        refusal = step(candidate)
        if refusal:
            return refusal._replace(stage=stage)
    return _late(candidate)._replace(stage=len(steps))


def _not_ready(candidate: Candidate) -> Reason | None:
    not_ready = candidate.group.not_ready
    if not not_ready:
        return None
    return reason(candidate, not_ready.kind, Problem(not_ready.message, not_ready.help), not_ready.at)


def _taint(candidate: Candidate) -> Reason | None:
    taints = repelling_taints(candidate.shape, candidate.group)
    if not taints:
        return None
    index = list(candidate.group.taints).index(taints[0])
    return reason(
        candidate, "taint", taint_problem(taints[0]), candidate.group.at("taints", index), candidate.here("tolerations")
    )


def _label(candidate: Candidate) -> Reason | None:
    group, wants = candidate.group, candidate.shape.wants
    key = clash(group.node, wants)
    if key:
        message = (
            f"the pod requires {requirement_text(wants[key])}, but its nodes have {requirement_text(group.node[key])}"
        )
        remedy = "change one of the two, or choose another pool"
        return reason(candidate, "label", Problem(message, remedy), group.at(key), candidate.label_place(key))
    key = missing(candidate.shape, group)
    if not key:
        return None
    who = "Karpenter does not start a node for a label" if group.maker is Maker.KARPENTER else "no node has a label"
    message = f"the pod requires {requirement_text(wants[key])}: {who} that the pool does not set"
    remedy = f"set {key} in the labels of the pool, or remove it from the pod"
    if not candidate.settable(key):
        remedy = f"remove {key} from the pod: a NodePool cannot set it"
    if key in candidate.instead:
        message += "; it is set only on running nodes, which is too late"
        remedy = f"request {candidate.instead[key]} instead"
    return reason(candidate, "label", Problem(message, remedy), group.at("labels"), candidate.label_place(key))


def _size(candidate: Candidate) -> Reason | None:
    group, wants = candidate.group, candidate.shape.wants
    if not group.types:
        return full_of_daemons(candidate) or _no_size(candidate)
    types = group.types
    for key in sorted(wants.keys() - set(group.instance_types.offerings.keys)):
        types &= group.instance_types.meeting([wants[key]])
        if not types:
            names = sizes(group, group.types)
            message = f"the pod requires {requirement_text(wants[key])}, which no size of the pool ({names}) has"
            remedy = "change the requirement of the pod, or the sizes of the pool"
            return reason(
                candidate, "size", Problem(message, remedy), group.at("requirements"), candidate.label_place(key)
            )
    return None


def _no_size(candidate: Candidate) -> Reason:
    group = candidate.group
    message = "no known GPU size that Karpenter offers meets its requirements and labels"
    remedy = "use GPU sizes from `gitgpu sku list`, and remove requirements that exclude them"
    if restricted := _restricted(group):
        message = f"the subscription cannot use {join_names(restricted)} in {group.instance_types.offerings.region}"
        remedy = "open an Azure support request for access, or use another size or region"
    if elsewhere := _other_regions(group):
        message = f"its zones are in {join_names(elsewhere)}, but the region is {group.instance_types.offerings.region}"
        remedy = "pass the region of the cluster with --region, or correct the zones"
    return reason(candidate, "size", Problem(message, remedy), group.at("requirements"))


def _other_regions(group: NodeGroup) -> list[str]:
    """The regions of the zones that a group requires, if its cluster is in none of them."""
    zones = group.node.get(ZONE_LABEL)
    if zones is None or zones.operator != "In":
        return []
    regions = {zone.rpartition("-")[0] for zone in zones.values} - {""}
    return [] if group.instance_types.offerings.region in regions else sorted(regions)


def _restricted(group: NodeGroup) -> list[str]:
    """The sizes that meet the requirements of a group, if Azure restricts them all for the subscription."""
    offerings = group.instance_types.offerings
    wanted_requirements = [requirement for requirement in group.node.values() if requirement.key not in offerings.own]
    skus = [node_type.sku for node_type in group.instance_types.of(group.instance_types.meeting(wanted_requirements))]
    if not all(sku.restricted.get(offerings.region) for sku in skus):
        return []
    return [sku.name for sku in skus]


def _offering(candidate: Candidate) -> Reason | None:
    types, offered = count_agreeing(candidate)
    if types & candidate.group.instance_types.selling(offered):
        return None
    group, wants = candidate.group, candidate.shape.wants
    # Each type of a group is sold with its offerings, so a label of the pod excludes them.
    keys = [key for key in sorted(wants) if key in group.instance_types.offerings.keys]
    wanted = join_names([requirement_text(wants[key]) for key in keys])
    message = f"no size ({sizes(group, types or group.types)}) is sold with {wanted}"
    problem = Problem(message, "allow another zone or capacity type")
    return reason(candidate, "offering", problem, group.at(keys[0]), candidate.label_place(keys[0]))


def _ignored(candidate: Candidate) -> Reason | None:
    why = candidate.shape.ignored
    if not why or not refuses(candidate.shape, candidate.group):
        return None
    at = candidate.pod.item.given.places.span(why.place)
    return reason(candidate, why.kind, Problem(why.message, why.help), at)


def _port(candidate: Candidate) -> Reason | None:
    types, offered = count_agreeing(candidate)
    instance_types = candidate.group.instance_types
    if types & instance_types.selling(offered) & instance_types.without(candidate.shape.ports):
        return None
    ports = join_names([f"{port.port}/{port.protocol}" for port in sorted(candidate.shape.ports)])
    message = f"the pod needs host port {ports}, which a DaemonSet uses on all nodes of the pool"
    return reason(
        candidate, "apart", Problem(message, "use another port, or no host port"), candidate.here("containers")
    )


def _choice(candidate: Candidate) -> Reason | None:
    """What leaves no node to choose: minValues, or the volumes of the pod."""
    return choice(candidate) or _volume(candidate)


def _volume(candidate: Candidate) -> Reason | None:
    volumes = candidate.shape.volumes
    if not volumes or any(_mounts(candidate, alternative) for alternative in volumes):
        return None
    wanted = (requirement_text(wanted) for alternative in volumes for wanted in alternative.values())
    message = (
        f"a volume of the pod requires {' or '.join(dict.fromkeys(wanted))}, and no node that fits the pod has that"
    )
    problem = Problem(message, "use a volume in a zone of the pool, or allow its zone in the pool and the pod")
    return reason(candidate, "volume", problem, candidate.group.at("requirements"), candidate.here("volumes"))


def _mounts(candidate: Candidate, volumes: Requirements) -> bool:
    """Whether a new node of the group that fits the pod may have what its volumes require."""
    group, shape = candidate.group, candidate.shape
    wants = intersect([*group.node.values(), *shape.wants.values()])
    if clash(wants, volumes) or unset_label(volumes, group, wants, fixed=False):
        return False
    both, instance_types = intersect([*wants.values(), *volumes.values()]), group.instance_types
    offered = group.offered & instance_types.offerings.meeting(both)
    types = group.types & instance_types.meeting(both.values()) & instance_types.selling(offered)
    types &= instance_types.fitting(shape.requests)
    return bool(types) and enough(types, group, both)


def _late(candidate: Candidate) -> Reason:
    """The reason if the pod alone would get a node, but the other pods leave none."""
    if key := _spread_over_choice(candidate):
        message = (
            f"minValues requires {candidate.group.min_values[key]} values of {key}, but its topology spread leaves one"
        )
        problem = Problem(message, "lower minValues, or use ScheduleAnyway")
        place = candidate.here("topologySpreadConstraints")
        return reason(candidate, "minValues", problem, candidate.group.at(key), place)
    if any(rule.hard and rule.key == NODEPOOL_LABEL for rule in candidate.shape.rules):
        message = f"Karpenter knows no values of {NODEPOOL_LABEL} for new nodes, so a rule by this label rules them out"
        problem = Problem(message, f"use another topologyKey than {NODEPOOL_LABEL}")
        return reason(candidate, "spread", problem, candidate.here())
    kinds = {rule.kind for rule in candidate.shape.rules if rule.hard}
    if Kind.TOGETHER in kinds:
        message = "no node with the pods that its affinity requires has enough free capacity"
        remedy = "simulate those pods as well, or use preferred instead of required affinity"
        return reason(candidate, "apart", Problem(message, remedy), candidate.here("affinity"))
    if Kind.SPREAD in kinds:
        message = "its topology spread does not allow more pods in the available zones"
        remedy = "raise maxSkew, use ScheduleAnyway, or restrict the zones of the pod"
        return reason(candidate, "spread", Problem(message, remedy), candidate.here("topologySpreadConstraints"))
    if Kind.APART in kinds:
        message = "its anti-affinity rules out every node on which it would fit: a pod that it selects is there"
        remedy = "use preferred instead of required anti-affinity, or allow more zones and sizes in the pool"
        return reason(candidate, "apart", Problem(message, remedy), candidate.here("affinity"))
    message = "the other pods of this simulation use all nodes that could run it"
    return reason(candidate, "apart", Problem(message, "simulate fewer workloads at once"), candidate.here())


def _spread_over_choice(candidate: Candidate) -> str:
    """A label with minValues, if a topology spread of the pod leaves one value for a node; "" if there is none."""
    group = candidate.group
    if not group.counts_allowed:
        return ""
    keys = [rule.key for rule in candidate.shape.rules if rule.hard and rule.kind is Kind.SPREAD]
    return next((key for key in keys if group.min_values.get(key, 0) > 1), "")
