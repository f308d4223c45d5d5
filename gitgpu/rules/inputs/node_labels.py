"""The possible labels on nodes of a pool, as far as spec and catalog determine them: values by well-known key.

A key whose value is unknown for some size is omitted, so that no rule reports it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.names.labels import (
    ARCH_LABEL,
    CAPACITY_TYPE_LABEL,
    FIPS_LABEL,
    INSTANCE_TYPE_LABEL,
    MODE_LABEL,
    OS_LABEL,
    OS_SKU_LABEL,
    PLACEMENT_SCOPE_LABEL,
    PRIORITY_LABEL,
    REGION_LABEL,
    SCALE_SET_PRIORITY_LABEL,
    SKU_CPU_LABEL,
    SKU_FAMILY_LABEL,
    SKU_GPU_COUNT_LABEL,
    SKU_GPU_MANUFACTURER_LABEL,
    SKU_GPU_NAME_LABEL,
    SKU_MEMORY_LABEL,
    SKU_NAME_LABEL,
    SKU_SERIES_LABEL,
    SKU_VERSION_LABEL,
    ZONE_LABEL,
)
from gitgpu.model.sku import Sku
from gitgpu.model.software.node_images import family

NONE = ""  # the value of a label that Karpenter does not set
PRIORITY = {"spot": "spot", "on-demand": "regular"}  # the capacity types, as AKS's labels call them
OF_SIZE: Mapping[str, Callable[[Sku], object]] = {
    ARCH_LABEL: lambda sku: sku.arch,
    INSTANCE_TYPE_LABEL: lambda sku: sku.name,
    SKU_NAME_LABEL: lambda sku: sku.name,
    SKU_FAMILY_LABEL: lambda sku: sku.family,
    SKU_SERIES_LABEL: lambda sku: sku.series,
    SKU_VERSION_LABEL: lambda sku: sku.version,
    SKU_CPU_LABEL: lambda sku: sku.vcpus,
    SKU_MEMORY_LABEL: lambda sku: None if sku.memory_gib is None else int(sku.memory_gib * 1024),  # in MiB
    SKU_GPU_NAME_LABEL: lambda sku: sku.accelerator or (NONE if sku.family else None),
    SKU_GPU_COUNT_LABEL: lambda sku: sku.counted_gpus,
    SKU_GPU_MANUFACTURER_LABEL: lambda sku: sku.manufacturer if sku.counted_gpus else None,
}


def labels(pool: Pool, cluster: Cluster, catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """The possible values of each key on a node of the pool on a cluster."""
    priorities = tuple(PRIORITY[name] for name in pool.capacity)
    system = "AzureLinux" if family(pool, catalog) == "AzureLinux" else "Ubuntu"
    placements = (pool.placement,) if pool.placement else ("zonal", "regional")
    by_key = {
        CAPACITY_TYPE_LABEL: pool.capacity,
        SCALE_SET_PRIORITY_LABEL: priorities,
        PRIORITY_LABEL: priorities,
        PLACEMENT_SCOPE_LABEL: placements,
        OS_SKU_LABEL: (system,),
        # Without FIPS, nodes do not have the label.
        FIPS_LABEL: ("true",) if pool.image.get("fips") else (),
        MODE_LABEL: ("system", "user"),
        OS_LABEL: ("linux",),
        REGION_LABEL: (cluster.region,),
        ZONE_LABEL: _zones(pool, cluster, catalog),
        **{key: _values(map(read, pool.skus)) for key, read in OF_SIZE.items()},
    }
    return {key: values for key, values in by_key.items() if values is not None}


def _zones(pool: Pool, cluster: Cluster, catalog: Catalog) -> tuple[str, ...] | None:
    row = catalog.facts("regions", cluster.region)
    numbers: Sequence[str] | None = pool.zones or (row["zones"] if row else None)
    if numbers is None:
        return None
    # A node outside the zones has the zone 0.
    if pool.placement == "regional":
        return () if pool.zones else ("0",)
    zones = tuple(f"{cluster.region}-{number}" for number in numbers)
    return zones if pool.zones or pool.placement == "zonal" else (*zones, "0")


def _values(facts: Iterable[object]) -> tuple[str, ...] | None:
    values = tuple(facts)
    if not values or None in values:
        return None
    return tuple(dict.fromkeys(str(value) for value in values if value != NONE))
