"""What all node groups of a cluster have in common."""

from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import device_row
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


def amounts(written: Mapping[str, Any]) -> dict[str, Decimal]:
    """Quantities of resources by name, without those that cannot be parsed."""
    parsed: dict[str, Decimal] = {}
    for name, amount in written.items():
        with suppress(ValueError):
            parsed[name] = quantity(amount)
    return parsed


def is_gpu_resource(name: str, objects: Objects) -> bool:
    """Whether it is the resource name of whole GPUs, or of parts of GPUs."""
    row = device_row(name, objects)
    return bool(row and row["manufacturer"])
