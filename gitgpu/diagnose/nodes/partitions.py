"""Nodes that offer their GPUs in parts or with a different name, and not as what the size promises."""

from collections.abc import Mapping
from decimal import Decimal

from gitgpu.diagnose.cause import NODE_FAULT, STUCK_NODE, Answer, Cause, Evidence, subject_of
from gitgpu.diagnose.nodes.claims import Claim
from gitgpu.diagnose.nodes.software import failed_layout
from gitgpu.diagnose.reading.state import State
from gitgpu.model.sku import Sku
from gitgpu.objects.objects import Item
from gitgpu.objects.workload.devices import device_row

_RULE = "SHR090"


def partition_answer(
    node: Item, claim: Claim | None, offered: Mapping[str, Decimal], sku: Sku, state: State
) -> Answer | None:
    """The answer about a node with parts of GPUs, or shared ones; None if nothing is wrong with them.

    `offered` are its GPUs by the name of the resource.
    """
    name = node.identity.name
    shown = Evidence(
        f"Node {name}", f"allocatable has {', '.join(f'{key}: {offered[key]}' for key in sorted(offered))}"
    )
    if failed := failed_layout(node):
        cause = Cause(NODE_FAULT, failed.message, failed.remedy)
        return Answer(subject_of(node), cause, (shown, *failed.evidence), (name,), None)
    if claim is None or claim.waits is None or offered.get(sku.resource):
        return None
    row = device_row(sku.resource, state.objects) or {}
    others = [key for key, amount in offered.items() if amount]
    rules: tuple[str, ...] = ()
    if others == [row.get("shared")]:
        setting, rules = "remove renameByDefault from the configuration of the device plugin", (_RULE,)
    else:
        setting = f"use the single strategy of MIG, with which they are {sku.resource}"
    message = (
        f"the node offers {' and '.join(others)}, and Karpenter waits for {sku.resource}; it counts its GPUs and "
        "starts no other node"
    )
    remedy = f"{setting}: Karpenter starts nodes only for {sku.resource}"
    minutes = state.minutes_since(claim.waits.since)
    return Answer(
        subject_of(node), Cause(STUCK_NODE, message, remedy, rules=rules), (shown, claim.evidence), (name,), minutes
    )
