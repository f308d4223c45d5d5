"""A requirement that lists fewer values than its minValues."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        for entry in pool.entries:
            minimum = entry.meaning.minimum if entry.meaning else None
            count = len(set(entry.values))
            # NPL001 reports an empty list.
            if entry.operator == "In" and minimum is not None and 0 < count < minimum:
                message = f"minValues is {minimum}, but {entry.key} lists only {count} different values"
                remedy = f"lower minValues to {count} or less, or list more values"
                yield Finding(pool.item, (*entry.pointer, "minValues"), message, remedy)


RULE = Rule(
    code="NPL002",
    name="values-below-min-values",
    severity=Severity.ERROR,
    rejects=True,
    summary="A NodePool requirement lists fewer values than its minValues.",
    help="Karpenter must be able to choose from at least minValues different values. With fewer in the list the API "
    "server rejects the NodePool. A duplicate value counts once.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
        "https://karpenter.sh/docs/concepts/nodepools/#min-values",
    ),
    check=_check,
)
