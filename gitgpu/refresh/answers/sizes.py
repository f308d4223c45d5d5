"""The GPU sizes in the output of `az vm list-skus`, or of the API that it calls (Microsoft.Compute/skus).

An entry is about one size in one or several regions: `locations`, the zones of each in `locationInfo`, `capabilities`
as pairs of texts, and `restrictions` of the subscription: of type Location (not available there) or Zone (not available
in `restrictionInfo.zones`). Format: ResourceSku in Azure/azure-rest-api-specs, compute/resource-manager/.../skus.json.
Restrictions are read as in Azure/skewer, which Karpenter uses:
https://github.com/Azure/skewer/blob/0119bd0cb17cb1ae5b9682bf096a2e3aa1435a60/sku.go
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import rows
from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.text import Text
from gitgpu.refresh.answers.json_items import Item, items
from gitgpu.refresh.answers.recognition import SKUS, foreign, has, texts, word
from gitgpu.source import Span

OPTION = "--skus"
_MACHINES = "virtualMachines"
_GPUS = "GPUs"
_ZONES = frozenset("123456789")


class ListedSize(NamedTuple):
    """A size in a region, with the zones that the subscription can use. `restricted` says why there are none, or None.

    `capabilities` have Azure's names. `family` is the name of the quota.
    """

    name: str
    region: str
    zones: tuple[str, ...]
    restricted: str | None
    capabilities: Mapping[str, str]
    family: str
    item: Item

    @property
    def has_gpus(self) -> bool:
        """Whether Azure's API counts GPUs."""
        return self.capabilities.get(_GPUS, "0") != "0"


def sizes(text: Text) -> tuple[list[ListedSize], list[Diagnostic]]:
    """The sizes in a list that may have GPUs, and its faults."""
    all_sizes: list[ListedSize] = []
    is_empty = True
    for item in items(text, ("value",)):
        if isinstance(item, Diagnostic):
            return all_sizes, [item]
        if not _is_sku(item.data):
            return all_sizes, [foreign(item, SKUS, OPTION)]
        is_empty = False
        if item.data.get("resourceType", _MACHINES) == _MACHINES:
            all_sizes += _listed(item)
    if all_sizes:
        return all_sizes, []
    message = "the list is empty" if is_empty else "contains no GPU size"
    remedy = "check --location of the command, and that no other option filters out the GPU sizes"
    return all_sizes, [fault("CAT012", message, remedy, Span(text.name, 1, 1))]


def _is_sku(data: Any) -> bool:
    lists = ("locations", "capabilities", "restrictions")
    return has(data, ("name", *lists)) and all(isinstance(data[key], list) for key in lists)


def _listed(item: Item) -> Iterator[ListedSize]:
    data = item.data
    capabilities = {str(pair.get("name")): str(pair.get("value")) for pair in rows(data, "capabilities")}
    if not str(data["name"]).lower().startswith("standard_n") and capabilities.get(_GPUS, "0") == "0":
        return
    zones = {plain_region(info.get("location")): texts(info, "zones") for info in rows(data, "locationInfo")}
    for region in dict.fromkeys(map(plain_region, texts(data, "locations"))):
        reason, closed = _restrictions(rows(data, "restrictions"), region)
        usable = set() if reason else _ZONES.intersection(zones.get(region, ())) - closed
        usable_zones = tuple(sorted(usable))
        yield ListedSize(str(data["name"]), region, usable_zones, reason, capabilities, word(data.get("family")), item)


def _restrictions(restrictions: Iterable[Mapping[str, Any]], region: str) -> tuple[str | None, set[str]]:
    """Why a subscription cannot use the size in a region (None if it can), and the zones that it cannot use."""
    closed: set[str] = set()
    reason = None
    for entry in restrictions:
        if region not in map(plain_region, texts(entry, "values")):
            continue
        if entry.get("type") == "Location":
            reason = word(entry.get("reasonCode")) or "restricted"
        else:
            closed |= set(texts(entry, "restrictionInfo", "zones"))
    return reason, closed


def plain_region(name: object) -> str:
    """The name of a region in APIs: swedencentral for `Sweden Central`."""
    return str(name).replace(" ", "").lower()
