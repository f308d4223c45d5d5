"""AKS managed GPUs and the cluster autoscaler do not go together."""

from collections.abc import Iterator

from gitgpu.check.drivers import installers, place
from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.requested_sizes import sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written, pool_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.nodepool import bounds

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
    """Linux node pools whose GPUs AKS is to manage, and whose number of nodes may change by itself."""
    for pool, clusters in node_pools(inputs):
        nodes = bounds(pool)
        names = [] if pool.windows else installers(inputs, pool, clusters).get("managed", [])
        if names and nodes.most is not None and nodes.least != nodes.most:
            origin, where = pool_place(inputs, pool, "nodes")
            other = (origin, where) if is_written(origin, where) else pool_place(inputs, pool, "limits")
            number = with_place("the number of nodes may change", *other)
            message = (
                f"{number}, and the cluster autoscaler does not work on managed GPU nodes, as on {join_names(names)}"
            )
            fixed = f"nodes: {{min: {nodes.most}, max: {nodes.most}}}"
            remedy = f"write {fixed}, or driver: aks, with which gitgpu brings device plugin and exporter"
            yield Finding(pool.origin, place(pool, sizes_place(pool)), message, remedy)


RULE = Rule(
    code="AGP013",
    name="autoscaled-managed-gpus",
    severity=Severity.ERROR,
    summary="A node pool has driver: managed and no fixed number of nodes.",
    help="In preview the cluster autoscaler is not supported on managed GPU node pools, which are scaled by hand.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
