"""MPS shares whole NVIDIA GPUs only."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with MPS on AMD GPUs or on sizes with a fraction of a GPU."""
    for pool in inputs.pools:
        faults = {"are from AMD": _is_amd, "are fractions": _is_fraction} if pool.sharing.way == "mps" else {}
        for fault, test in faults.items():
            for where, sizes in wrong_sizes(pool, inputs.catalog, test):
                shared = with_place("MPS", pool.origin, ("spec", "partition", "mps"))
                message = f"{shared} shares whole NVIDIA GPUs only, but those of {sizes} {fault}"
                yield Finding(pool.origin, where, message, "remove partition, or use sizes with whole NVIDIA GPUs")


def _is_amd(sku: Sku) -> bool:
    return sku.manufacturer == "amd"


def _is_fraction(sku: Sku) -> bool:
    return not sku.whole and not _is_amd(sku)


RULE = Rule(
    code="SCH023",
    name="mps-on-unsupported-gpu",
    severity=Severity.ERROR,
    summary="A pool uses MPS on sizes without a whole NVIDIA GPU.",
    help="MPS is part of CUDA, and the NVIDIA device plugin supports it for full GPUs only. A size with a fraction "
    "of a GPU is already shared, with its own memory.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nvadsa10v5-series",
    ),
    facts=("skus",),
    check=_check,
)
