"""A node pool of single virtual machines with a setting that AKS rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.source import Pointer

_MOST = 5  # sizes of a pool
_SET = "use a scale set, which has one size"
_NODES: Pointer = ("spec", "nodes")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Faults of each such pool."""
    for pool, _ in node_pools(inputs):
        if pool.has_machines:
            yield from _faults(pool)


def _faults(pool: Pool) -> Iterator[Finding]:
    if len(pool.skus) > _MOST:
        message = f"a VirtualMachines pool has up to {_MOST} sizes, not {len(pool.skus)}"
        yield Finding(pool.origin, sizes_place(pool), message, "use a second pool for the others")
    if pool.skus and bounds(pool).maximum is None:
        message = "nodes.max is the maximum number of nodes of each size of a VirtualMachines pool, and it is not set"
        yield Finding(pool.origin, _NODES, message, "set nodes.max")
    if pool.windows:
        yield Finding(*pool_place(pool, "os"), "a VirtualMachines pool cannot run Windows", _SET)
    if pool.zones:
        message = "a VirtualMachines pool cannot have availability zones"
        yield Finding(*pool_place(pool, "zones"), message, f"remove zones, or {_SET}")
    if pool.only_spot:
        message = "a VirtualMachines pool cannot have spot nodes"
        yield Finding(*pool_place(pool, "capacity"), message, f"remove capacity, or {_SET}")


RULE = Rule(
    code="AGP026",
    name="invalid-virtual-machines-pool",
    twin="APL011",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A VirtualMachines pool has more than five sizes, no maximum, zones, spot nodes, or Windows.",
    help="An AKS node pool of type VirtualMachines has up to five sizes of one family. `nodes` applies to each of "
    "them that `nodes.sizes` does not name.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/virtual-machines-node-pools.md",
        "https://github.com/Azure/AKS/issues/5911",
    ),
    check=_check,
)
