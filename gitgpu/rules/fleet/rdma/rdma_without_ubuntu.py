"""A pool with rdma should run Ubuntu."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import family
from gitgpu.rules.fleet_rule import Finding, Rule

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h200}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H200_v5
  rdma: shared
  image: {family: AzureLinux}
  limits: {gpus: 8, nodes: 1}
"""
GOOD = BAD.replace("AzureLinux", "Ubuntu")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with rdma and another image family."""
    for pool in inputs.pools:
        name = family(pool, inputs.catalog)
        # WIN010 reports rdma on Windows.
        if pool.rdma and not pool.windows and not name.startswith("Ubuntu"):
            message = f"the driver of the NICs is not known to work on {name}"
            yield Finding(pool.origin, ("spec", "image", "family"), message, "set image.family: Ubuntu")


RULE = Rule(
    code="RDM005",
    name="rdma-without-ubuntu",
    severity=Severity.WARNING,
    summary="A pool with rdma has nodes that do not run Ubuntu.",
    help="NVIDIA's driver image supports certain distributions only. Microsoft recommends Ubuntu for InfiniBand and "
    "tests on it.",
    sources=(
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/getting-started/02-prerequisites.md",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
)
