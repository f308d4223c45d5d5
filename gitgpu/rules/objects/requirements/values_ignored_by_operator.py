"""A requirement with values that its operator ignores."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_MEANT = {"Exists": "In", "DoesNotExist": "NotIn"}


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        for entry in pool.entries:
            if entry.operator in _MEANT and entry.values:
                message = f"operator {entry.operator} of {entry.key} ignores values"
                remedy = f"set operator: {_MEANT[entry.operator]} to use them, or remove values"
                yield Finding(pool.item, (*entry.pointer, "values"), message, remedy)


RULE = Rule(
    code="NPL024",
    name="values-ignored-by-operator",
    severity=Severity.WARNING,
    summary="A NodePool requirement lists values for operator Exists or DoesNotExist.",
    help="Exists matches any value of the label, and DoesNotExist matches none. The API server accepts a list of "
    "values with them, but Karpenter ignores it, so the NodePool gets nodes that are not in the list.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirement.go",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#operators",
    ),
    check=_check,
)
