"""What a group lacks for a pod: resources, enough instance types to choose from, or room within its limits."""

from decimal import Decimal

from gitgpu.diagnostic import Problem
from gitgpu.model.syntax.requirement import intersect
from gitgpu.objects.workload.node_constraints import request_place
from gitgpu.schedule.allocatable import amount_text
from gitgpu.simulate.forecast import Reason
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.place.candidate import Candidate, count_agreeing, reason, sizes
from gitgpu.simulate.place.fit import lacking_choice, values_left, within
from gitgpu.spelling import join_names


def resource(candidate: Candidate) -> Reason | None:
    """The first resource that no size has enough of; devices come before cpu and memory."""
    types, offered = count_agreeing(candidate)
    instance_types = candidate.group.instance_types
    left = types & instance_types.selling(offered)
    for name in sorted(candidate.shape.requests, key=lambda name: ("/" not in name, name)):
        enough = left & instance_types.fitting({name: candidate.shape.requests[name]})
        if not enough:
            return _too_much(candidate, name, left)
        left = enough
    return None


def _too_much(candidate: Candidate, name: str, types: int) -> Reason:
    """The reason if the pod requests more of a resource than any of these sizes has."""
    amount, group = candidate.shape.requests[name], candidate.group
    has = {node_type.sku.name: node_type.offers.get(name) or Decimal(0) for node_type in group.instance_types.of(types)}
    best = max(has, key=lambda sku: (has[sku], sku))
    requested, maximum = amount_text(name, amount), amount_text(name, max(has[best], Decimal(0)))
    change = candidate.pod.item.given.places.span(request_place(candidate.pod, name))
    message = f"the pod requests {requested} of {name}, but {best}, the largest size of the pool, has {maximum}"
    remedy = f"request less {name}, or add a larger size to the pool"
    if has[best] <= 0:
        message = f"the pod requests {name}, but no size of the pool has any{_uncounted(group, types, name)}"
        remedy = "request a resource that the pool has, or choose another pool"
    elif any((node_type.holds.get(name) or 0) >= amount for node_type in group.instance_types.of(types)):
        message += " until its device plugin runs"
    return reason(candidate, "resource", Problem(message, remedy), group.at("requirements"), change)


def _uncounted(group: NodeGroup, types: int, name: str) -> str:
    """Azure's API reports no GPUs for some sizes that have them, so Karpenter does not know about these GPUs."""
    skus = [node_type.sku for node_type in group.instance_types.of(types)]
    uncounted = [sku.name for sku in skus if sku.resource == name and sku.counted_gpus == 0]
    return f": Azure's API does not report GPUs of {join_names(uncounted)}" if uncounted else ""


def full_of_daemons(candidate: Candidate) -> Reason | None:
    """The reason if a group has no types because DaemonSets request more than the sizes of the group have."""
    group, instance_types = candidate.group, candidate.group.instance_types
    types = instance_types.meeting(group.node.values()) & instance_types.selling(group.offered)
    if not types:
        return None
    lacking: set[str] = set()
    for node_type in instance_types.of(types):
        lacking.update(name for name, amount in node_type.offers.items() if amount is not None and amount < 0)
    message = f"DaemonSets request more {join_names(sorted(lacking))} than nodes of {sizes(group, types)} have"
    remedy = "reduce the requests of the DaemonSets, keep them off the pool, or add a larger size"
    return reason(candidate, "resource", Problem(message, remedy), group.at("requirements"))


def choice(candidate: Candidate) -> Reason | None:
    """The key with `minValues` for which too few values are left."""
    types, offered = count_agreeing(candidate)
    group = candidate.group
    left = types & group.instance_types.selling(offered) & group.instance_types.fitting(candidate.shape.requests)
    wants = intersect([*group.node.values(), *candidate.shape.wants.values()])
    key = lacking_choice(left, group, wants)
    if not key:
        return None
    message = f"minValues requires {group.min_values[key]} values of {key}, but "
    if not group.counts_allowed or key not in candidate.shape.wants:
        problem = Problem(f"{message}fewer sizes match the pod", "lower minValues, or allow more sizes")
        return reason(candidate, "minValues", problem, group.at(key))
    allowed = join_names(sorted(values_left(key, left, group, wants)))
    problem = Problem(f"{message}the pod allows only {allowed}", "lower minValues, or let the pod allow more values")
    return reason(candidate, "minValues", problem, group.at(key), candidate.label_place(key))


def limit(candidate: Candidate) -> Reason | None:
    """The limit that leaves no room for one more node."""
    types, offered = count_agreeing(candidate)
    group = candidate.group
    left = types & group.instance_types.selling(offered) & group.instance_types.fitting(candidate.shape.requests)
    if group.maker is Maker.FIXED:
        message = f"its number of nodes is fixed, and all {group.min_nodes} are full"
        return reason(candidate, "limit", Problem(message, "add nodes to the pool"), group.at("limits"))
    if within(left, group, candidate.left):
        return None
    key = next((name for name in sorted(candidate.left) if not within(left, group, {name: candidate.left[name]})), "")
    return _single_limit(candidate, key, left) if key else _all_limits(candidate)


def _single_limit(candidate: Candidate, key: str, left: int) -> Reason:
    """The reason if one limit excludes all sizes that are left."""
    group, rest = candidate.group, candidate.left[key]
    # Only the limits of a NodePool have a key each: an AKS node pool has maxCount alone.
    place = group.at("limits", key) if group.maker is Maker.KARPENTER else group.at("limits")
    limit = amount_text(key, group.limits[key])
    if not group.limits[key]:
        message = f"its limit {key} is 0, so it gets no new nodes"
        return reason(
            candidate, "limit", Problem(message, "choose another pool, or let this pool start new nodes"), place
        )
    remedy = f"raise the limit of {key}, or lower the replicas"
    if rest <= 0:
        return reason(candidate, "limit", Problem(f"limit reached: all {limit} of {key} are used", remedy), place)
    needs = {node_type.counts.get(key) or Decimal(0) for node_type in group.instance_types.of(left)}
    minimum = amount_text(key, min(needs))
    if len(needs) > 1:
        minimum = f"at least {minimum}"
    message = (
        f"limit {key} is {limit}: {amount_text(key, rest)} left, and a node of {sizes(group, left)} uses {minimum}"
    )
    return reason(candidate, "limit", Problem(message, remedy), place)


def _all_limits(candidate: Candidate) -> Reason:
    """The reason if each limit alone leaves a size, but all of them together leave none."""
    keys = sorted(candidate.left)
    each = join_names([f"{key}: {amount_text(key, candidate.group.limits[key])}" for key in keys])
    message = f"no size of the pool is within its limits {each} together"
    return reason(
        candidate, "limit", Problem(message, f"raise the limit of {' or '.join(keys)}"), candidate.group.at("limits")
    )
