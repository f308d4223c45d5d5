"""The image family of a node pool must be an osSKU of the Azure API."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import family
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Linux node pools with an image family that is not an osSKU."""
    families = {row["name"] for row in inputs.catalog.must("pools", "aks")["osSkus"]}
    for pool, _ in node_pools(inputs):
        name = family(pool, inputs.catalog)
        # WIN006 reports families on Windows.
        if not pool.windows and name not in families:
            message = f"{name} is not an osSKU in the version of the Azure API that gitgpu uses"
            remedy = "set family: Ubuntu, the newest release for the Kubernetes version"
            yield Finding(*pool_place(pool, "image", "family"), message, remedy)


RULE = Rule(
    code="AGP015",
    name="image-family-not-for-node-pools",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The Azure API does not accept the image family of a node pool.",
    help="The image families of an AKSNodeClass and the osSKUs of a node pool are different lists.",
    sources=("https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",),
    facts=("pools/aks",),
    check=_check,
)
