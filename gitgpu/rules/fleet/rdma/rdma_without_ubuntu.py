"""A pool with rdma should run Ubuntu."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import family
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with rdma and another image family. RDM008 covers those whose NICs AKS manages."""
    for pool in inputs.pools:
        name = family(pool, inputs.catalog)
        # WIN010 reports rdma on Windows.
        if pool.uses_network_operator and not pool.windows and not name.startswith("Ubuntu"):
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
)
