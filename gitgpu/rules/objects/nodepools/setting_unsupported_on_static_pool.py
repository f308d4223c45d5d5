"""A NodePool with replicas that also has a weight, or a limit on something other than nodes."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        if reach(pool.item.body, "spec", "replicas") is None:
            continue
        if reach(pool.item.body, "spec", "weight") is not None:
            message = "a NodePool with replicas cannot have a weight"
            yield Finding(pool.item, ("spec", "weight"), message, "remove weight, or replicas")
        for name in pool.limits:
            if name != "nodes":
                message = f"a NodePool with replicas cannot have a limit on {name}"
                remedy = "limit only nodes, or remove replicas"
                yield Finding(pool.item, ("spec", "limits", name), message, remedy)


RULE = Rule(
    code="NPL003",
    name="setting-unsupported-on-static-pool",
    twin="SKU019",
    severity=Severity.ERROR,
    rejects=True,
    summary="A NodePool with replicas also has a weight, or a limit on something other than nodes.",
    help="A NodePool with replicas has a fixed number of nodes, independent of pending pods. A weight has no meaning "
    "for it, and only its nodes can be limited. The API server rejects anything else.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools#static-node-pools",
    ),
    check=_check,
)
