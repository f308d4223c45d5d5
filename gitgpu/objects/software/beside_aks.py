"""Daemons on nodes whose GPU software AKS manages."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple, TypeVar

from gitgpu.access import mapping_at
from gitgpu.model.names.labels import AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.model.syntax.requirement import meets, requirement
from gitgpu.objects.node.agent_pool_labels import labels_of
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import reaches
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.schedule.taint import untolerated_taints

_Pool = TypeVar("_Pool", AgentPool, GpuPool)


class BesideAks(NamedTuple):
    """A daemon, the pool that it runs on, and what lets AKS manage that pool's GPUs, as messages name them."""

    daemon: Daemon
    pool: str
    cause: str


def beside_aks(objects: Objects, *provides: str) -> Iterator[BesideAks]:
    """Every daemon that provides one of these parts, and certainly runs on nodes where AKS manages the GPUs.

    Each is reported with the first such NodePool, and the first such AKS node pool.
    """
    tagged = _by_name(pool for pool in gpu_pools(objects) if _is_tagged(pool))
    managed = _by_name(pool for pool in agent_pools(objects) if _is_managed(pool, objects))
    for daemon in daemons(objects, *provides):
        nodepools = _selected(daemon, tagged, NODEPOOL_LABEL)
        if nodepool := next((own for own in nodepools if reaches(daemon, own, objects) is True), None):
            yield BesideAks(daemon, f"NodePool {nodepool.name}", "a tag in its node class")
        agents = _selected(daemon, managed, AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL)
        if agent := next((pool for pool in agents if _runs_on(daemon, pool, objects)), None):
            cause = f"its tag {agent.manages_gpus[-1]}" if "tags" in agent.manages_gpus else "managementMode: Managed"
            yield BesideAks(daemon, f"node pool {agent.name}", cause)


def _by_name(pools: Iterable[_Pool]) -> dict[str, list[_Pool]]:
    by_name: dict[str, list[_Pool]] = {}
    for pool in pools:
        by_name.setdefault(pool.name, []).append(pool)
    return by_name


def _selected(daemon: Daemon, by_name: Mapping[str, list[_Pool]], *labels: str) -> Iterable[_Pool]:
    """The pools that its node selector names, all if it names none: most daemons name one of many."""
    selector = mapping_at(daemon.pod.spec, "nodeSelector") if daemon.pod else {}
    names = [selector[label] for label in labels if label in selector]
    return chain.from_iterable(by_name.get(name, ()) for name in names[:1] or by_name)


def _is_tagged(pool: GpuPool) -> bool:
    return pool.managed and pool.mode == "Driver" and pool.maker == "nvidia"


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
    workers = daemons(objects, "feature-discovery") if daemon.awaits else ()
    if daemon.awaits and not any(_runs_on(worker, pool, objects) for worker in workers):
        return False
    return any(
        all(required.key in nodes and meets(nodes[required.key], required) for required in term.values())
        for term in daemon.pod.terms()
    )
