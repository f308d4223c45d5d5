"""A limit that is smaller than one node."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.limits import short, short_together
from gitgpu.schedule.capacity import as_limit


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        for key, limit, minimum, name in short(pool):
            shown = as_limit(key, minimum)
            message = f"limits.{key} is {limit}, but the smallest node, {name}, has {shown}: no node can ever start"
            yield Finding(pool.origin, ("spec", "limits", key), message, f"set {key}: {shown} or more")

        for key, limit, minimum, name in short_together(pool):
            shown = as_limit(key, minimum)
            message = f"limits.{key} is {limit}, {name} has {shown}, and the other limits exclude the other sizes"
            remedy = f"set {key}: {shown} or more"
            yield Finding(pool.origin, ("spec", "limits", key), f"{message}: no node can ever start", remedy)


RULE = Rule(
    code="SKU007",
    name="limit-below-one-node",
    twin="NPS015",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A limit of a pool is smaller than one node of its smallest size.",
    help="Karpenter excludes every size that would exceed the limit. A limit counts whole nodes. A limit of 0 is not "
    "reported: it is the way to pause a pool.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
)
