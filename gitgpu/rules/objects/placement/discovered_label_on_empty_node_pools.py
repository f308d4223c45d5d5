"""A GPU pod that selects a label that only a running node has, and all node pools can be empty."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.names.prefixes import NFD_PREFIX, NVIDIA_PREFIX
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import gpu_devices
from gitgpu.objects.workload.node_constraints import required_labels
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

# Set by GPU Feature Discovery, the GPU Operator and Node Feature Discovery, when a node runs.
_DISCOVERED = (NVIDIA_PREFIX, NFD_PREFIX)


def _check(objects: Objects) -> Iterator[Finding]:
    gpu_pools = [pool for pool in agent_pools(objects) if _may_have_gpus(pool, objects)]
    if not gpu_pools or not objects.closed or not all(map(_can_be_empty, gpu_pools)):
        return
    # A NodePool of Karpenter can accept the pods too (POD002).
    if any(objects.of(*NODE_POOL)):
        return
    known = set[str]().union(*(mapping_at(pool.spec, "nodeLabels") for pool in gpu_pools))
    for pod in pods(objects):
        for required in required_labels(pod) if gpu_devices(pod, objects) else ():
            if required.key.startswith(_DISCOVERED) and required.is_positive and required.key not in known:
                message = (
                    f"only a running node has the label {required.key}: while the node pools are empty, the cluster "
                    f"autoscaler starts none for this pod"
                )
                remedy = (
                    f"add {required.key} to nodeLabels of the node pool, select nodes by "
                    f"node.kubernetes.io/instance-type, or set minCount: 1"
                )
                yield Finding(pod.item, required.pointer, message, remedy)


def _may_have_gpus(pool: AgentPool, objects: Objects) -> bool:
    """Whether the pool has GPUs, or a size that is unknown."""
    return any(size.sku is None or size.sku.gpus != 0 for size in pool.sizes(objects))


def _can_be_empty(pool: AgentPool) -> bool:
    return pool.spec.get("enableAutoScaling") is True and pool.spec.get("minCount") == 0


RULE = Rule(
    code="POD096",
    name="discovered-label-on-empty-node-pools",
    severity=Severity.WARNING,
    summary="A GPU pod requires a label that only running nodes have, and all GPU node pools can be empty.",
    help="GPU Feature Discovery and the GPU Operator label a node after it starts. For a node pool without nodes, the "
    "cluster autoscaler knows only the labels of the pool, so it does not expect a new node to match, and starts none.",
    sources=(
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/cloudprovider/azure/azure_template.go",
        "https://github.com/Azure/AKS/issues/3629",
        "https://github.com/Azure/AKS/issues/5079",
    ),
    check=_check,
)
