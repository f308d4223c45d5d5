"""Pools whose `nodeRequirements` are all requirements of the NodePool: the sizes and offerings that they allow."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gitgpu.model.catalog import Catalog
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL, PLACEMENT_SCOPE_LABEL, ZONE_LABEL
from gitgpu.model.size.node_labels import labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, Requirements, clash, intersect, requirement

CAPACITY_TYPES, SCOPES = ("spot", "on-demand"), ("zonal", "regional")


def joined_requirements(written: Iterable[Mapping[str, Any]]) -> Requirements:
    """The requirements by key. A bound that is not a number is omitted, because it is reported elsewhere."""
    return intersect(filter(None, map(_requirement, written)))


def _requirement(entry: Mapping[str, Any]) -> Requirement | None:
    try:
        return requirement(entry["key"], entry["operator"], entry.get("values", ()))
    except ValueError:
        return None


def required_sizes(catalog: Catalog, wanted: Requirements) -> list[Sku]:
    """The GPU sizes that meet the requirements and that Karpenter can create."""
    skus = [sku for sku in catalog.skus if sku.obtainable and not clash(labels(sku), wanted)]
    # Pods request GPUs of one manufacturer. For them, Karpenter starts no size with GPUs of another one, or with GPUs
    # that it does not count.
    skus = [sku for sku in skus if sku.manufacturer == "nvidia"] or skus
    return [sku for sku in skus if sku.counted_gpus] or skus


def derived_settings(wanted: Requirements) -> dict[str, Any]:
    """The values of the keys capacity, zones and placement that mean the same as these requirements."""
    settings: dict[str, Any] = {
        "capacity": _possible(wanted.get(CAPACITY_TYPE_LABEL), CAPACITY_TYPES) or list(CAPACITY_TYPES)
    }
    scopes = _possible(wanted.get(PLACEMENT_SCOPE_LABEL), SCOPES)
    if len(scopes) == 1:
        settings["placement"] = scopes[0]
    zones = _zone_numbers(wanted.get(ZONE_LABEL))
    if zones:
        settings["zones"] = zones
    return settings


def _zone_numbers(wanted: Requirement | None) -> list[str]:
    """The numbers of the zones that a requirement lists."""
    if wanted is None or wanted.complement:
        return []
    numbers = {value.rpartition("-")[2] for value in wanted.values}
    # Zone 0 means regional nodes, which the scope describes.
    return sorted(number for number in numbers if number.isdigit() and number != "0")


def _possible(wanted: Requirement | None, values: Sequence[str]) -> list[str]:
    return [value for value in values if wanted is None or wanted.takes(value)]
