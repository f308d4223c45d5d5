"""The facts of the size explorer: sizes, their prices by region and the dates of these."""

from typing import Any

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.aks_node_pool import windows_driver
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.availability import sale_of
from gitgpu.model.sku import Sku
from gitgpu.report.sizes import size

# What each choice of "provisioner" means is said on the page: site/size-explorer.md.
KARPENTER, FROM_ZERO, NODE_POOL = "karpenter", "autoscaler-from-zero", "node-pool"


def facts() -> list[dict[str, Any]]:
    """A size as `gitgpu sku list -o json` has it, with what the explorer adds, in order of name. null means unknown."""
    catalog = Catalog(CatalogFiles())
    return [_facts(catalog, sku) for sku in catalog.skus]


def _facts(catalog: Catalog, sku: Sku) -> dict[str, Any]:
    driver = catalog.facts("drivers", sku.driver) if sku.driver else None
    known = size(sku, driver, windows_driver(catalog, sku), sale_of(catalog, sku))
    gpu, life = known["gpu"], known["lifecycle"]
    return {
        "name": sku.name,
        "gpu": gpu["model"],
        "manufacturer": gpu["manufacturer"],
        "gpus": gpu["count"],
        "share": gpu["share"],
        "gpuMemory": gpu["memoryGiB"],
        "vcpus": known["vcpus"],
        "memory": known["memoryGiB"],
        "mig": known["mig"],
        "infiniband": known["rdma"],
        "nvlink": known["nvlink"],
        "driver": known["driver"]["type"],
        "driverVersion": known["driver"]["version"],
        "aksInstalls": bool(sku.os),
        "windowsDriver": known["windowsDriver"],
        "os": known["os"],
        "karpenter": sku.offer,
        "provisioners": _provisioners(sku),
        "status": life["status"],
        "statusDate": life["date"],
        "prices": known["prices"],
        "priceDates": known["priceDates"],
        "zones": known["zones"],
    }


def _provisioners(sku: Sku) -> list[str]:
    """Who can start nodes of a size. A size that Azure does not sell has none."""
    if sku.why_gone:
        return []
    by_karpenter = [KARPENTER] if sku.offer != "left-out" else []
    expected = sku.gpu is not None and sku.gpu.manufacturer == "nvidia" and sku.counted_gpus != 0  # rule AGP014
    return [*by_karpenter, *([FROM_ZERO] if expected else []), NODE_POOL]
