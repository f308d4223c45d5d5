"""Why a NodePool cannot start any node, regardless of the pod."""

from gitgpu.access import list_at, reach
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.model.names.labels import SKU_NAME_LABEL
from gitgpu.objects.node.node_pools import REQUIREMENTS, SPEC, NodePool, matching, terms
from gitgpu.objects.objects import Item, Objects
from gitgpu.schedule.excluded_sizes import why_left_out
from gitgpu.simulate.node.node_group import NotReady
from gitgpu.simulate.world import World

_BY_AKS = "default"  # the node class that AKS creates itself


def not_ready(pool: NodePool, owner: Item | None, world: World) -> NotReady | None:
    """Why no node of the pool ever starts: its node class is missing or rejected, or none of its sizes is left."""
    return (
        _class_not_ready(pool, owner, world)
        or _rejected_by_karpenter(pool, owner)
        or _no_size(pool, owner, world.objects)
    )


def _class_not_ready(pool: NodePool, owner: Item | None, world: World) -> NotReady | None:
    places = pool.item.given.places
    reference = reach(pool.item.body, *SPEC, "nodeClassRef")
    name = reference.get("name") or ""
    if (reference.get("group"), reference.get("kind")) != AKS_NODE_CLASS:
        message = "its nodeClassRef is not an AKSNodeClass of karpenter.azure.com, so Karpenter ignores the NodePool"
        at = places.span((*SPEC, "nodeClassRef"))
        return NotReady("class", message, "set group: karpenter.azure.com and kind: AKSNodeClass", at)
    if name in world.refused:
        fault = world.refused[name]
        return NotReady("class", f"its AKSNodeClass {name} is rejected: {fault.message}", fault.help, fault.span)
    if owner is None and name != _BY_AKS and world.objects.knows(*AKS_NODE_CLASS):
        message = f"its AKSNodeClass {name} does not exist, so the NodePool never becomes Ready"
        at = places.span((*SPEC, "nodeClassRef", "name"))
        return NotReady("class", message, "add the AKSNodeClass, or correct nodeClassRef.name", at)
    return None


def _rejected_by_karpenter(pool: NodePool, owner: Item | None) -> NotReady | None:
    """Why Karpenter skips the NodePool: it or its node class is being deleted, or the status says that it is not Ready.

    NewScheduler in pkg/controllers/provisioning/provisioner.go of kubernetes-sigs/karpenter v1.14.0.
    """
    for item in filter(None, (pool.item, owner)):
        name = "it" if item is pool.item else f"its AKSNodeClass {item.identity.name}"
        at = item.given.places.span()
        if reach(item.body, "metadata", "deletionTimestamp"):
            return NotReady("class", f"{name} is being deleted", "use another pool", at)
        for condition in filter(None, list_at(item.body, "status", "conditions")):
            if condition.get("type") == "Ready" and condition.get("status") != "True":
                message = f"{name} is not Ready: {condition.get('message') or condition.get('reason')}"
                return NotReady("class", message, "correct it, or remove the old status from the input", at)
    return None


def _no_size(pool: NodePool, owner: Item | None, objects: Objects) -> NotReady | None:
    node_terms = terms(owner, objects.catalog)
    skus = matching(pool, objects)
    if not skus or any(not why_left_out(sku, node_terms) for sku in skus):
        return None
    first = skus[0]
    message = f"no node of {first.name} ever starts: {why_left_out(first, node_terms)}"
    place = next((demand.place for demand in pool.label_requirements if demand.key == SKU_NAME_LABEL), REQUIREMENTS)
    at = pool.item.given.places.span(place)
    remedy = "choose other sizes, or change the AKSNodeClass"
    return NotReady("size", message, remedy, at)
