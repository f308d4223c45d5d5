"""Labels by which GPU software finds its nodes are gitgpu's to set."""

from collections.abc import Iterator, Mapping

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

INSTEAD: Mapping[str, str] = {
    "nvidia.com/device-plugin.config": "remove it; to share GPUs, write partition, with timeSlicing or mps",
    "nvidia.com/mig.config": "remove it; to cut GPUs, write partition, with mig",
    "nvidia.com/gpu.deploy.operands": "remove it; driver: aks or operator says who looks after the GPUs",
}
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  labels: {nvidia.com/device-plugin.config: shared}
"""
GOOD = BAD.replace("labels: {nvidia.com/device-plugin.config: shared}", "partition: {timeSlicing: {replicas: 4}}")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Labels of pools that gitgpu decides on."""
    for pool in inputs.pools:
        for key in sorted(INSTEAD.keys() & pool.labels.keys()):
            message = f"gitgpu sets the label {key} itself, from what the pool says"
            yield Finding(*pool_place(inputs, pool, "labels", key), message, INSTEAD[key])


RULE = Rule(
    code="SCH007",
    name="label-that-gitgpu-sets",
    severity=Severity.ERROR,
    summary="A pool sets a label that gitgpu derives from the spec.",
    help="The device plugin takes its configuration by nvidia.com/device-plugin.config, the GPU Operator stays away by "
    "nvidia.com/gpu.deploy.operands, and its MIG manager cuts GPUs by nvidia.com/mig.config. A value by hand "
    "contradicts the spec: GPUs are advertised twice, shared unlike the spec says, or not at all.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/getting-started.rst",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
