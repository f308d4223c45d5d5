"""Nodes of the cluster that have room for a pod and take none: cordoned, or with a condition that keeps pods off.

The node lifecycle controller adds a taint for spec.unschedulable and for each of these conditions
(taintKeyToNodeConditionMap in pkg/controller/nodelifecycle/node_lifecycle_controller.go of kubernetes/kubernetes).
"""

from collections.abc import Iterator

from gitgpu.diagnostic import Problem
from gitgpu.model.syntax.requirement import clash
from gitgpu.schedule.taint import HARD, untolerated_taints
from gitgpu.simulate.forecast import Reason
from gitgpu.simulate.node.existing_nodes import ExistingNode
from gitgpu.simulate.place.fit import unset_label
from gitgpu.simulate.place.node_claim import fit_with
from gitgpu.simulate.place.occupied import existing_claim
from gitgpu.simulate.place.scheduler import Load, Places

_CORDONED = "node.kubernetes.io/unschedulable"
_CONDITIONS = {
    "node.kubernetes.io/disk-pressure": "DiskPressure",
    "node.kubernetes.io/memory-pressure": "MemoryPressure",
    "node.kubernetes.io/pid-pressure": "PIDPressure",
    "node.kubernetes.io/network-unavailable": "NetworkUnavailable",
}


def closed_nodes(load: Load, places: Places) -> Iterator[Reason]:
    """A reason for each node that has room for a pod, and from which only its state keeps it."""
    for node in places.existing.nodes:
        if problem := _closed(node, load):
            at = node.group.item.given.places.span(("spec",))
            yield Reason(node.pool, "closed", *problem, at, at, node=node.name)


def _closed(node: ExistingNode, load: Load) -> Problem | None:
    shape = load.shapes[-1]
    taints = untolerated_taints(node.group.taints, shape.tolerations, HARD)
    keys = [str(taint.get("key")) for taint in taints]
    if not keys or not {_CORDONED, *_CONDITIONS}.issuperset(keys):
        return None
    labels = node.group.node
    if clash(labels, shape.wants) or unset_label(shape.wants, node.group, labels, fixed=True):
        return None
    claim = existing_claim(node, 0)
    if fit_with(claim, shape, claim.wants, up=True) is None:
        return None
    if _CORDONED in keys:
        return Problem(
            f"node {node.name} has room for it, and is cordoned",
            f"if its maintenance is over, run `kubectl uncordon {node.name}`",
        )
    condition = _CONDITIONS[keys[0]]
    message = f"node {node.name} has room for it, but takes no pods while its condition {condition} is True"
    return Problem(message, "correct what the condition says, or replace the node")
