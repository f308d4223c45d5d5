"""Facts from the catalog for tests/e2e/scheduler: labels of nodes, sizes, zones and prices."""

import json
from typing import Any

from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import OLD_NAMES

REGIONS = ("eastus", "southcentralus", "swedencentral", "westeurope", "westus")
NEEDED = ("family", "series", "version", "vcpus", "memoryGiB", "arch", "acceleratedNetworking", "premiumStorage")


def known(sku: Sku) -> bool:
    """Whether Karpenter would offer the size, and all facts for its labels and its capacity are known."""
    facts = [sku.row[name] for name in NEEDED]
    return sku.obtainable and None not in facts and sku.counted_gpus is not None


def unknown(catalog: Catalog) -> list[str]:
    """Sizes that the simulator would consider but that are not among the facts. Cases exclude them by name."""
    return sorted(sku.name for sku in catalog.skus if sku.obtainable and not known(sku))


def facts(catalog: Catalog) -> dict[str, Any]:
    """The document that tests/e2e/scheduler reads."""
    placement, labels = catalog.must("placement", "aks"), catalog.must("labels", "karpenter")
    domains = [domain for domain in placement["restricted"] if domain != "karpenter.sh"]
    return {
        "wellKnown": placement["wellKnown"],
        "restricted": domains,
        "values": {row["key"]: row["values"] for row in labels["values"] if row["checked"]},
        "normalized": {old: new for old, new in OLD_NAMES.items() if old.startswith("topology.disk")},
        "sizes": [_size(sku) for sku in sorted(catalog.skus, key=lambda sku: sku.name) if known(sku)],
        "regions": {name: _region(name, catalog) for name in REGIONS},
    }


def written(catalog: Catalog) -> str:
    """The document as text, one line for each size and region."""
    values = facts(catalog)
    values["sizes"] = [_line(row) for row in values["sizes"]]
    sizes = ",\n".join(values.pop("sizes"))
    regions = ",\n".join(f'"{name}":{_line(row)}' for name, row in values.pop("regions").items())
    return f'{_line(values)[:-1]},\n"regions":{{\n{regions}}},\n"sizes":[\n{sizes}]}}\n'


def _line(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _size(sku: Sku) -> dict[str, Any]:
    row = sku.row
    zones = {region: list(zones) for region, zones in sku.zones.items() if region in REGIONS}
    return {
        **{name: row[name] for name in NEEDED},
        "name": sku.name,
        "gpus": sku.counted_gpus,
        "manufacturer": sku.manufacturer,
        "accelerator": sku.accelerator or "",
        "encryptionAtHost": bool(row["encryptionAtHost"]),
        "ephemeralGB": int(sku.ephemeral_max_gb or 0),
        "zones": zones,
        "spot": sku.spot is not False,
        "priced": sku.priced is not False,
        "os": list(sku.os),
        "driverByAKS": sku.offer != "gpu-mode-none",
    }


def _region(name: str, catalog: Catalog) -> dict[str, Any]:
    return {
        "zones": list(catalog.must("regions", name)["zones"]),
        "prices": {size: float(price) for size, price in catalog.must("prices", name)["onDemand"].items()},
    }
