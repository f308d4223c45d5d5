"""Azure quotas of a subscription in a region, as recorded in the spec."""

from collections.abc import Mapping
from typing import Any, NamedTuple

CORES, SPOT_CORES = "cores", "lowPriorityCores"  # the totals for all sizes, of on-demand and of spot VMs


class Quota(NamedTuple):
    """The limit on vCPUs of a family, or of all sizes. `used` is the number in use, or None if it is not recorded."""

    name: str
    title: str
    limit: int
    used: int | None

    @property
    def key(self) -> str:
        """The name in a plain spelling, to compare it."""
        return plain(self.name)


def quota(item: Mapping[str, Any]) -> Quota:
    """A quota from an item of the spec: an item of `az vm list-usage`, or a name and a limit."""
    names = item["name"] if isinstance(item["name"], Mapping) else {"value": item["name"]}
    title = item.get("localName") or names.get("localizedValue") or names["value"]
    return Quota(
        names["value"], title, int(item["limit"]), int(item["currentValue"]) if "currentValue" in item else None
    )


def plain(name: str) -> str:
    """A quota's name without case and spaces, which Azure's interfaces write differently."""
    return name.replace(" ", "").lower()
