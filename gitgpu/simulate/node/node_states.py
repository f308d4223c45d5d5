"""Nodes as Karpenter sees them: each Node together with its NodeClaim.

Follows pkg/controllers/state/statenode.go and cluster.go of kubernetes-sigs/karpenter v1.14.0.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.model.names.kinds import NODE, NODE_CLAIM
from gitgpu.model.names.labels import INITIALIZED_LABEL, INSTANCE_TYPE_LABEL, NODEPOOL_LABEL, REGISTERED_LABEL
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import amounts
from gitgpu.objects.objects import Item, Objects
from gitgpu.schedule.allocatable import allocatable
from gitgpu.schedule.capacity import capacity
from gitgpu.simulate.node.ephemeral_taints import lasting_taints

_DISRUPTED = "karpenter.sh/disrupted"
# The node lifecycle controller adds it to a node with spec.unschedulable.
_CORDONED = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
_PODS = Decimal(110)  # the default of the kubelet
_PROVIDER = "providerID "  # no name of a node contains a space
_Amounts = Mapping[str, Decimal]


class NodeState(NamedTuple):
    """A node, or a NodeClaim whose node has not joined yet; `sku` is its size, None if the catalog lacks it.

    `unknown` says what is missing in the input or about to change; "" if nothing is.
    """

    item: Item
    name: str
    labels: Mapping[str, str]
    taints: tuple[Mapping[str, Any], ...]
    sku: Sku | None
    capacity: _Amounts
    allocatable: _Amounts
    initialized: bool
    unknown: str

    @property
    def pool(self) -> str:
        """The name of its NodePool; "" if it has none."""
        return self.labels.get(NODEPOOL_LABEL, "")


def removed_nodes(objects: Objects) -> frozenset[str]:
    """The names of nodes that are being deleted. Their pods are scheduled again."""
    return objects.once("removed nodes", lambda: frozenset(_removed(objects)))


def node_states(objects: Objects) -> Iterator[NodeState]:
    """Every node that stays, then every NodeClaim without a node."""
    claims = {_node_of(claim, objects): claim for claim in objects.of(*NODE_CLAIM)}
    for item in objects.of(*NODE):
        if item.identity.name not in removed_nodes(objects):
            yield _state(item, claims.get(item.identity.name), objects)
    for claim in objects.of(*NODE_CLAIM):
        if not _node_of(claim, objects) and not _is_deleted(claim):
            yield _state(None, claim, objects)


def _removed(objects: Objects) -> Iterator[str]:
    for item in objects.of(*NODE):
        if reach(item.body, "metadata", "deletionTimestamp"):
            yield item.identity.name
    for claim in objects.of(*NODE_CLAIM):
        if _is_deleted(claim):
            yield _node_of(claim, objects)


def _is_deleted(claim: Item) -> bool:
    return bool(reach(claim.body, "metadata", "deletionTimestamp")) or _holds(claim, "InstanceTerminating")


def _holds(item: Item, condition: str) -> bool:
    conditions = filter(None, list_at(item.body, "status", "conditions"))
    return any((entry.get("type"), entry.get("status")) == (condition, "True") for entry in conditions)


def _node_of(claim: Item, objects: Objects) -> str:
    """The name of the node of a NodeClaim, found by providerID or nodeName; "" if it is not in the input."""
    provider, name = (reach(claim.body, "status", key) for key in ("providerID", "nodeName"))
    names = objects.once("nodes by providerID", lambda: _names(objects))
    return names.get(f"{_PROVIDER}{provider}") or names.get(name or "", "")


def _names(objects: Objects) -> dict[str, str]:
    """The names of all nodes, by themselves and by their providerID."""
    names: dict[str, str] = {}
    for item in objects.of(*NODE):
        names[item.identity.name] = item.identity.name
        if provider := reach(item.body, "spec", "providerID"):
            names[f"{_PROVIDER}{provider}"] = item.identity.name
    return names


def _state(node: Item | None, claim: Item | None, objects: Objects) -> NodeState:
    """The state of a node. Of a node that has not registered, labels and taints of the NodeClaim count."""
    item = node or claim
    assert item is not None
    labels = _labels(item)
    managed = claim is not None or bool(labels.get(NODEPOOL_LABEL))
    initialized = not managed or labels.get(INITIALIZED_LABEL) == "true"
    registered = not managed or claim is None or labels.get(REGISTERED_LABEL) == "true"
    source = item if registered or claim is None else claim
    labels = labels if registered else {**labels, **_labels(source)}
    sku = objects.catalog.sku(labels.get(INSTANCE_TYPE_LABEL, ""))
    has, leaves, unknown = _amounts(node, claim, sku, initialized=initialized)
    return NodeState(
        item=item,
        name=item.identity.name,
        labels=labels,
        taints=_taints(item, source, objects, initialized=initialized),
        sku=sku,
        capacity=has,
        allocatable=leaves,
        initialized=initialized,
        unknown=unknown or _about_to_change(item),
    )


def _labels(item: Item) -> dict[str, str]:
    return {str(key): str(value) for key, value in mapping_at(item.body, "metadata", "labels").items()}


def _taints(item: Item, source: Item, objects: Objects, *, initialized: bool) -> tuple[Mapping[str, Any], ...]:
    taints = tuple(filter(None, reach(source.body, "spec", "taints") or ()))
    if reach(item.body, "spec", "unschedulable") is True and _CORDONED["key"] not in {row.get("key") for row in taints}:
        taints = (*taints, _CORDONED)
    if initialized:
        return taints
    own = list_at(source.body, "spec", "startupTaints")
    return lasting_taints(taints, _labels(item).get(NODEPOOL_LABEL, ""), objects, own)


def _amounts(
    node: Item | None, claim: Item | None, sku: Sku | None, *, initialized: bool
) -> tuple[_Amounts, _Amounts, str]:
    """Capacity and allocatable, and what is missing: until a node is initialized, its NodeClaim fills in zeros."""
    capacities, rooms = ([_status(item, key) for item in (node, claim)] for key in ("capacity", "allocatable"))
    has, leaves = capacities[0], rooms[0] or capacities[0]
    if not initialized:
        has, leaves = _filled(has, capacities[1]), _filled(leaves, rooms[1])
    lacking = sku is not None and not has.get(sku.resource) and not initialized
    if sku is None or (has and not lacking):
        return has, leaves, ""
    # Karpenter has what it computed for the size in the NodeClaim, which is estimated here.
    text = f"its NodeClaim with its {sku.resource} is not in the input" if has else "its status has no capacity"
    return _filled(has, _known(capacity(sku))), _filled(leaves, _known(allocatable(sku))), text


def _status(item: Item | None, key: str) -> dict[str, Decimal]:
    return amounts(mapping_at(item.body, "status", key)) if item else {}


def _filled(own: _Amounts, other: _Amounts) -> dict[str, Decimal]:
    return {**own, **{name: amount for name, amount in other.items() if not own.get(name)}}


def _known(estimated: Mapping[str, Decimal | None]) -> dict[str, Decimal]:
    known = {name: amount for name, amount in estimated.items() if amount is not None}
    return {"pods": _PODS, **known}


def _about_to_change(item: Item) -> str:
    """Why the node may be gone soon, or may get other pods than its status says."""
    if item.identity.kind == NODE_CLAIM.kind and not reach(item.body, "status", "providerID"):
        return "it has not launched yet"
    keys = {taint.get("key") for taint in filter(None, list_at(item.body, "spec", "taints"))}
    return "Karpenter is about to remove it" if _DISRUPTED in keys else ""
