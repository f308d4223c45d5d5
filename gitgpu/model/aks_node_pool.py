"""What a pool's settings and size mean for an AKS node pool: its name, nodes, driver and MIG profile."""

from gitgpu.model.aks_api import ApiField, fields_of, least_api, unknown_fields
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import BY_AKS
from gitgpu.model.fleet import Pool
from gitgpu.model.mig import fullest
from gitgpu.model.sku import Sku
from gitgpu.model.spec.limits import Nodes


def azure_name(pool: Pool) -> str:
    """The name of the AKS node pool: from the spec, else the pool's name without hyphens, which AKS rejects."""
    return pool.node_pool_name or pool.name.replace("-", "")


def bounds(pool: Pool) -> Nodes:
    """The minimum and maximum number of nodes. The maximum is None if neither `nodes` nor `limits` sets one.

    A pool of virtual machines has the sum of those of its sizes.
    """
    if pool.has_machines:
        sizes = nodes_by_size(pool).values()
        most = [each.maximum for each in sizes if each.maximum is not None]
        return Nodes(sum(each.minimum for each in sizes), sum(most) if len(most) == len(sizes) else None)
    return Nodes(pool.nodes.minimum, allowed_nodes(pool) if pool.nodes.maximum is None else pool.nodes.maximum)


def nodes_by_size(pool: Pool) -> dict[str, Nodes]:
    """The minimum and maximum number of nodes of each size of a pool of virtual machines, by its name."""
    own = {name.lower(): nodes for name, nodes in pool.nodes.sizes.items()}
    return {sku.name: own.get(sku.name.lower(), pool.nodes._replace(sizes={})) for sku in pool.skus}


def gpus_of_machines(pool: Pool) -> int | None:
    """The most GPUs that a pool of virtual machines can have; None if it has no maximum, or a size is not known."""
    sizes, total = nodes_by_size(pool), 0
    for sku in pool.skus:
        most = sizes[sku.name].maximum
        if most is None or sku.gpus is None:
            return None
        total += most * sku.gpus
    return total


def allowed_nodes(pool: Pool) -> int | None:
    """The number of nodes that the pool's limits allow, or None without limits."""
    gpus = pool.skus[0].gpus if pool.skus else None
    by_gpus = pool.limits.gpus // gpus if gpus and pool.limits.gpus is not None else None
    return min((maximum for maximum in (pool.limits.nodes, by_gpus) if maximum is not None), default=None)


def other_type(pool: Pool, catalog: Catalog) -> str | None:
    """The pool's driver type, or None if AKS installs it by default."""
    return None if pool.driver_type == windows_driver(catalog, pool.skus[0]) else pool.driver_type


def beyond(pool: Pool, driver: str, catalog: Catalog, operator: str, *, claimed: bool = False) -> dict[str, str]:
    """Settings that the objects of Azure Service Operator do not have, with the oldest version of the API that has.

    `operator` is the version of Azure's API of these objects. With `claimed`, pods claim the GPUs of the pool.
    """
    settings = _newer_fields(pool, driver, catalog)
    if claimed and driver == "managed":
        settings["allocation: aks-dra"] = [ApiField("gpuProfile.nvidia.driverMode")]
    return {
        setting: least_api(catalog, "agentPools", fields)
        for setting, fields in settings.items()
        if unknown_fields(catalog, "agentPools", fields, operator)
    }


def _newer_fields(pool: Pool, driver: str, catalog: Catalog) -> dict[str, list[ApiField]]:
    """Settings that not every version of Azure's API has: each with its fields, or the newest one of them."""
    fields: dict[str, list[ApiField]] = {}
    if driver == "managed" and not pool.windows:
        newest = "migStrategy" if pool.mig else "managementMode"
        fields["driver: managed"] = [ApiField(f"gpuProfile.nvidia.{newest}")]
    elif driver not in (*BY_AKS, "managed"):
        fields[f"driver: {driver}"] = [ApiField("gpuProfile.driver")]
    if other_type(pool, catalog):
        fields[f"driverType: {pool.driver_type}"] = [ApiField("gpuProfile.driverType")]
    if pool.has_machines and bounds(pool).minimum != bounds(pool).maximum:
        autoscaled = ApiField("virtualMachinesProfile.scale.autoscale[].size")
        fields["autoscaled agentPool.type: VirtualMachines"] = [autoscaled]
    if pool.has_managed_nics:
        fields["rdma: managed"] = [ApiField("networkProfile.dranet.mode")]
    if pool.image.get("artifactStreaming"):
        fields["artifactStreaming"] = [ApiField("artifactStreamingProfile.enabled")]
    family = pool.image.get("family")
    if family:
        fields[f"image.family: {family}"] = [ApiField("osSKU", family)]
    for key, value in pool.objects.agent_pool.items():
        fields[f"agentPool.{key}"] = fields_of(catalog, "agentPools", {key: value})
    return fields


def windows_driver(catalog: Catalog, sku: Sku) -> str | None:
    """The type of driver that AKS installs on Windows nodes of this size: CUDA, GRID, or None."""
    defaults: dict[str, str] = catalog.must("pools", "aks")["windowsDrivers"]
    letters = sku.name.removeprefix("Standard_")[:2]
    return defaults.get(letters) if "windows" in sku.os and sku.manufacturer == "nvidia" else None


def gpu_instance_profile(pool: Pool, catalog: Catalog) -> str | None:
    """The GPU instance profile with which AKS creates a pool's layout; None if AKS has none for it."""
    mig, facts = pool.mig, catalog.must("pools", "aks")
    if mig is None or len(mig.layouts) > 1 or len(mig.layouts[0]) > 1:
        return None
    [(profile, count)] = mig.layouts[0].items()
    gpus = [sku.gpu for sku in pool.skus if sku.gpu]
    if not gpus or any(gpu.name not in facts["migGpus"] or fullest(gpu, profile) != count for gpu in gpus):
        return None
    slices = (gpus[0].mig or {})[profile]["slices"]
    wanted = {"slices": slices, "instances": count}
    return next((name for name, layout in facts["migProfiles"].items() if layout == wanted), None)
