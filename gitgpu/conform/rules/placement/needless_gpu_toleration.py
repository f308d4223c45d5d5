"""A workload that may run on GPU nodes and asks for no GPU."""

from collections.abc import Iterator

from gitgpu.conform.node.node_pools import foreign_pools, node_pools
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.node_constraints import requested_devices, required_labels
from gitgpu.conform.workload.pods import Pod, pods
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: 8}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: serving}
spec:
  tolerations: [{key: sku, value: gpu, effect: NoSchedule}]
  containers: [{name: main}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    asked = pods(objects)
    keys = _gpu_keys(objects) if asked else set()
    for pod in asked if keys else ():
        if pod.is_daemon or _uses_gpus(pod) or any(True for _ in required_labels(pod)):
            continue
        for at, one in enumerate(pod.tolerations):
            if one and one.get("key") in keys:
                message = f"the pod asks for no GPU, and tolerates the taint {one['key']} that keeps GPU nodes free"
                remedy = "remove the toleration, or ask for the GPU under resources.limits"
                yield Finding(pod.item, (*pod.pointer, "tolerations", at), message, remedy)


def _gpu_keys(objects: Objects) -> set[str]:
    """The keys of the taints that GPU pools have and no other pool has; how VMs are paid for is none of them."""
    ours: set[str] = set()
    others = {key for row in objects.catalog.must("labels", "karpenter")["offerings"] for key in row}
    for pool in node_pools(objects):
        keys = {str(taint.get("key")) for taint in pool.taints if taint}
        (ours if pool.for_gpus else others).update(keys)
    others.update(str(taint.get("key")) for pool in foreign_pools(objects) for taint in pool.taints if taint)
    return ours - others


def _uses_gpus(pod: Pod) -> bool:
    """Does it ask for a device, a claim or a runtime, or take all the GPUs there are through its environment?"""
    names = (one.get("name") for _, box in pod.containers() for one in reach(box, "env") or () if one)
    asked = requested_devices(pod) or pod.spec.get("resourceClaims") or pod.spec.get("runtimeClassName")
    return bool(asked) or "NVIDIA_VISIBLE_DEVICES" in names


RULE = Rule(
    code="POD016",
    name="needless-gpu-toleration",
    severity=Severity.WARNING,
    summary="A workload tolerates the taint of the GPU NodePools without asking for a GPU.",
    help="The taint is there to keep everything else off the dear nodes. A pod that tolerates it takes CPU and memory "
    "that GPU pods need, and keeps a GPU node from being consolidated away.",
    sources=(
        "https://learn.microsoft.com/azure/aks/best-practices-gpu",
        "https://karpenter.sh/docs/concepts/disruption/#consolidation",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("[{name: main}]", "[{name: main, resources: {limits: {nvidia.com/gpu: 1}}}]"),
)
