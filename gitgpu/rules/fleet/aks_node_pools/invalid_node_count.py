"""A node pool needs a maximum number of nodes that its minimum and its limits allow."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import allowed_nodes, bounds, gpus_of_machines, nodes_by_size
from gitgpu.model.fleet import FIXED, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written, pool_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.source import Pointer
from gitgpu.spelling import count_text

NODES: Pointer = ("spec", "nodes")
SIZES: Pointer = (*NODES, "sizes")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools without a maximum, or with bounds that contradict each other."""
    for pool, _ in node_pools(inputs):
        limit = inputs.catalog.must("pools", "aks")["nodes"]["most"]
        yield from _size_findings(pool, limit) if pool.has_machines else _faults(pool, limit)


def _size_findings(pool: Pool, limit: int) -> Iterator[Finding]:
    """Faults of a pool of virtual machines. AGP026 reports one without a maximum."""
    for name, each in nodes_by_size(pool).items():
        same_sizes = [own for own in pool.nodes.sizes if own.lower() == name.lower()]
        place = (*SIZES, *same_sizes) if same_sizes else NODES
        if each.maximum is not None and each.maximum < each.minimum:
            message = f"of size {name}, min is {each.minimum}, but max is {each.maximum}"
            yield Finding(pool.origin, place, message, "increase max")
        elif pool.provisioner == FIXED and each.maximum is not None and each.maximum != each.minimum:
            message = f"a pool with provisioner: fixed has a constant number of nodes, but of size {name}, min is "
            message += f"{each.minimum}, and max is {each.maximum}"
            yield Finding(
                pool.origin, place, message, "set min and max to one number, or provisioner: cluster-autoscaler"
            )
    nodes, gpus = bounds(pool).maximum, gpus_of_machines(pool)
    for what, most, allowed, at in (
        ("node", nodes, limit, ()),
        ("node", nodes, pool.limits.nodes, ("nodes",)),
        ("GPU", gpus, pool.limits.gpus, ("gpus",)),
    ):
        if most is not None and allowed is not None and most > allowed:
            who = with_place("the limits of the pool allow", *pool_place(pool, "limits", *at)) if at else "AKS allows"
            message = f"the sizes of the pool can have {count_text(most, what)} together, but {who} {allowed}"
            yield Finding(
                pool.origin, NODES, message, "lower max of its sizes" + (", or increase the limits" if at else "")
            )


def _faults(pool: Pool, limit: int) -> Iterator[Finding]:
    room, nodes = allowed_nodes(pool), bounds(pool)
    minimum, maximum = nodes.minimum, nodes.maximum
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
        message = f"the pool can grow to {count_text(maximum, 'node')}, but AKS allows at most {limit:,}"
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
