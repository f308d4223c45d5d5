"""What is decided about the GPUs that nodes advertise: shared or cut how, and by which driver."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.model.fleet import Sharing
from gitgpu.model.mig import Layout


class PluginConfig(NamedTuple):
    """What the device plugin advertises: how GPUs are shared, and the strategy for the instances of MIG."""

    sharing: Sharing
    mig: str


class Partitioning(NamedTuple):
    """How the GPU Operator cuts GPUs: its MIG strategy, the layouts by name, and whether nodes may need a reboot."""

    strategy: str
    layouts: Mapping[str, tuple[Layout, ...]]
    reboot: bool


class Driver(NamedTuple):
    """A driver that the GPU Operator installs, as an image."""

    repository: str
    image: str
    version: str
