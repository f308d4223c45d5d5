"""Decisions about the GPUs that nodes advertise: how they are shared or partitioned, and with which driver."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.model.fleet import Pool
from gitgpu.model.mig import Layout
from gitgpu.model.spec.sharing import Sharing
from gitgpu.plan.decided.daemon_placement import DaemonPlacement


class PluginConfig(NamedTuple):
    """What the device plugin advertises: how GPUs are shared, and the strategy for MIG instances."""

    sharing: Sharing
    mig: str


class Partitioning(NamedTuple):
    """How the GPU Operator partitions GPUs: MIG strategy, layouts by name, and whether nodes may need a reboot."""

    strategy: str
    layouts: Mapping[str, tuple[Layout, ...]]
    reboot: bool


class Driver(NamedTuple):
    """A driver that the GPU Operator installs, as an image."""

    repository: str
    image: str
    version: str


class PluginDaemon(NamedTuple):
    """The device plugin on some nodes, with the privileges that these need.

    `part` distinguishes it from others that are not for a single pool, "" for none. `mig` says whether some GPUs have
    MIG instances, `mps` whether the plugin can serve nodes with an MPS control daemon. `pinned` says whether a kubelet
    on those nodes pins CPUs, and so resets which devices a container may open.
    """

    placement: DaemonPlacement
    part: str
    mig: bool
    mps: bool
    pinned: bool


class MpsDaemon(NamedTuple):
    """An MPS control daemon. `part` stands for the configuration of the nodes, "" if it is for those of all."""

    placement: DaemonPlacement
    part: str


class DevicePlugin(NamedTuple):
    """The NVIDIA device plugin on nodes whose driver AKS installs. `configs` is what it advertises, by config name.

    `discovery` says whether GPU Feature Discovery, with the same image and configurations, labels the nodes. `memory`
    has its requests and limits as quantities; None if they are not known.
    """

    image: str
    daemons: tuple[PluginDaemon, ...]
    mps: tuple[MpsDaemon, ...]
    configs: Mapping[str, PluginConfig]
    discovery: bool
    memory: Mapping[str, str] | None
    rows: tuple[str, ...]


class PoolDriver(NamedTuple):
    """The driver of a pool that does not use the GPU Operator's default; `claimed` if its pods claim GPUs."""

    pool: Pool
    driver: Driver
    placement: DaemonPlacement
    claimed: bool
