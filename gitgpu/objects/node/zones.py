"""Zone names on Karpenter nodes for Azure."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.objects.objects import Objects


def zone_facts(objects: Objects) -> Mapping[str, Any]:
    """The label of the zone, its value outside the zones, and the scope label that goes with it."""
    facts: Mapping[str, Any] = objects.catalog.must("labels", "karpenter")["zones"]
    return facts


def is_zone(value: str, none: str) -> bool:
    """Whether a node can have this zone: <region>-<digit> in lower case, or the value for nodes outside the zones."""
    region, _, number = value.rpartition("-")
    named = region.isascii() and region.isalnum() and region == region.lower()
    return value == none or (named and len(number) == 1 and number.isascii() and number.isdigit())


def zone_meant(value: str, objects: Objects) -> str:
    """The zone of a known region that a misspelt name must mean; empty if that is not certain."""
    regions = objects.catalog.names("regions")
    squeezed = "".join(value.lower().split())
    region, _, number = squeezed.rpartition("-")
    if region in regions and len(number) == 1 and number.isdigit():
        return squeezed
    region, number = squeezed[:-1], squeezed[-1:]
    # eastus2 is a region, not zone 2 of eastus.
    if squeezed not in regions and region in regions and number.isdigit():
        return f"{region}-{number}"
    return ""


def unknown_zone(value: str, objects: Objects) -> bool:
    """Whether the zone is in a region of the catalog, but the catalog does not list its number for that region."""
    region, _, number = value.rpartition("-")
    row = objects.catalog.facts("regions", region) if region else None
    zones = row["zones"] if row else None
    return zones is not None and number not in zones


def regions_of(values: Iterator[str], none: str) -> list[str]:
    """The regions of these zones, without duplicates, in order."""
    zones = [value for value in values if value != none and is_zone(value, none)]
    return list(dict.fromkeys(zone.rpartition("-")[0] for zone in zones))
