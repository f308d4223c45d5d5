"""AKS managed GPUs are for node auto-provisioning here."""

from collections.abc import Iterator

from gitgpu.check.drivers import installers, place
from gitgpu.check.nodepools import EXAMPLE, node_pools
from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.sizes import asked
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
  driver: managed
"""
GOOD = BAD.replace("driver: managed", "driver: aks")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Linux node pools whose GPUs AKS is to manage."""
    for pool, clusters in node_pools(inputs):
        names = [] if pool.windows else installers(pool, clusters).get("managed", [])
        if names:
            message = f"driver managed is not to be had on {listed(names)}, whose nodes are those of node pools"
            remedy = "write driver: aks, with which gitgpu brings device plugin and exporter"
            yield Finding(pool.origin, place(pool, asked(pool)), message, remedy)


RULE = Rule(
    code="AGP013",
    name="managed-gpus-on-node-pool",
    severity=Severity.ERROR,
    summary="A node pool has driver: managed.",
    help="In preview the cluster autoscaler does not work on managed GPU node pools. For pools with a fixed number of "
    "nodes the field is missing from the version of Azure's API for which gitgpu writes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
