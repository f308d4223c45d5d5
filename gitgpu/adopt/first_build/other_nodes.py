"""Nodes outside the fleet that DaemonSets of the output select by their labels, and what runs there already."""

from collections.abc import Collection, Iterator, Mapping

from gitgpu.access import list_at, mapping_at, reach, rows, text_at
from gitgpu.adopt.first_build.forecast import Forecast
from gitgpu.adopt.first_build.software_change import Effect, SoftwareChange
from gitgpu.adopt.stack.gpu_daemons import part_of
from gitgpu.adopt.stack.view import agent_pool
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL
from gitgpu.model.names.labels import (
    AGENTPOOL_LABEL,
    INSTANCE_TYPE_LABEL,
    MANAGED_GPU_LABEL,
    NODEPOOL_LABEL,
    SKU_NAME_LABEL,
)
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.selection import Label, PoolNodes, selected_pools
from gitgpu.objects.objects import identity
from gitgpu.objects.workload.pods import REQUIRED
from gitgpu.spelling import join_names

_AVOID = "stack.nodeSelection: pools"
_POD = ("spec", "template", "spec")


def other_node_changes(forecast: Forecast) -> Iterator[SoftwareChange]:
    """A change for each DaemonSet of the output that starts on nodes whose pools are not in the fleet."""
    pools = {each.label: observed for each, observed in _outside(forecast)}
    nodes = {each.label: each for each, _ in _outside(forecast)}
    running = forecast.running if pools else {}
    for body in forecast.bodies if pools else ():
        was = running.get(identity(body))
        found = (
            selected_pools(body, nodes) - (selected_pools(was.body, nodes) if was else set())
            if _is_daemon(body)
            else set()
        )
        if not found:
            continue
        own = identity(body)
        names = join_names(sorted(pools[label].name for label in found))
        already = sorted(
            each.name for each in running.values() if each is not was and _does_same(each, body, nodes, found)
        )
        beside = f", where {join_names(already)} does the same already" if already else ""
        yield SoftwareChange(
            forecast.plan.cluster.name,
            f"DaemonSet/{own.namespace}/{own.name}",
            Effect.STARTS,
            f"its label also selects the nodes of {names}, outside the fleet{beside}",
            pools[min(found)].places.span(),
            avoid=_AVOID,
        )


def _is_daemon(body: Mapping[str, object]) -> bool:
    return body.get("kind") == "DaemonSet"


def _does_same(each: Observed, body: Mapping[str, object], nodes: Mapping[Label, PoolNodes], found: set[Label]) -> bool:
    """Whether a running DaemonSet has the same part of GPU software on some of these nodes."""
    if not _is_daemon(each.body) or part_of(each.body) != part_of(body):
        return False
    is_bound = mapping_at(each.body, *_POD, "nodeSelector") or list_at(each.body, *_POD, *REQUIRED)
    return not is_bound or bool(selected_pools(each.body, nodes) & found)


def _outside(forecast: Forecast) -> Iterator[tuple[PoolNodes, Observed]]:
    """The nodes of each pool that the fleet does not have, with its object."""
    view = forecast.view
    managed = {id(view.original(pool.pool.item)) for pool in gpu_pools(view.objects) if pool.managed}
    own_pools = {id(nodes.nodes) for nodes in view.pools}
    for observed in view.cluster.objects:
        if id(observed) in own_pools:
            continue
        if observed.body.get("kind") == NODE_POOL.kind:
            yield _karpenter_nodes(observed, is_managed=id(observed) in managed), observed
        elif observed.body.get("kind") == MANAGED_CLUSTERS_AGENT_POOL.kind:
            yield _agent_nodes(observed), observed


def _karpenter_nodes(observed: Observed, *, is_managed: bool) -> PoolNodes:
    template = mapping_at(observed.body, "spec", "template")
    sizes = [
        str(value)
        for entry in rows(template, "spec", "requirements")
        for value in list_at(entry, "values")
        if entry.get("key") in (SKU_NAME_LABEL, INSTANCE_TYPE_LABEL) and entry.get("operator") == "In"
    ]
    label = Label(NODEPOOL_LABEL, text_at(observed.body, "metadata", "name"))
    return _nodes(label, mapping_at(template, "metadata", "labels"), sizes, is_managed=is_managed)


def _agent_nodes(observed: Observed) -> PoolNodes:
    agent = agent_pool(observed)
    size = reach(agent.spec, "vmSize")
    labels = mapping_at(agent.spec, "nodeLabels")
    return _nodes(
        Label(AGENTPOOL_LABEL, agent.name), labels, [str(size)] if size else [], is_managed=bool(agent.manages_gpus)
    )


def _nodes(label: Label, labels: Mapping[str, object], sizes: Collection[str], *, is_managed: bool) -> PoolNodes:
    known = {key: (str(value),) for key, value in labels.items()}
    if is_managed:
        known[MANAGED_GPU_LABEL] = ("enabled",)

    def values(key: str) -> Collection[str] | None:
        return (sizes or None) if key == INSTANCE_TYPE_LABEL else known.get(key, ())

    return PoolNodes(label, values)
