"""Daemons on nodes whose GPU software AKS manages."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.syntax.requirement import meets, requirement
from gitgpu.objects.node.agent_pool_labels import labels_of
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import reaches
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.schedule.taint import untolerated_taints


class BesideAks(NamedTuple):
    """A daemon, the pool that it runs on, and what lets AKS manage that pool's GPUs, as messages name them."""

    daemon: Daemon
    pool: str
    cause: str


def beside_aks(objects: Objects, *provides: str) -> Iterator[BesideAks]:
    """Every daemon that provides one of these parts, and certainly runs on nodes where AKS manages the GPUs."""
    for pool in gpu_pools(objects):
        if pool.managed and pool.mode == "Driver" and pool.maker == "nvidia":
            for daemon in daemons(objects, *provides):
                if reaches(daemon, pool, objects) is True:
                    yield BesideAks(daemon, f"NodePool {pool.name}", "a tag in its node class")
    for agents in agent_pools(objects):
        if _is_managed(agents, objects):
            cause = f"its tag {agents.manages_gpus[-1]}" if "tags" in agents.manages_gpus else "managementMode: Managed"
            for daemon in daemons(objects, *provides):
                if _runs_on(daemon, agents, objects):
                    yield BesideAks(daemon, f"node pool {agents.name}", cause)


def _is_managed(pool: AgentPool, objects: Objects) -> bool:
    """Whether AKS manages NVIDIA GPUs there. It ignores the tag without its driver, and the property on Windows."""
    makers = {sku.manufacturer if sku else None for _, _, sku in pool.sizes(objects)}
    by_tag = "tags" in pool.manages_gpus
    is_used = pool.os_type == "Linux" and makers == {"nvidia"} and (pool.installs_driver or not by_tag)
    return bool(pool.manages_gpus) and is_used


def _runs_on(daemon: Daemon, pool: AgentPool, objects: Objects) -> bool:
    """Whether the daemon certainly runs on the nodes of an AKS node pool: labels that are not known never match."""
    nodes = labels_of(pool, objects)
    opt_outs = (requirement(key, "In", [value]) for key, value in daemon.opt_out.items())
    if any(label.key in nodes and meets(nodes[label.key], label) for label in opt_outs):
        return False
    if daemon.pod is None or not daemon.sure or daemon.cluster:
        return False
    if untolerated_taints(pool.taints, daemon.pod.tolerations):
        return False
    if daemon.awaits and not any(_runs_on(worker, pool, objects) for worker in daemons(objects, "feature-discovery")):
        return False
    return any(
        all(required.key in nodes and meets(nodes[required.key], required) for required in term.values())
        for term in daemon.pod.terms()
    )
