"""Pods must be able to start the first node of a pool."""

from collections.abc import Iterator

from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.nodepool import bounds

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: mi300x}}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_MI300X_v5
  driver: none
  limits: {{gpus: 16}}
"""
GOOD = BAD.replace("  driver: none", "  driver: none\n  nodes: {min: 1}")


COUNTED = "nvidia.com/gpu"


def check(inputs: Inputs) -> Iterator[Finding]:
    """Autoscaled pools without nodes whose GPUs the autoscaler does not know of."""
    for pool, _ in node_pools(inputs):
        least, most = bounds(pool)
        if pool.skus and least == 0 and most:
            name = max(pool.mig.resources) if pool.mig else pool.resource(pool.skus[0])
            if name != COUNTED or pool.skus[0].counted_gpus == 0:
                message = f"while the pool has no node, the autoscaler does not know that its nodes have {name}"
                remedy = "write nodes.min of 1 or more, so that there is a node to learn it from"
                yield Finding(pool.origin, ("spec", "nodes"), message, remedy)


RULE = Rule(
    code="AGP014",
    name="empty-pool-nobody-fills",
    severity=Severity.WARNING,
    summary="A pool that may be empty has GPUs that the cluster autoscaler does not expect there.",
    help="Of a pool without nodes the autoscaler knows the size alone. It expects as many nvidia.com/gpu as Azure's "
    "list of sizes gives, whoever makes them, and so starts no node for pods that ask for another name.",
    sources=(
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/cloudprovider/azure/azure_template.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
