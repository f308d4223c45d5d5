"""A node pool needs a maximum number of nodes that its minimum and its limits allow."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import allowed_nodes, bounds
from gitgpu.model.fleet import FIXED, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written, pool_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.source import Pointer
from gitgpu.spelling import counted

NODES: Pointer = ("spec", "nodes")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools without a maximum, or with bounds that contradict each other."""
    limit = inputs.catalog.must("pools", "aks")["nodes"]["most"]
    for pool, _ in node_pools(inputs):
        yield from _faults(pool, limit)


def _faults(pool: Pool, limit: int) -> Iterator[Finding]:
    room, (minimum, maximum) = allowed_nodes(pool), bounds(pool)
    if pool.provisioner == FIXED and minimum != maximum:
        written = f"nodes.min is {minimum}, and nodes.max is {maximum}"
        number = written if is_written(pool.origin, NODES) else "nodes is not set"
        message = f"a pool with provisioner: fixed has a constant number of nodes, but {number}"
        remedy = f"set nodes: {{max: {maximum or 4}}}, or provisioner: cluster-autoscaler"
        yield Finding(pool.origin, NODES, message, remedy)
    elif maximum is None:
        remedy = "set nodes: {max: 4}, or set limits with gpus or nodes"
        yield Finding(pool.origin, NODES, "a node pool needs a maximum number of nodes", remedy)
    # `nodes: {max: 0}` is a fixed pool without nodes. A maximum of 0 that follows from limits is a mistake.
    elif maximum < max(minimum, 0 if pool.nodes.maximum == 0 else 1):
        cause = f"nodes.min is {minimum}" if minimum else "a pool needs at least one node"
        the_pool = "the pool" if pool.nodes.maximum is not None else with_place("the pool", *pool_place(pool, "limits"))
        message = f"{cause}, but the maximum of {the_pool} is {maximum}"
        yield Finding(pool.origin, NODES, message, "increase nodes.max or the limits")
    elif maximum > limit:
        message = f"the pool can grow to {counted(maximum, 'node')}, but AKS allows at most {limit}"
        yield Finding(pool.origin, NODES, message, f"set nodes: {{max: {limit}}} or less")
    elif room is not None and maximum > room:
        limits = with_place("the limits of the pool", *pool_place(pool, "limits"))
        message = f"nodes.max is {maximum}, but {limits} allow {room}"
        remedy = f"set nodes.max: {room}, or increase the limits" if room else "increase the limits"
        yield Finding(pool.origin, (*NODES, "max"), message, remedy)


RULE = Rule(
    code="AGP008",
    name="invalid-node-count",
    twin="APL006",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The number of nodes of a node pool has no upper bound, or its bounds contradict each other.",
    help="The cluster autoscaler needs a minimum and a maximum. Without nodes.max, gitgpu derives the maximum from "
    "limits.gpus and limits.nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
        "https://learn.microsoft.com/rest/api/aks/agent-pools/create-or-update",
    ),
    facts=("pools/aks",),
    check=_check,
)
