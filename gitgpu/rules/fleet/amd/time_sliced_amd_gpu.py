"""AMD GPUs cannot be time-sliced."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import sizes_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    """AMD pools with time-slicing."""
    for pool in inputs.pools:
        if pool.manufacturer == "amd" and pool.sharing.way == "timeSlicing":
            gpus = with_place("AMD GPUs", pool.origin, sizes_place(pool))
            message = f"{gpus} cannot be time-sliced: AMD's device plugin allocates whole GPUs"
            where = ("spec", "partition", "timeSlicing")
            yield Finding(pool.origin, where, message, "remove partition, and request whole GPUs")


RULE = Rule(
    code="AMD003",
    name="time-sliced-amd-gpu",
    severity=Severity.ERROR,
    summary="A pool uses time-slicing on AMD GPUs.",
    help="AMD's device plugin has no time-slicing. AMD partitions GPUs in the driver of a bare-metal host, and a GPU "
    "in an Azure VM is a virtual function.",
    sources=(
        "https://github.com/ROCm/k8s-device-plugin/blob/ed7646843003e8f0b6a0630346f01bb4d1ecff2e/docs/user-guide/configuration.md",
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/docs/dcm/device-config-manager.md",
    ),
    check=_check,
)
