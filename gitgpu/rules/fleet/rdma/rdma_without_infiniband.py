"""A pool with rdma needs sizes with InfiniBand."""

from collections.abc import Container, Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import wrong_sizes

REMEDY = "use a size of the ND series with an r in its name, such as Standard_ND96isr_H100_v5, or remove rdma"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with rdma on sizes whose nodes advertise no NICs."""
    for pool in inputs.pools:
        if not pool.rdma:
            continue
        older = inputs.catalog.must("devices", "rdma")["older"]
        # Which NICs AKS can set up is not documented.
        too_old, owner = ((), "AKS") if pool.has_managed_nics else (older, "gitgpu")
        without = partial(_has_no_nics, too_old)
        for where, sizes in wrong_sizes(pool, inputs.catalog, without):
            yield Finding(pool.origin, where, f"{sizes} has no InfiniBand that {owner} can set up", REMEDY)


def _has_no_nics(too_old: Container[str], sku: Sku) -> bool:
    return not sku.rdma or sku.name in too_old


RULE = Rule(
    code="RDM001",
    name="rdma-without-infiniband",
    severity=Severity.ERROR,
    summary="A pool sets rdma on sizes without InfiniBand, or with NICs that are not supported.",
    help="The r in a size's name stands for RDMA. Without such NICs, the driver has no device and the node "
    "advertises none. Microsoft's rule for Node Feature Discovery does not detect NICs older than ConnectX-6.",
    sources=(
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/getting-started/02-prerequisites.md",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/tests/setup-infra/network-operator-nfd.yaml",
        "https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions",
    ),
    facts=("skus",),
    check=_check,
)
