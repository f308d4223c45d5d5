"""A node for MIG instances that advertises whole GPUs first."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import DEPLOY_DEVICE_PLUGIN_LABEL
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import chosen_layout
from gitgpu.objects.software.operator_drivers import operator_drivers
from gitgpu.rules.object_rule import Finding, Rule

_WAITS = "paused-for-mig-change"  # a value of the MIG manager, which replaces it when it is done


def _check(objects: Objects) -> Iterator[Finding]:
    for _, pools, _ in operator_drivers(objects):
        for pool in pools:
            if chosen_layout(pool) and pool.pool.labels.get(DEPLOY_DEVICE_PLUGIN_LABEL) != _WAITS:
                message = "a pod can get a whole GPU of a new node before the MIG manager has partitioned it"
                remedy = (
                    f"add the label {DEPLOY_DEVICE_PLUGIN_LABEL}: {_WAITS}, so that the device plugin starts after the "
                    "MIG manager"
                )
                yield Finding(pool.pool.item, LABELS, message, remedy)


RULE = Rule(
    code="SHR062",
    name="gpus-advertised-before-mig-partition",
    severity=Severity.WARNING,
    summary="New Karpenter nodes for MIG instances advertise whole GPUs until the MIG manager has partitioned them.",
    help="The MIG manager starts only when the GPUs of the node are known, and the device plugin can start earlier. "
    "The pending pod then gets a whole GPU. A GPU in use cannot be partitioned: the change fails, or the node reboots "
    "while the pod runs. The GPU Operator keeps the value that this label has when the node starts, and the manager "
    "sets it to true when it is done.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/state_manager.go",
        "https://github.com/NVIDIA/mig-parted/blob/bd7160f43f16462eeb21e1eda5e67b5b6b03fd7d/pkg/mig/reconfigure/reconfigure.go",
    ),
    check=_check,
)
