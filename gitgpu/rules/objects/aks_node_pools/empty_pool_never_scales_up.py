"""An empty pool whose GPUs the cluster autoscaler does not expect."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.resources import DIRECTX, NVIDIA_GPU
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        # APL006 reports an autoscaler without limits.
        if pool.spec.get("enableAutoScaling") is not True or pool.spec.get("minCount") != 0:
            continue
        if pool.spec.get("maxCount") and (resource := _unexpected(pool, objects)):
            message = f"while the pool has no nodes, the cluster autoscaler does not know that new ones have {resource}"
            remedy = "set minCount: 1 or more, so that the autoscaler can read it from a node"
            yield Finding(pool.item, pool.place("minCount"), message, remedy)


def _unexpected(pool: AgentPool, objects: Objects) -> str:
    """The resource of the pool's GPUs, if the autoscaler does not expect it; "" if it does, or the size is unknown."""
    for _, _, sku in pool.sizes(objects):
        if sku is None or not sku.gpus:
            continue
        resource = DIRECTX if pool.os_type == "Windows" else sku.resource
        if resource != NVIDIA_GPU or sku.counted_gpus == 0:
            return resource
    return ""


RULE = Rule(
    code="APL096",
    name="empty-pool-never-scales-up",
    twin="AGP014",
    severity=Severity.WARNING,
    summary="An AKS node pool that can be empty has GPUs that the cluster autoscaler does not expect on its size.",
    help="For a pool without nodes, the autoscaler knows only the VM size. It expects as many nvidia.com/gpu as the "
    "Azure API reports for that size, regardless of the manufacturer, and does not start a node for pods that request "
    "another resource.",
    sources=(
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/cloudprovider/azure/azure_template.go",
    ),
    facts=("skus",),
    check=_check,
)
