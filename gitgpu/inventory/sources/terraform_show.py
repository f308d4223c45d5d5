"""The JSON of `terraform show -json`, for a state or a plan. OpenTofu prints the same.

The format: developer.hashicorp.com/terraform/internals/json-format (format_version 1.x).
"""

from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Places
from gitgpu.inventory.observed import Inventory
from gitgpu.inventory.source import Source
from gitgpu.inventory.terraform.reading import pending_changes, read_resources
from gitgpu.inventory.terraform.resources import changed_addresses, shown_resources


def recognises(data: Any) -> bool:
    """Whether it has the version of the format, and a state or a plan."""
    versioned = isinstance(data, dict) and "format_version" in data
    return versioned and any(isinstance(reach(data, key), dict) for key in ("values", "planned_values"))


def reads(data: Any, places: Places) -> Inventory:
    """The resources of all modules. If a plan changes some of them, there is a warning."""
    inventory = read_resources(shown_resources(data), places)
    return inventory._replace(faults=(*inventory.faults, *pending_changes(changed_addresses(data), places)))


SOURCE = Source("terraform", recognises, reads)
