"""A state file of Terraform or OpenTofu (terraform.tfstate, version 4).

Its format is not published: hashicorp/terraform internal/states/statefile/version4.go.
"""

from typing import Any

from gitgpu.diagnostic import Places
from gitgpu.inventory.observed import Inventory
from gitgpu.inventory.source import Source
from gitgpu.inventory.terraform.reading import read_resources
from gitgpu.inventory.terraform.resources import state_resources

# The version of the format that Terraform and OpenTofu write.
_VERSION = 4


def recognises(data: Any) -> bool:
    """Whether it has the keys that every state file has."""
    return (
        isinstance(data, dict) and data.get("version") == _VERSION and {"serial", "lineage", "resources"} <= set(data)
    )


def reads(data: Any, places: Places) -> Inventory:
    """The resources of all modules."""
    return read_resources(state_resources(data), places)


SOURCE = Source("terraform-state", recognises, reads)
