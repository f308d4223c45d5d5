"""Rows of sizes: facts from Azure's API that gitgpu's catalog does not have, or has with a different value."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.spec.quota import plain
from gitgpu.refresh.answers.sizes import ListedSize
from gitgpu.refresh.row import CatalogUpdate, OwnedRow

KIND = "skus"
_SOURCE = "https://learn.microsoft.com/cli/azure/vm#az-vm-list-skus"
_ARCHITECTURES = {"x64": "amd64", "Arm64": "arm64"}  # as Azure and as Kubernetes names them
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)
_BOOLEANS = {"True": True, "False": False}


class _Fact(NamedTuple):
    """A key of a row, the capability that it comes from, and how that is read. `read` returns None for other texts."""

    key: str
    capability: str
    read: Callable[[str], Any]


def _number(text: str) -> float | int | None:
    if not _NUMBER.fullmatch(text):
        return None
    return float(text) if "." in text else int(text)


def _generations(text: str) -> list[int] | None:
    generations = {"V1": 1, "V2": 2}
    names = text.split(",")
    if not generations.keys() >= set(names):
        return None
    return sorted(generations[name] for name in names)


_FACTS = (
    _Fact("vcpus", "vCPUs", _number),
    _Fact("memoryGiB", "MemoryGB", _number),
    _Fact("arch", "CpuArchitectureType", _ARCHITECTURES.get),
    _Fact("spot", "LowPriorityCapable", _BOOLEANS.get),  # the former name of spot VMs
    _Fact("acceleratedNetworking", "AcceleratedNetworkingEnabled", _BOOLEANS.get),
    _Fact("premiumStorage", "PremiumIO", _BOOLEANS.get),
    _Fact("encryptionAtHost", "EncryptionAtHostSupported", _BOOLEANS.get),
    _Fact("hypervisorGenerations", "HyperVGenerations", _generations),
    _Fact("gpus", "GPUs", _number),
)


def size_facts(answers: Iterable[ListedSize], catalog: Catalog, day: str) -> CatalogUpdate:
    """A row for each size of the catalog. Values that differ between regions are omitted."""
    sizes: dict[str, list[ListedSize]] = {}
    for size in answers:
        name = catalog.sku_names.get(size.name.lower())
        if name is not None:
            sizes.setdefault(name, []).append(size)
    ours = CatalogFiles()
    rows = []
    for name, listed in sorted(sizes.items()):
        # A size that only the user's catalog has gets no row: a row extends one of gitgpu's.
        row = ours.row(KIND, name)
        if row:
            rows.append(OwnedRow(KIND, name, True, _differing(row.data, listed), _SOURCE, day))
    return CatalogUpdate(tuple(rows))


def _differing(row: Mapping[str, Any], listed: Iterable[ListedSize]) -> dict[str, Any]:
    """The keys that have a different value in the list than in the row; None for the others, which are removed."""
    first, *others = (dict(_read(size)) for size in listed)
    ours = {**row, "gpus": row["karpenter"]["gpus"]}
    keys: dict[str, Any] = dict.fromkeys(fact.key for fact in _FACTS)
    keys["quotaFamily"] = None
    for key, value in first.items():
        is_everywhere = all(other.get(key) == value for other in others)
        if is_everywhere and not _equal(ours[key], value):
            keys[key] = value
    gpus = keys.pop("gpus")
    return {**keys, "karpenter": None if gpus is None else {"gpus": gpus}}


def _equal(ours: Any, theirs: Any) -> bool:
    """Compares names in a plain spelling, because Azure's interfaces spell quotas differently."""
    return plain(ours or "") == plain(theirs) if isinstance(theirs, str) else bool(ours == theirs)


def _read(size: ListedSize) -> Iterator[tuple[str, Any]]:
    for fact in _FACTS:
        value = fact.read(size.capabilities.get(fact.capability, ""))
        if value is not None:
            yield fact.key, value
    if size.family:
        yield "quotaFamily", size.family
