"""What all node groups of a cluster have in common."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.conform.objects import Objects
from gitgpu.diagnostic import Diagnostic
from gitgpu.model.syntax.requirement import Requirements, requirement
from gitgpu.simulate.instance.instance_types import InstanceTypes
from gitgpu.simulate.instance.offerings import Offerings


class World(NamedTuple):
    """What all groups of a cluster have in common.

    `daemons` are its DaemonSets. `shared_types` caches instance types: pools with the same settings have the same ones.
    `refused` are the rejected node classes, and why.
    """

    objects: Objects
    offerings: Offerings
    daemons: tuple[Any, ...]
    max_pods: int
    shared_types: dict[Any, InstanceTypes]
    refused: Mapping[str, Diagnostic] = {}


def fixed_labels(texts: Mapping[str, str]) -> Requirements:
    """Labels that are set, as requirements."""
    return {key: requirement(key, "In", [value]) for key, value in texts.items()}
