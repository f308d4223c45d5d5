"""Files that were passed with the wrong option: which command prints such a file."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.access import list_at
from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.refresh.answers.json_items import Item

_WORD = re.compile(r"[\w .-]{1,100}", re.ASCII)
SKUS, PRICES = "az vm list-skus -o json", "the retail prices API"
USAGE, VERSIONS = "az vm list-usage -o json", "az aks get-versions -o json"
# Until 2023, the output of the Azure CLI did not have the format KubernetesVersionListResult, with support plans.
_OLD = "an old release of the Azure CLI"
# Keys that no other response has. The first match counts.
_PRINTED_BY: Mapping[str, frozenset[str]] = {
    PRICES: frozenset({"retailPrice"}),
    VERSIONS: frozenset({"patchVersions"}),
    "az aks list": frozenset({"agentPoolProfiles"}),
    "az aks nodepool list": frozenset({"vmSize", "osSku"}),
    USAGE: frozenset({"currentValue", "limit"}),
    SKUS: frozenset({"resourceType", "locations"}),
    "az vm list-sizes": frozenset({"numberOfCores"}),
    "az account list-locations": frozenset({"regionalDisplayName"}),
    _OLD: frozenset({"orchestrators"}),
    "a request that failed": frozenset({"error"}),
}


def command(name: str) -> str:
    """A command in backticks; anything else unchanged."""
    return f"`{name}`" if name.startswith("az ") else name


def foreign(item: Item, expected: str, option: str) -> Diagnostic:
    """The fault that an item is not from the command `expected`, with the right command if the keys show it."""
    keys = set(item.data) if isinstance(item.data, Mapping) else set()
    source = next((name for name, own in _PRINTED_BY.items() if name != expected and own <= keys), "")
    source = PRICES if "NextPageLink" in keys else source
    looks = f": it looks like the output of {command(source)}" if source else ""
    remedy = f"pass the output of {command(expected)} with {option}"
    if source == _OLD:
        remedy = f"update the Azure CLI with `az upgrade`, and run {command(expected)} again"
    return fault("CAT011", f"not the output of {command(expected)}{looks}", remedy, item.span())


def has(data: Any, keys: Iterable[str]) -> bool:
    """Whether it is a mapping with all of these keys."""
    return isinstance(data, Mapping) and all(key in data for key in keys)


def texts(value: Any, *path: str) -> list[str]:
    """The words in the list at a path; none if there is no list."""
    names = map(word, list_at(value, *path))
    return [name for name in names if name]


def word(value: object) -> str:
    """A value for rows, such as the name of a family; "" if it has characters that no name has."""
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""
