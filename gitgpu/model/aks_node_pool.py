"""What a pool's words and its size mean for a node pool of AKS: its name there, its number of nodes, its driver."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.sku import Sku
from gitgpu.model.spec.limits import Nodes

# The labels by which Karpenter and AKS say of which pool a node is.
NODE_POOL, AGENT_POOL = "karpenter.sh/nodepool", "kubernetes.azure.com/agentpool"


def azure_name(pool: Pool) -> str:
    """What AKS calls the node pool: what the spec says, else the pool's name without what AKS does not take."""
    return pool.node_pool_name or pool.name.replace("-", "")


def bounds(pool: Pool) -> Nodes:
    """The fewest and the most nodes; the most is None when neither `nodes` nor `limits` bounds them."""
    return Nodes(pool.nodes.least, allowed(pool) if pool.nodes.most is None else pool.nodes.most)


def allowed(pool: Pool) -> int | None:
    """The nodes that the pool's limits leave room for."""
    gpus = pool.skus[0].gpus if pool.skus else None
    by_gpus = pool.limits.gpus // gpus if gpus and pool.limits.gpus is not None else None
    return min((most for most in (pool.limits.nodes, by_gpus) if most is not None), default=None)


def other_type(pool: Pool, catalog: Catalog) -> str | None:
    """The type of driver that the pool asks for where AKS would install the other one by itself."""
    return None if pool.driver_type == windows_driver(catalog, pool.skus[0]) else pool.driver_type


def beyond(pool: Pool, driver: str, catalog: Catalog) -> dict[str, str]:
    """What the pool says that Azure Service Operator has no field for, and the version of Azure's API that has one."""
    row = catalog.must("pools", "aks")
    versions: dict[str, str] = {}
    if driver == "managed" and not pool.windows:
        versions["driver: managed"] = row["previewApi"]
    if driver != "none" and other_type(pool, catalog):
        versions[f"driverType: {pool.driver_type}"] = row["previewApi"]
    if pool.image.get("artifactStreaming"):
        versions["artifactStreaming"] = row["streamingApi"]
    return versions


def windows_driver(catalog: Catalog, sku: Sku) -> str | None:
    """The type of driver that AKS installs on Windows nodes of the size, CUDA or GRID; None where it installs none."""
    defaults: dict[str, str] = catalog.must("pools", "aks")["windowsDrivers"]
    letters = sku.name.removeprefix("Standard_")[:2]
    return defaults.get(letters) if "windows" in sku.os and sku.manufacturer == "nvidia" else None
