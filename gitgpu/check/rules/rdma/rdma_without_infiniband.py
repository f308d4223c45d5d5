"""A pool with rdma needs sizes with InfiniBand."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import wrong_sizes
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

REMEDY = "take a size of the ND series with an r in its name, such as Standard_ND96isr_H100_v5, or leave rdma out"
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h200}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96is_H200_v5
  rdma: shared
  limits: {gpus: 8, nodes: 1}
"""
GOOD = BAD.replace("ND96is_H200", "ND96isr_H200")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with rdma and sizes whose nodes would advertise no NIC."""
    older = inputs.catalog.must("devices", "rdma")["older"]
    for pool in inputs.pools:
        bare = wrong_sizes(pool, inputs.catalog, lambda sku: not sku.rdma or sku.name in older)
        for where, sizes in bare if pool.rdma else ():
            yield Finding(pool.origin, where, f"{sizes} has no InfiniBand that gitgpu can set up", REMEDY)


RULE = Rule(
    code="RDM001",
    name="rdma-without-infiniband",
    severity=Severity.ERROR,
    summary="The pool asks for rdma with sizes that have no InfiniBand, or one that the recipe does not know.",
    help="The r in a size's name stands for RDMA. Without such NICs there is nothing for the driver to drive and "
    "nothing to advertise; NICs older than ConnectX-6 are not found by Microsoft's rule for Node Feature "
    "Discovery.",
    sources=(
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/getting-started/02-prerequisites.md",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/tests/setup-infra/network-operator-nfd.yaml",
        "https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
