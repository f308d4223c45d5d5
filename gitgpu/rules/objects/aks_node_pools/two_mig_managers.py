"""GPUs that both AKS and the MIG manager partition."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        profile, layout = pool.gpu_instance_profile, reach(pool.spec, "nodeLabels", MIG_CONFIG_LABEL)
        if profile and layout:
            message = (
                f"AKS partitions the GPUs as {profile}, but this label makes the MIG manager (if it runs) use {layout}"
            )
            remedy = "remove the label, or remove gpuInstanceProfile and leave the layout to the MIG manager"
            yield Finding(pool.item, pool.place("nodeLabels", MIG_CONFIG_LABEL), message, remedy)


RULE = Rule(
    code="APL092",
    name="two-mig-managers",
    severity=Severity.WARNING,
    summary="A node pool has both gpuInstanceProfile and the label that configures NVIDIA's MIG manager.",
    help="AKS partitions the GPUs by gpuInstanceProfile when a node starts. The GPU Operator's MIG manager, if it "
    "runs, compares the GPUs with the layout in the label and changes them when they differ. The MIG manager then "
    "overwrites the profile.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/mig-partition.service",
        "https://github.com/NVIDIA/mig-parted/blob/bd7160f43f16462eeb21e1eda5e67b5b6b03fd7d/pkg/mig/reconfigure/reconfigure.go",
    ),
    check=_check,
)
