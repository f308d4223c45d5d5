"""Two node pools of a cluster must not have one name."""

from collections.abc import Iterator

from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.nodepool import azure_name
from gitgpu.source import Pointer

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4-a}}
spec: {{clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {{gpus: 8}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4a}}
spec: {{clusters: [prod-swc], sku: Standard_NC4as_T4_v3, limits: {{gpus: 8}}}}
"""
GOOD = BAD.replace(
    "spec: {clusters: [prod-swc], sku: Standard_NC4",
    "spec: {nodePoolName: t4b, clusters: [prod-swc], sku: Standard_NC4",
)


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that AKS would call like an earlier one of the same cluster."""
    first: dict[tuple[str, str], Pool] = {}
    for pool, clusters in node_pools(inputs):
        for cluster in clusters:
            other = first.setdefault((cluster.name, azure_name(pool)), pool)
            if other.name != pool.name:
                like = f"pool {other.name} ({other.origin.span(_where(other))})"
                message = f"AKS would call this pool '{azure_name(pool)}' on {cluster.name}, like {like}"
                yield Finding(pool.origin, _where(pool), message, "write another nodePoolName for one of the two")


def _where(pool: Pool) -> Pointer:
    return ("spec", "nodePoolName") if pool.node_pool_name else ("metadata", "name")


RULE = Rule(
    code="AGP010",
    name="node-pool-name-twice",
    severity=Severity.ERROR,
    summary="Two pools of a cluster would be one node pool in Azure.",
    help="Without nodePoolName a pool is called like the GpuPool, without dashes: t4-a and t4a are one name. The "
    "second would overwrite the first.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
