"""The drivers that a GPU Operator release supports, and those that nodes get from AKS or the operator."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.driver_owner import BY_AKS, CLAIMABLE, driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.software.node_images import family
from gitgpu.model.syntax.version import version

OPERATOR = "gpu-operator"  # NVIDIA's


class Operator(NamedTuple):
    """The GPU Operator of a manufacturer: its chart, and the name of the manufacturer in messages."""

    chart: str
    maker: str


OPERATORS = {"nvidia": Operator(OPERATOR, "NVIDIA"), "amd": Operator("amd-gpu-operator", "AMD")}


class InstalledDriver(NamedTuple):
    """A driver on a node. `cuda` is the newest CUDA that it runs without minor-version or forward compatibility."""

    owner: str
    version: str
    cuda: str | None
    architectures: tuple[str, ...] | None


def operator_drivers(catalog: Catalog) -> Mapping[str, Facts]:
    """The drivers of the operator by branch, the default first: version, newest CUDA version, architectures.

    {} for a release whose drivers are not known.
    """
    row: Mapping[str, Any] | None = catalog.must("charts", OPERATOR)["driver"]
    return {entry["version"].partition(".")[0]: entry for entry in (row, *row["alternatives"])} if row else {}


def operator_driver(branch: str | None, catalog: Catalog) -> Facts | None:
    """The operator's driver of a branch, or its default without a branch; None if it does not have the branch."""
    by_branch = operator_drivers(catalog)
    return by_branch.get(branch) if branch else next(iter(by_branch.values()), None)


def has_fallback_driver(catalog: Catalog) -> bool:
    """Whether the operator's default driver is only for nodes that no other NVIDIADriver selects."""
    return bool(catalog.must("charts", OPERATOR).get("fallbackDriver"))


def separates_rdma_drivers(cluster: Cluster, catalog: Catalog) -> bool:
    """Whether pools with InfiniBand have a driver of their own; else the driver of all the operator's nodes uses RDMA.

    Values for the driver in the spec are for the operator's default, so all pools use that then.
    """
    values = (layer.values.get(OPERATOR) or {} for layer in cluster.values)
    is_changed = any(part in own for own in values for part in ("driver", "gds", "gdrcopy"))
    return cluster.stack.node_selection == "labels" and has_fallback_driver(catalog) and not is_changed


def operator_version(catalog: Catalog) -> str:
    """The release of the operator that the catalog pins."""
    return str(catalog.must("charts", OPERATOR)["version"])


def driver_of_pool(driver: str, pool: Pool, sku: Sku, catalog: Catalog) -> InstalledDriver | None:
    """The NVIDIA driver that a node of the pool gets, or None if it is not known."""
    row: Facts | None = None
    owner = "AKS"
    if driver == "operator" and sku.manufacturer == "nvidia":
        row, owner = operator_driver(pool.branch, catalog), f"GPU Operator {operator_version(catalog)}"
    elif driver in BY_AKS and sku.driver and family(pool, catalog).startswith("Ubuntu"):
        # On Azure Linux, the node installs the package that fits its kernel, so the version is not pinned.
        row = catalog.must("drivers", sku.driver)
    if row is None:
        return None
    architectures = row["architectures"]
    return InstalledDriver(owner, row["version"], row["cuda"], tuple(architectures) if architectures else None)


class PoolDriver(NamedTuple):
    """The version of the driver of a pool's nodes."""

    version: str
    pool: Pool


def oldest_driver(inputs: Inputs, cluster: Cluster) -> PoolDriver | None:
    """The oldest NVIDIA driver on nodes where gitgpu chooses what advertises the GPUs; None if none is known."""
    return min(_drivers(inputs, cluster), key=lambda driver: version(driver.version), default=None)


def _drivers(inputs: Inputs, cluster: Cluster) -> Iterator[PoolDriver]:
    catalog = inputs.catalog_for(cluster)
    for pool in inputs.pools_on(cluster):
        driver = driver_on(cluster, pool)
        if driver == "operator" and not inputs.knows_version(cluster, OPERATOR):
            continue
        if driver in CLAIMABLE and pool.manufacturer == "nvidia" and not pool.windows:
            for sku in pool.skus:
                if installed_driver := driver_of_pool(driver, pool, sku, catalog):
                    yield PoolDriver(installed_driver.version, pool)
