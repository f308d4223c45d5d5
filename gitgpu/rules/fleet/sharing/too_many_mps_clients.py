"""Older GPUs accept fewer MPS clients than newer ones."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.software.mps import client_limit, client_limits
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with more replicas than the clients that the GPUs accept."""
    for pool in inputs.pools:
        replicas = pool.sharing.replicas if pool.sharing.way == "mps" else 0
        for limit in client_limits(inputs.catalog) if replicas else ():
            if replicas > limit:
                for where, sizes in wrong_sizes(pool, inputs.catalog, partial(_has_limit, limit, inputs.catalog)):
                    size = with_place(sizes, pool.origin, where)
                    message = f"a GPU of {size} accepts at most {limit} MPS clients, not {replicas}"
                    remedy = f"set replicas: {limit} or less, or use a size with a newer GPU"
                    yield Finding(pool.origin, ("spec", "partition", "mps", "replicas"), message, remedy)


def _has_limit(limit: int, catalog: Catalog, sku: Sku) -> bool:
    return client_limit(sku, catalog) == limit


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
    facts=("devices/nvidia",),
    check=_check,
)
