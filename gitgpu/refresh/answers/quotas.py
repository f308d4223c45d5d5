"""The quotas in the output of `az vm list-usage` (Microsoft.Compute/locations/usages): vCPUs by family and in total.

Format: Usage in Azure/azure-rest-api-specs, compute. The CLI adds localName, and some releases print numbers as texts.
"""

import re
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.text import Text
from gitgpu.refresh.answers.json_items import Item, items
from gitgpu.refresh.answers.recognition import USAGE, foreign, has
from gitgpu.source import Span

OPTION = "--usage"
_NUMBER = re.compile(r"-?[0-9]{1,18}", re.ASCII)  # Python does not convert thousands of digits


class Limit(NamedTuple):
    """The maximum number of vCPUs of a subscription, with the name of the quota."""

    name: str
    limit: int
    item: Item


def limits(text: Text) -> tuple[list[Limit], list[Diagnostic]]:
    """The quotas in a list, and its faults."""
    all_limits: list[Limit] = []
    for item in items(text, ("value",)):
        if isinstance(item, Diagnostic):
            return all_limits, [item]
        name, limit = _name(item.data), str(item.data.get("limit")) if has(item.data, ("limit",)) else ""
        if not name or not _NUMBER.fullmatch(limit):
            return all_limits, [foreign(item, USAGE, OPTION)]
        if int(limit) >= 0:  # -1 means no limit
            all_limits.append(Limit(name, int(limit), item))
    if all_limits:
        return all_limits, []
    return all_limits, [fault("CAT012", "the list is empty", "check --location of the command", Span(text.name, 1, 1))]


def _name(data: Any) -> str:
    """The name of a quota: `name.value`, or `name` if a query has reduced it to its value."""
    if not has(data, ("name", "limit")):
        return ""
    name = data["name"]["value"] if has(data["name"], ("value",)) else data["name"]
    return name if isinstance(name, str) else ""
