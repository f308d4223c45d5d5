"""What Azure lets a subscription have in a region, as the spec records it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

CORES, SPOT_CORES = "cores", "lowPriorityCores"  # the sums over all sizes: of machines on demand, and of spot machines


class Quota(NamedTuple):
    """The most vCPUs of a family, or of all; `used` is how many were taken, None where the record does not say."""

    name: str
    title: str
    limit: int
    used: int | None

    @property
    def key(self) -> str:
        """What two spellings of the name have in common."""
        return plain(self.name)


def quota(item: Mapping[str, Any]) -> Quota:
    """From an item of the spec, which is one of `az vm list-usage` or a name and a limit."""
    names = item["name"] if isinstance(item["name"], Mapping) else {"value": item["name"]}
    title = item.get("localName") or names.get("localizedValue") or names["value"]
    return Quota(
        names["value"], title, int(item["limit"]), int(item["currentValue"]) if "currentValue" in item else None
    )


def plain(name: str) -> str:
    """A quota's name without what Azure's interfaces write differently: case and spaces."""
    return name.replace(" ", "").lower()
