"""A sharing configuration for nodes with AKS-managed GPUs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in gpu_pools(objects):
        if pool.managed and DEVICE_PLUGIN_CONFIG_LABEL in pool.pool.labels:
            message = "AKS runs the device plugin on these nodes as a system service, which ignores this label"
            remedy = (
                "remove the label, or remove the tag for managed GPUs from the node class and install a device plugin"
            )
            yield Finding(pool.pool.item, (*LABELS, DEVICE_PLUGIN_CONFIG_LABEL), message, remedy)


RULE = Rule(
    code="SHR008",
    name="sharing-without-plugin-config",
    twin="DRV006",
    severity=Severity.WARNING,
    summary="A NodePool with AKS-managed GPUs selects a configuration of the device plugin with a label.",
    help="AKS starts its device plugin with fixed arguments and without a configuration file. These GPUs are not "
    "shared, regardless of labels and ConfigMaps.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=_check,
)
