"""gitgpu sets the labels that GPU software selects nodes by."""

from collections.abc import Iterator, Mapping

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

INSTEAD: Mapping[str, str] = {
    "nvidia.com/device-plugin.config": "remove it; to share GPUs, set partition with timeSlicing or mps",
    "nvidia.com/mig.config": "remove it; to partition GPUs, set partition with mig",
    "nvidia.com/gpu.deploy.operands": "remove it; use driver: aks or driver: operator to choose who manages the GPUs",
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


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Labels of pools that gitgpu derives from the spec."""
    for pool in inputs.pools:
        for key in sorted(INSTEAD.keys() & pool.labels.keys()):
            message = f"gitgpu derives the label {key} from the spec of the pool"
            yield Finding(*pool_place(inputs, pool, "labels", key), message, INSTEAD[key])


RULE = Rule(
    code="SCH007",
    name="label-derived-from-spec",
    severity=Severity.ERROR,
    summary="A pool sets a label that gitgpu derives from the spec.",
    help="The device plugin reads nvidia.com/device-plugin.config, the GPU Operator reads "
    "nvidia.com/gpu.deploy.operands, and its MIG manager reads nvidia.com/mig.config. A value that you set "
    "contradicts the spec: GPUs are advertised twice, shared differently than the spec says, or not advertised.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/getting-started.rst",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
)
