"""Whether a DaemonSet runs on the nodes of a pool, and which GPU pools of the cluster are not in the fleet."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.model.names.labels import AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL, NODEPOOL_LABEL, OS_LABEL
from gitgpu.objects.node import selection
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.software.coverage import is_repelled, reaches
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.schedule.taint import untolerated_taints


def runs_on(daemon: Daemon, nodes: PoolNodes, view: View) -> bool:
    """Whether a daemon runs on the nodes, as far as that is known."""
    if not _names(daemon, nodes) or not may_be_labelled(daemon, nodes, view):
        return False
    if nodes.karpenter:
        return not is_repelled(daemon, nodes.karpenter) and reaches(daemon, nodes.karpenter, view.objects) is not False
    if any(nodes.labels.get(key) == value for key, value in daemon.opt_out.items()):
        return False
    taints = nodes.agent.taints if nodes.agent else ()
    is_repelled_by_taint = daemon.pod is not None and untolerated_taints(taints, daemon.pod.tolerations)
    return not is_repelled_by_taint and _may_choose(daemon, nodes)


def may_be_labelled(daemon: Daemon, nodes: PoolNodes, view: View) -> bool:
    """Whether Node Feature Discovery may label the nodes, if the daemon selects nodes by its labels."""
    workers = list(daemons(view.objects, "feature-discovery")) if daemon.awaits else []
    return not workers or any(_names(worker, nodes) for worker in workers)


def pool_names(nodes: PoolNodes) -> dict[str, str]:
    """The name of the pool by the label of its nodes, and "" by the label that only nodes of other pools have."""
    return {
        NODEPOOL_LABEL: nodes.karpenter.name if nodes.karpenter else "",
        AGENTPOOL_LABEL: nodes.agent.name if nodes.agent else "",
    }


def _names(daemon: Daemon, nodes: PoolNodes) -> bool:
    """Whether its affinity allows the pool by its name: a term for other pools never does."""
    names = pool_names(nodes)
    terms = daemon.pod.terms() if daemon.pod else ({},)
    return any(all(term[key].takes(name) for key, name in names.items() if key in term) for term in terms)


def _may_choose(daemon: Daemon, nodes: PoolNodes) -> bool:
    """Whether its node selector and affinity allow an AKS node pool, by the labels that its nodes certainly have."""
    if nodes.agent is None or daemon.pod is None:
        return True
    name = nodes.agent.name
    known = {AGENTPOOL_LABEL: name, LEGACY_AGENTPOOL_LABEL: name, OS_LABEL: nodes.agent.os_type.lower()}
    labels = {**nodes.labels, **known}
    return any(
        all(required.takes(labels[key]) for key, required in term.items() if key in labels)
        for term in daemon.pod.terms()
    )


def is_selected(body: Mapping[str, Any], nodes: PoolNodes) -> bool:
    """Whether a DaemonSet selects the nodes by the name of their pool, or by the labels that they are created with."""
    own = selection.Label(NODEPOOL_LABEL, nodes.karpenter.name) if nodes.karpenter else None
    own = selection.Label(AGENTPOOL_LABEL, nodes.agent.name) if nodes.agent else own
    known = nodes.labels
    return own is not None and selection.selects(
        body, selection.PoolNodes(own, lambda key: (known[key],) if key in known else ())
    )


def pools_outside(view: View) -> Iterator[PoolNodes]:
    """The pools of NVIDIA GPUs that are not in the fleet: of KAITO, or refused."""
    own_names = {nodes.karpenter.name for nodes in view.pools if nodes.karpenter}
    for pool in gpu_pools(view.objects):
        if pool.maker != "amd" and pool.name not in own_names:
            yield PoolNodes(GpuNodes(pool.name, view.original(pool.pool.item), None, ()), pool, None, "nvidia")
    own_agents = {nodes.agent.name for nodes in view.pools if nodes.agent}
    for agent in agent_pools(view.objects):
        skus = [size.sku for size in agent.sizes(view.objects)]
        of_nvidia = any(sku is not None and sku.gpu and sku.manufacturer == "nvidia" for sku in skus)
        if of_nvidia and agent.os_type == "Linux" and agent.name not in own_agents:
            yield PoolNodes(GpuNodes(agent.name, view.original(agent.item), None, ()), None, agent, "nvidia")
