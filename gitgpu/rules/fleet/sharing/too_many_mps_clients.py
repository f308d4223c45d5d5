"""Older GPUs accept fewer MPS clients than newer ones."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.version import version
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import wrong_sizes
from gitgpu.rules.inputs.value_origins import with_place

NEWER = (7, 5)  # compute capability; the schema has the limit for these GPUs, 48
OLDER = 16  # clients of older GPUs: MPSMaxClients in the plugin's mps/device.go


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with more replicas than the clients that the GPUs accept."""
    for pool in inputs.pools:
        if pool.sharing.way == "mps" and pool.sharing.replicas > OLDER:
            for where, sizes in wrong_sizes(pool, inputs.catalog, _older):
                size = with_place(sizes, pool.origin, where)
                message = f"a GPU of {size} accepts at most {OLDER} MPS clients, not {pool.sharing.replicas}"
                remedy = f"set replicas: {OLDER} or less, or use a size with a newer GPU"
                yield Finding(pool.origin, ("spec", "partition", "mps", "replicas"), message, remedy)


def _older(sku: Sku) -> bool:
    capability = sku.gpu.compute_capability if sku.gpu else None
    return capability is not None and version(capability) < NEWER


RULE = Rule(
    code="SCH024",
    name="too-many-mps-clients",
    twin="SHR092",
    severity=Severity.ERROR,
    summary="A pool shares each GPU among more MPS clients than the GPU accepts.",
    help="NVIDIA's MPS control daemon accepts 48 clients on a GPU with compute capability 7.5 or newer and 16 on an "
    "older one. With a higher number it does not start, and the node advertises no GPUs.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/mps-control-daemon/mps/device.go",
    ),
    check=_check,
)
