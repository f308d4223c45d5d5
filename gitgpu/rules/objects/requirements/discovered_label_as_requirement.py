"""A requirement on a label that GPU Feature Discovery sets, with which Karpenter cannot choose a size."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.prefixes import NVIDIA_PREFIX
from gitgpu.model.size.node_labels import GPU_NAME, NAMES
from gitgpu.objects.node.node_pools import Entry, NodePool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    later = {row["key"]: row["instead"] for row in objects.catalog.must("placement", "aks")["later"]}
    for pool in node_pools(objects):
        for entry in pool.entries:
            if entry.key.startswith(NVIDIA_PREFIX) and entry.key in later and not _is_label(entry, pool):
                message = f"{entry.key} is set only on running nodes, so Karpenter cannot choose a size with it"
                remedy = f"require {later[entry.key]} instead"
                yield Finding(pool.item, (*entry.pointer, "key"), message, remedy)


def _is_label(entry: Entry, pool: NodePool) -> bool:
    """Whether the requirement only announces a label of nodes, because another requirement chooses the size."""
    return entry.operator == "In" and len(entry.values) == 1 and not {*NAMES, GPU_NAME}.isdisjoint(pool.together)


RULE = Rule(
    code="NPL034",
    name="discovered-label-as-requirement",
    severity=Severity.WARNING,
    summary="A NodePool requires a label that GPU Feature Discovery sets on running nodes.",
    help=(
        "Karpenter compares requirements with the labels that it knows for a size, and ignores labels that the size "
        "does not have. The NodePool starts any of its sizes with the required value as a label, and GPU Feature "
        "Discovery later replaces it with the actual value."
    ),
    sources=(
        "https://github.com/METR/hawk/issues/1486",
        "https://github.com/kubernetes-sigs/karpenter/issues/1219",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
    ),
    facts=("placement/aks",),
    check=_check,
)
