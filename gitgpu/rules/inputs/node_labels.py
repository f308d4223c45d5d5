"""The possible labels on nodes of a pool, as far as spec and catalog determine them: values by well-known key.

A key whose value is unknown for some size is omitted, so that no rule reports it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.sku import Sku
from gitgpu.model.software.node_images import family

AZURE = "karpenter.azure.com/sku-"
NONE = ""  # the value of a label that Karpenter does not set
PRIORITY = {"spot": "spot", "on-demand": "regular"}  # the capacity types, as AKS's labels call them
OF_SIZE: Mapping[str, Callable[[Sku], object]] = {
    "kubernetes.io/arch": lambda sku: sku.arch,
    "node.kubernetes.io/instance-type": lambda sku: sku.name,
    f"{AZURE}name": lambda sku: sku.name,
    f"{AZURE}family": lambda sku: sku.family,
    f"{AZURE}series": lambda sku: sku.series,
    f"{AZURE}version": lambda sku: sku.version,
    f"{AZURE}cpu": lambda sku: sku.vcpus,
    f"{AZURE}memory": lambda sku: None if sku.memory_gib is None else int(sku.memory_gib * 1024),  # in MiB
    f"{AZURE}gpu-name": lambda sku: sku.accelerator or (NONE if sku.family else None),
    f"{AZURE}gpu-count": lambda sku: sku.counted_gpus,
    f"{AZURE}gpu-manufacturer": lambda sku: sku.manufacturer if sku.counted_gpus else None,
}


def labels(pool: Pool, cluster: Cluster, catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """The possible values of each key on a node of the pool on a cluster."""
    priorities = tuple(PRIORITY[name] for name in pool.capacity)
    system = "AzureLinux" if family(pool, catalog) == "AzureLinux" else "Ubuntu"
    placements = (pool.placement,) if pool.placement else ("zonal", "regional")
    by_key = {
        "karpenter.sh/capacity-type": pool.capacity,
        "kubernetes.azure.com/scalesetpriority": priorities,
        "kubernetes.azure.com/priority": priorities,
        "karpenter.azure.com/placement-scope": placements,
        "kubernetes.azure.com/os-sku": (system,),
        # Without FIPS, nodes do not have the label.
        "kubernetes.azure.com/fips_enabled": ("true",) if pool.image.get("fips") else (),
        "kubernetes.azure.com/mode": ("system", "user"),
        "kubernetes.io/os": ("linux",),
        "topology.kubernetes.io/region": (cluster.region,),
        "topology.kubernetes.io/zone": _zones(pool, cluster, catalog),
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
