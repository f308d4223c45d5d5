"""The container runtime on the nodes of a pool, as far as the objects determine the node image."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.catalog import Facts
from gitgpu.model.names.kinds import CLUSTER_POLICY
from gitgpu.model.software.node_images import within
from gitgpu.model.syntax.version import NUMBERS
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import chooses, is_repelled, reaches
from gitgpu.objects.software.daemons import Daemon, daemons
from gitgpu.objects.software.operator_drivers import operating_system
from gitgpu.schedule.taint import untolerated_taints

_FIPS = "FIPS"  # such an image may have a different operating system than its family


class Runtime(NamedTuple):
    """containerd on nodes that a daemon runs on: the pool's name in messages, its operating system and the facts."""

    pool: str
    os: str
    containerd: Facts


def runtimes_reached(daemon: Daemon, objects: Objects) -> Iterator[Runtime]:
    """The runtimes of the NVIDIA pools that a daemon certainly runs on."""
    for pool in gpu_pools(objects):
        has_known_image = pool.node_class and pool.spec.get("fipsMode") != _FIPS
        if has_known_image and pool.maker == "nvidia" and _runs(daemon, pool, objects):
            family = str(pool.spec.get("imageFamily") or "Ubuntu")
            yield from _runtime(f"NodePool {pool.name}", family, operating_system(pool, objects), objects)
    for agent_pool in agent_pools(objects):
        if (
            _is_nvidia(agent_pool, objects)
            and not agent_pool.spec.get("enableFIPS")
            and _enters(daemon, agent_pool, objects)
        ):
            yield from _runtime(
                f"node pool {agent_pool.name}", agent_pool.os_sku, _system(agent_pool, objects), objects
            )


def _runs(daemon: Daemon, pool: GpuPool, objects: Objects) -> bool:
    """Whether the daemon runs on the nodes of the pool."""
    if daemon.pod and _is_discovered_elsewhere(daemon, objects):
        taints = untolerated_taints(pool.pool.taints, daemon.pod.tolerations)
        return not taints and not is_repelled(daemon, pool) and chooses(daemon.pod, pool, objects) is True
    return bool(reaches(daemon, pool, objects))


def _is_discovered_elsewhere(daemon: Daemon, objects: Objects) -> bool:
    """Whether it is from a ClusterPolicy, whose chart also installs Node Feature Discovery, outside these files."""
    unknown = not objects.closed and not any(daemons(objects, "feature-discovery"))
    return unknown and daemon.item.identity.kind == CLUSTER_POLICY.kind


def _runtime(pool: str, family: str, os: str, objects: Objects) -> Iterator[Runtime]:
    row = objects.catalog.facts("images", family) or {}
    yield from (Runtime(pool, os, entry) for entry in row.get("containerd", ()) if entry["os"] == os)


def _system(pool: AgentPool, objects: Objects) -> str:
    """The operating system of a node pool; "" if its Kubernetes version is unknown."""
    kubernetes = str(pool.spec.get("orchestratorVersion") or objects.kubernetes)
    row = objects.catalog.facts("images", pool.os_sku) or {}
    entries = row.get("pools", ()) if NUMBERS.match(kubernetes) else ()
    return next((str(entry["os"]) for entry in entries if within(kubernetes, entry["kubernetes"])), "")


def _is_nvidia(pool: AgentPool, objects: Objects) -> bool:
    skus = [sku for _, _, sku in pool.sizes(objects)]
    return bool(skus) and all(sku is not None and sku.manufacturer == "nvidia" for sku in skus)


def _enters(daemon: Daemon, pool: AgentPool, objects: Objects) -> bool:
    """Whether the daemon certainly runs on every node of the pool. Not if the daemon has a node selector."""
    waits = daemon.awaits and not _is_discovered_elsewhere(daemon, objects)
    finders = list(daemons(objects, "feature-discovery")) if waits else [daemon]
    return _takes(daemon, pool) and any(_takes(finder, pool) for finder in finders)


def _takes(daemon: Daemon, pool: AgentPool) -> bool:
    labels = pool.spec.get("nodeLabels") or {}
    opted_out = any(labels.get(key) == value for key, value in daemon.opt_out.items())
    spot = pool.spec.get("scaleSetPriority") == "Spot"  # AKS adds a taint
    certain = daemon.pod is not None and daemon.sure and daemon.everywhere and not daemon.cluster and not spot
    return (
        certain and not opted_out and not untolerated_taints(pool.taints, daemon.pod.tolerations if daemon.pod else ())
    )
