"""A workload that tolerates the taint of GPU nodes but requests no GPU."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import foreign_pools, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import requested_devices, required_labels
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    all_pods = pods(objects)
    keys = _gpu_keys(objects) if all_pods else set()  # thousands of NodePools are read only if there are such pods
    if not keys:
        return
    for pod in all_pods:
        # A DaemonSet serves the nodes themselves, and a pod that selects nodes may be meant for GPU nodes.
        if pod.is_daemon or _uses_gpus(pod) or any(True for _ in required_labels(pod)):
            continue
        for index, toleration in enumerate(pod.tolerations):
            if toleration and toleration.get("key") in keys:
                message = f"the pod requests no GPU but tolerates the taint {toleration['key']} of the GPU nodes"
                remedy = "remove the toleration, or request a GPU in resources.limits"
                yield Finding(pod.item, (*pod.pointer, "tolerations", index), message, remedy)


def _gpu_keys(objects: Objects) -> set[str]:
    """The keys of taints that only GPU pools have. Keys about spot and on demand do not count."""
    gpu_pool_keys: set[str] = set()
    others = set(chain.from_iterable(objects.catalog.must("labels", "karpenter")["offerings"]))
    for pool in node_pools(objects):
        keys = gpu_pool_keys if pool.for_gpus else others
        keys.update(taint["key"] for taint in pool.taints)
    for pool in foreign_pools(objects):
        others.update(taint["key"] for taint in pool.taints)
    return gpu_pool_keys - others


def _uses_gpus(pod: Pod) -> bool:
    """Whether it requests a device, a claim or a runtime class, or gets GPUs through its environment."""
    if requested_devices(pod) or pod.spec.get("resourceClaims") or pod.spec.get("runtimeClassName"):
        return True
    variables = chain.from_iterable(container.get("env") or () for _, container in pod.containers())
    return any(reach(variable, "name") == "NVIDIA_VISIBLE_DEVICES" for variable in variables)


RULE = Rule(
    code="POD016",
    name="needless-gpu-toleration",
    severity=Severity.WARNING,
    summary="A workload tolerates the taint of the GPU NodePools but requests no GPU.",
    help="The taint keeps other pods off the expensive nodes. A pod that tolerates it takes CPU and memory that GPU "
    "pods need, and keeps GPU nodes from being consolidated.",
    sources=(
        "https://learn.microsoft.com/azure/aks/best-practices-gpu",
        "https://karpenter.sh/docs/concepts/disruption/#consolidation",
    ),
    check=_check,
)
