"""MPS shares whole GPUs of NVIDIA's, and nothing else."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import wrong_sizes
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a10-mps}
spec:
  clusters: [prod-swc]
  sku: Standard_NV12ads_A10_v5
  partition: {mps: {replicas: 2}}
  limits: {gpus: 8}
"""
GOOD = BAD.replace("{mps:", "{timeSlicing:")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that share by MPS what MPS does not share."""
    for pool in inputs.pools:
        faults = {"are AMD's": _amd, "are parts of one": _part} if pool.sharing.way == "mps" else {}
        for fault, test in faults.items():
            for where, sizes in wrong_sizes(pool, inputs.catalog, test):
                shared = with_place("MPS", pool.origin, ("spec", "partition", "mps"))
                message = f"{shared} shares whole NVIDIA GPUs, but those of {sizes} {fault}"
                yield Finding(pool.origin, where, message, "leave partition out, or take sizes with whole NVIDIA GPUs")


def _amd(sku: Sku) -> bool:
    return sku.manufacturer == "amd"


def _part(sku: Sku) -> bool:
    return not sku.whole and not _amd(sku)


RULE = Rule(
    code="SCH023",
    name="mps-without-whole-gpus",
    severity=Severity.ERROR,
    summary="A pool shares by MPS the GPUs of sizes that have no whole NVIDIA GPU.",
    help="MPS is a service of CUDA, and NVIDIA's device plugin supports it for full GPUs only. A size with a part of a "
    "GPU is shared already, and its memory is kept apart.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nvadsa10v5-series",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
