"""The image of a node pool is one that Azure's API takes."""

from collections.abc import Iterator

from gitgpu.check.images import family
from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4}}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {{gpus: 8}}
  image: {{family: Ubuntu2404}}
"""
GOOD = BAD.replace("Ubuntu2404", "Ubuntu")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Linux node pools with an image family that is no osSKU."""
    known = {row["name"] for row in inputs.catalog.must("pools", "aks")["osSkus"]}
    for pool, _ in node_pools(inputs):
        name = family(pool, inputs.catalog)
        if not pool.windows and name not in known:
            message = f"{name} is no osSKU of the version of Azure's API for which gitgpu writes"
            remedy = "write family: Ubuntu, which is the newest release that fits the Kubernetes version"
            yield Finding(*pool_place(inputs, pool, "image", "family"), message, remedy)


RULE = Rule(
    code="AGP015",
    name="image-without-node-pool",
    severity=Severity.ERROR,
    summary="A node pool has an image family that Azure's API does not take for node pools.",
    help="The families of an AKSNodeClass and the osSKUs of a node pool are not the same list.",
    sources=("https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",),
    check=check,
    bad=BAD,
    good=GOOD,
)
