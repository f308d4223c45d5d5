"""What is the same for all groups of nodes of a cluster."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.conform.objects import Objects
from gitgpu.diagnostic import Diagnostic
from gitgpu.model.syntax.requirement import Requirements, requirement
from gitgpu.simulate.instance.instance_types import InstanceTypes
from gitgpu.simulate.instance.offerings import Offerings


class World(NamedTuple):
    """What is the same for all groups of a cluster.

    `every` are its DaemonSets, `shelves` those that were filled, `refused` the node classes that are refused, and why.
    """

    objects: Objects
    offerings: Offerings
    every: tuple[Any, ...]
    max_pods: int
    shelves: dict[Any, InstanceTypes]
    refused: Mapping[str, Diagnostic] = {}


def fixed_labels(texts: Mapping[str, str]) -> Requirements:
    """Labels that are set, as requirements."""
    return {key: requirement(key, "In", [value]) for key, value in texts.items()}
