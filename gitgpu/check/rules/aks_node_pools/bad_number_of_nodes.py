"""A node pool needs a most of nodes that its fewest and its limits allow."""

from collections.abc import Iterator

from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.nodepool import allowed, bounds

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4}}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  nodes: {{min: 3, max: 2}}
"""
GOOD = BAD.replace("min: 3", "min: 1")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools without a most, or with numbers that contradict each other."""
    all_there_may_be = inputs.catalog.must("pools", "aks")["nodes"]["most"]
    for pool, _ in node_pools(inputs):
        yield from _faults(inputs, pool, all_there_may_be)


def _faults(inputs: Inputs, pool: Pool, all_there_may_be: int) -> Iterator[Finding]:
    room, (least, most) = allowed(pool), bounds(pool)
    if most is None:
        remedy = "write nodes: {max: 4}, or limits with gpus or nodes"
        yield Finding(pool.origin, ("spec", "nodes"), "a node pool needs to know the most nodes it may have", remedy)
    elif most < max(least, 1):
        wanted = f"nodes.min is {least}" if least else "a pool is for one node at least"
        the_pool = "the pool" if pool.nodes.most else with_place("the pool", *pool_place(inputs, pool, "limits"))
        message = f"{wanted}, and the most that {the_pool} may have is {most}"
        yield Finding(pool.origin, ("spec", "nodes"), message, "write a greater nodes.max or greater limits")
    elif most > all_there_may_be:
        message = f"the pool may grow to {most} nodes, and AKS takes {all_there_may_be} at most"
        yield Finding(pool.origin, ("spec", "nodes"), message, f"write nodes: {{max: {all_there_may_be}}}, or less")
    elif room is not None and most > room:
        limits = with_place("the pool's limits", *pool_place(inputs, pool, "limits"))
        message = f"nodes.max is {most}, and {limits} leave room for {room}"
        yield Finding(pool.origin, ("spec", "nodes", "max"), message, "leave nodes.max out, or raise the limits")


RULE = Rule(
    code="AGP008",
    name="bad-number-of-nodes",
    severity=Severity.ERROR,
    summary="The number of nodes of a node pool has no upper bound, or its bounds contradict each other.",
    help="The cluster autoscaler takes a fewest and a most. What nodes.max leaves out follows from limits.gpus and "
    "limits.nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
        "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
