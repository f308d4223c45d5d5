"""Device plugins that also run on nodes where none of gitgpu would take their place: they stay, on all nodes.

A DaemonSet is one object. Who deletes it because gitgpu's own runs on some of its nodes takes it from the others too.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.node.kaito_pools import is_of_kaito
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.model.names.labels import AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.software.daemons import Daemon, daemons

RunsOn = Callable[[Daemon, PoolNodes, View], bool]


class Needed(NamedTuple):
    """A device plugin, and the pool that needs it as it is."""

    daemon: Daemon
    pool: str


def needed_plugin(nodes: PoolNodes, others: Sequence[PoolNodes], view: View, runs_on: RunsOn) -> Needed | None:
    """The device plugin of a pool that one of these other pools needs too."""
    for daemon in daemons(view.objects, "device-plugin"):
        if _may_run(daemon, nodes) and runs_on(daemon, nodes, view):
            for other in others:
                if _may_run(daemon, other) and runs_on(daemon, other, view):
                    return Needed(daemon, other.pool.name)
    return None


def pools_left(view: View) -> Iterator[PoolNodes]:
    """The pools of NVIDIA GPUs on a driver of AKS that are not in the fleet, and neither KAITO nor AKS manages."""
    own_names = {nodes.karpenter.name for nodes in view.pools if nodes.karpenter}
    for pool in gpu_pools(view.objects):
        item = pool.pool.item
        if pool.by_aks and not pool.managed and pool.name not in own_names and not is_of_kaito(item.body):
            yield PoolNodes(GpuNodes(pool.name, view.original(item), None, ()), pool, None, "nvidia")
    own_agents = {nodes.agent.name for nodes in view.pools if nodes.agent}
    for agent in agent_pools(view.objects):
        if agent.name not in own_agents and _is_of_aks(agent, view):
            yield PoolNodes(GpuNodes(agent.name, view.original(agent.item), None, ()), None, agent, "nvidia")


def _is_of_aks(agent: AgentPool, view: View) -> bool:
    skus = [size.sku for size in agent.sizes(view.objects)]
    of_nvidia = any(sku is not None and sku.gpu and sku.manufacturer == "nvidia" for sku in skus)
    alone = agent.installs_driver and not agent.manages_gpus and agent.os_type == "Linux"
    return of_nvidia and alone and not is_of_kaito(agent.item.body)


def _may_run(daemon: Daemon, nodes: PoolNodes) -> bool:
    """Whether its node selector allows an AKS node pool, by the labels that the pool sets."""
    if nodes.agent is None or daemon.pod is None:
        return True
    labels = {**nodes.labels, AGENTPOOL_LABEL: nodes.agent.name, LEGACY_AGENTPOOL_LABEL: nodes.agent.name}
    selector = daemon.pod.spec.get("nodeSelector") or {}
    return all(labels.get(key, value) == value for key, value in selector.items())
