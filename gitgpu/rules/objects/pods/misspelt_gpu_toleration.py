"""A toleration whose key is a misspelled name of the GPU taint."""

import re
from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

# The key without its domain, in the plural or with a dot. Names such as nvidia-gpu can be taints of the user's own.
_MEANT = re.compile(r"nvidia(\.com)?[/.]gpus?")


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        keys = [str(reach(toleration, "key") or "") for toleration in pod.tolerations]
        for index, key in enumerate(keys):
            is_misspelt = key != NVIDIA_GPU and _MEANT.fullmatch(key) is not None
            if is_misspelt and NVIDIA_GPU not in keys and key not in _taint_keys(objects):
                message = (
                    f"the taint of GPU nodes has the key {NVIDIA_GPU}, which the toleration of '{key}' does not match"
                )
                remedy = f"set key: {NVIDIA_GPU}"
                yield Finding(pod.item, (*pod.pointer, "tolerations", index, "key"), message, remedy)


def _taint_keys(objects: Objects) -> set[str]:
    """The keys of the taints of all pools: someone may have chosen the same key for them."""
    keys = {taint["key"] for pool in agent_pools(objects) for taint in pool.taints}
    for item in objects.of(*NODE_POOL):
        for taint in list_at(item.body, "spec", "template", "spec", "taints"):
            keys.add(str(reach(taint, "key")))
    return keys


RULE = Rule(
    code="POD105",
    name="misspelt-gpu-toleration",
    severity=Severity.WARNING,
    summary="A pod tolerates a taint whose key is similar to nvidia.com/gpu, and no pool has such a taint.",
    help="The usual taint of GPU nodes, also in Microsoft's and NVIDIA's documentation, has the key nvidia.com/gpu. A "
    "toleration with a different key does not match it, and the pod stays Pending.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
    ),
    check=_check,
)
