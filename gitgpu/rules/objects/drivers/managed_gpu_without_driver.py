"""AKS-managed GPUs on nodes without the AKS driver."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.gpu_pools import has_tag, tag
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_WHY = "because AKS sets up the other GPU software only with its driver"


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*AKS_NODE_CLASS):
        if has_tag(item) and reach(item.body, "spec", "gpu", "mode") == "None":
            name, value = tag(item)
            message = f"the tag {name}: {value} has no effect with gpu.mode: None, {_WHY}"
            yield Finding(item, ("spec", "tags", name), message, f"remove gpu.mode, or remove the tag {name}")
    for pool in agent_pools(objects):
        asked = pool.manages_gpus
        # With managementMode, AKS installs the driver all the same: LNT018.
        if asked[:1] == ("tags",) and not pool.installs_driver:
            name, value = f"the tag {asked[1]}", reach(pool.spec, *asked)
            message = f"{name}: {value} has no effect with gpuProfile.driver: None, {_WHY}"
            yield Finding(pool.item, pool.place(*asked), message, f"remove gpuProfile.driver, or remove {name}")


RULE = Rule(
    code="STK025",
    name="managed-gpu-without-driver",
    severity=Severity.WARNING,
    summary="A node class or node pool lets AKS manage the GPU software but not install the driver.",
    help="With the tag, AKS sets up the device plugin and the exporter only where it installs the driver. With "
    "gpu.mode: None, or gpuProfile.driver: None in a node pool, it skips all of them. nvidia.com/gpu stays 0 unless "
    "another component installs everything.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
    ),
    check=_check,
)
