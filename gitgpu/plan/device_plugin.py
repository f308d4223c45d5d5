"""NVIDIA's device plugin where AKS installs the driver: which DaemonSets of it and of MPS run on which nodes."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.model.software.node_configs import MIG_CONFIGS, plugin_config
from gitgpu.model.spec.sharing import Sharing
from gitgpu.model.spec.stack import Stack
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.daemon_placement import DaemonPlacement
from gitgpu.plan.decided.gpus import DevicePlugin, MpsDaemon, PluginConfig, PluginDaemon
from gitgpu.plan.decided.nodes import Nodes
from gitgpu.plan.image import image
from gitgpu.plan.placement import daemon_placement, labelled_nodes, placements

_CHOSEN = re.compile(r"(mps|time-slicing)-\d+")  # the names that gitgpu chooses


def device_plugin(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> DevicePlugin | None:
    """The NVIDIA device plugin for the pools whose driver AKS installs; None if there is no such pool."""
    # Not where GPUs are claimed: the plugin and the DRA driver would allocate the same GPU twice.
    wanted_pools = [pool for pool in pools if pool.driver == "aks" and not pool.claimed]
    if not wanted_pools:
        return None
    by_name = stack.node_selection == "pools"
    daemons = _of_all(wanted_pools) if by_name else _by_label(wanted_pools, pools)
    served_pools = [pool for pool in wanted_pools if _is_served(pool)]
    mps = _mps_of_all(served_pools) if by_name else _mps_by_label(served_pools, pools)
    row = catalog.must("containers", "nvidia-device-plugin")
    return DevicePlugin(
        image=image(row),
        daemons=tuple(daemons),
        mps=tuple(mps),
        configs=plugin_configs(wanted_pools),
        discovery=stack.discovery == "gfd",
        memory=row["memory"],
        rows=catalog.own("containers", "nvidia-device-plugin"),
    )


def nodes_with_mig(pools: Iterable[PoolPlan]) -> Nodes:
    """The nodes with MIG by the configuration of their plugin, whether or not one of the pools has it."""
    names = {plugin_config(pool.pool, pool.driver) for pool in pools if pool.pool.mig}
    return Nodes(DEVICE_PLUGIN_CONFIG_LABEL, tuple(sorted({*MIG_CONFIGS, *names})))


class Config(NamedTuple):
    """A configuration of the device plugin: the nodes with its label, and the configuration as a part of a name."""

    nodes: Nodes
    part: str


def by_config(pools: Sequence[PoolPlan]) -> Iterator[tuple[Config, list[PoolPlan]]]:
    """The pools with each configuration, in order of its name."""
    for name in sorted({plugin_config(pool.pool, pool.driver) for pool in pools}):
        # A name of the user is the value of a label, and may have characters that the name of an object cannot have.
        part = name if _CHOSEN.fullmatch(name) else hashlib.sha256(name.encode()).hexdigest()[:8]
        own = [pool for pool in pools if plugin_config(pool.pool, pool.driver) == name]
        yield Config(Nodes(DEVICE_PLUGIN_CONFIG_LABEL, (name,)), part), own


def plugin_configs(pools: Sequence[PoolPlan]) -> dict[str, PluginConfig]:
    """The configurations of the device plugin by name; the GPU Operator sets MIG by environment variables instead."""
    configs = {"default": PluginConfig(Sharing(), "none")}
    for pool in pools:
        name, mig = plugin_config(pool.pool, pool.driver), pool.pool.mig
        configs[name] = PluginConfig(pool.pool.sharing, mig.strategy if mig and name != "default" else "none")
    return dict(sorted(configs.items()))


def _of_all(pools: Sequence[PoolPlan]) -> Iterator[PluginDaemon]:
    mps = any(map(_is_served, pools))
    yield PluginDaemon(daemon_placement(pools), "", any(map(_has_mig, pools)), mps, any(map(_is_pinned, pools)))


def _by_label(pools: Sequence[PoolPlan], every: Sequence[PoolPlan]) -> Iterator[PluginDaemon]:
    """MIG has a DaemonSet with more privileges. Each can serve MPS: a pool with MPS restarts the plugin of no other."""
    mig_pools = [pool for pool in pools if pool.pool.mig]
    mig_nodes = nodes_with_mig(mig_pools)
    other_pools = [pool for pool in pools if not pool.pool.mig]
    yield from _daemons(other_pools, placements(other_pools, every, labelled_nodes(without=[mig_nodes])), "")
    yield from _daemons(mig_pools, placements(mig_pools, every, labelled_nodes(mig_nodes)), "mig")


def _daemons(pools: Sequence[PoolPlan], placed: Iterator[DaemonPlacement], part: str) -> Iterator[PluginDaemon]:
    by_name = {pool.name: pool for pool in pools}
    for placement in placed:
        own = [by_name[placement.pool]] if placement.pool else pools
        yield PluginDaemon(placement, part, bool(part), mps=True, pinned=any(map(_is_pinned, own)))


def _mps_of_all(pools: Sequence[PoolPlan]) -> Iterator[MpsDaemon]:
    if pools:
        yield MpsDaemon(daemon_placement(pools), "")


def _mps_by_label(pools: Sequence[PoolPlan], every: Sequence[PoolPlan]) -> Iterator[MpsDaemon]:
    """One for each configuration: a restart stops the programs that use the GPUs of the node."""
    for config, own in by_config(pools):
        for placement in placements(own, every, labelled_nodes(config.nodes)):
            yield MpsDaemon(placement, config.part)


def _is_served(pool: PoolPlan) -> bool:
    return pool.pool.sharing.way == "mps"


def _has_mig(pool: PoolPlan) -> bool:
    return bool(pool.pool.mig)


def _is_pinned(pool: PoolPlan) -> bool:
    return pool.pool.kubelet.get("cpuManagerPolicy") == "static"
