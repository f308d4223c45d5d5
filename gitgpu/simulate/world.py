"""What all node groups of a cluster have in common."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.objects import Objects
from gitgpu.simulate.instance.instance_types import InstanceTypes
from gitgpu.simulate.instance.offerings import Offerings


class World(NamedTuple):
    """What all groups of a cluster have in common.

    `daemons` are its DaemonSets. `shared_types` caches instance types: pools with the same settings have the same ones.
    `refused` are the rejected node classes, and why. With `counts_allowed`, minValues counts only values that a new
    node may have.
    """

    objects: Objects
    offerings: Offerings
    daemons: tuple[Any, ...]
    max_pods: int
    shared_types: dict[Any, InstanceTypes]
    refused: Mapping[str, Diagnostic] = {}
    counts_allowed: bool = False
