"""A GPU NodePool without a limit."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    counted = set(objects.catalog.must("labels", "karpenter")["capacity"])
    for pool in node_pools(objects):
        fixed = reach(pool.item.body, "spec", "replicas") is not None  # a static NodePool has a fixed number of nodes
        if pool.for_gpus and not fixed and not counted & set(pool.limits):
            place = ("spec", "limits") if pool.limits else ("spec",)
            message = "no limit keeps this NodePool from using the whole GPU quota"
            yield Finding(pool.item, place, message, 'add limits such as {nvidia.com/gpu: "8"}')


RULE = Rule(
    code="NPL016",
    name="unlimited-pool",
    twin="SKU008",
    severity=Severity.WARNING,
    summary="A GPU NodePool has no limit that has an effect.",
    help="Karpenter starts nodes as long as pods are pending. A controller that creates pods in a loop can then use "
    "the whole GPU quota of the subscription. A limit on GPUs is best; one on nodes, cpu or memory also works.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools#node-pool-limits",
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
    ),
    check=_check,
)
