"""The AKS node pool of a pool whose nodes Karpenter does not create.

A retiring pool may shrink to 0, and keeps its maximum: the taint stops the autoscaler from adding nodes, and it is not
documented what AKS does with a maximum below the number of nodes.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.model.aks_api import ApiField, fields_of, least_api, operator_api, unknown_fields
from gitgpu.model.aks_node_pool import azure_name, bounds, gpu_instance_profile, nodes_by_size, other_type
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import BY_AKS
from gitgpu.model.fleet import FIXED, Cluster, Pool
from gitgpu.model.spec.stack import ServiceOperator
from gitgpu.plan.azure_cli import cli_plan
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.nodes import NodePoolPlan, SizePlan
from gitgpu.plan.driver import DIRECTX
from gitgpu.plan.fields.agent_pool import properties, resources
from gitgpu.plan.fields.node_settings import kubelet_config, linux_os_config

_DEFAULTS: Mapping[str, Any] = {"gpuProfile": {"driver": "Install"}}  # AKS does the same without the property


def node_pool(planned: PoolPlan, catalog: Catalog, cluster: Cluster) -> NodePoolPlan:
    """The node pool of a pool. Rules ensure that AKS can create it."""
    decided = _node_pool(planned, catalog)
    written = {**properties(decided), **resources(decided)}
    fields = fields_of(catalog, "agentPools", written)
    api = least_api(catalog, "agentPools", fields)
    newer = _newer_properties(fields, catalog, cluster.stack.aso)
    defaults = frozenset(name for name in newer if written[name] == _DEFAULTS.get(name))
    by_operator = newer == defaults and cluster.delivery.azure is None
    return decided._replace(api=api, cli=cli_plan(written, api, catalog), by_operator=by_operator, omitted=defaults)


def _newer_properties(fields: Iterable[ApiField], catalog: Catalog, aso: ServiceOperator) -> frozenset[str]:
    """The properties that the objects of Azure Service Operator do not have, or not with these values."""
    version = operator_api(aso.api_version)
    return frozenset(field.property for field in unknown_fields(catalog, "agentPools", fields, version))


def _node_pool(planned: PoolPlan, catalog: Catalog) -> NodePoolPlan:
    pool, driver, nodes = planned.pool, planned.driver, bounds(planned.pool)
    return NodePoolPlan(
        name=azure_name(pool),
        size=pool.skus[0].name,
        sizes=_sizes(planned),
        windows=pool.windows,
        os_sku=pool.image.get("family"),
        minimum=_minimum(planned, nodes.minimum),
        maximum=nodes.maximum or 0,
        retires=pool.retire,
        gpu=_gpu(planned, catalog),
        mig=gpu_instance_profile(pool, catalog)
        if driver in BY_AKS
        else pool.objects.agent_pool.get("gpuInstanceProfile"),
        spot=pool.only_spot,
        labels=planned.labels,
        taints=tuple(taint.text for taint in planned.taints),
        tags=planned.tags,
        zones=pool.zones,
        disk_gb=pool.image.get("osDiskGB"),
        disk_type=_disk(pool),
        streams=pool.image.get("artifactStreaming", False),
        fips=pool.image.get("fips", False),
        max_pods=pool.max_pods,
        **_settings(pool),
        subnet=planned.subnet,
        reservation=pool.reservation,
        node_image=_oldest_image(pool, catalog) if driver in BY_AKS and not pool.windows else None,
        **_agent_pool_settings(_with_managed_nics(pool)),
    )


def _disk(pool: Pool) -> str | None:
    """Without a setting, AKS chooses a local disk if it is large enough."""
    local = pool.image.get("ephemeralOSDisk")
    if local is None:
        return None
    return "Ephemeral" if local else "Managed"


def _settings(pool: Pool) -> dict[str, Any]:
    """Settings under the names of an AKSNodeClass, converted to those of Azure's API."""
    return {
        "linux": linux_os_config(pool.settings.get("linuxOSConfig", {})),
        "encrypted": pool.settings.get("security", {}).get("encryptionAtHost", False),
        "kubelet": kubelet_config(pool.kubelet),
    }


def _with_managed_nics(pool: Pool) -> Mapping[str, Any]:
    """The pool's settings with those that let AKS manage its NICs, a part of its `networkProfile`."""
    spec = pool.objects.agent_pool
    if not pool.has_managed_nics:
        return spec
    return {**spec, "networkProfile": {**spec.get("networkProfile", {}), "dranet": {"mode": "Managed"}}}


def _agent_pool_settings(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Settings under the names of Azure's API. Evicted VMs are deleted by default: a stopped VM keeps its quota."""
    # -1 means a maximum of the on-demand price: Azure then evicts spot nodes only for capacity.
    named = ("gpuInstanceProfile", "mode", "scaleSetEvictionPolicy", "spotMaxPrice")
    return {
        "mode": spec.get("mode", "User"),
        "eviction": spec.get("scaleSetEvictionPolicy", "Delete"),
        "max_price": spec.get("spotMaxPrice", -1),
        "settings": {key: value for key, value in spec.items() if key not in named},
    }


def _oldest_image(pool: Pool, catalog: Catalog) -> str | None:
    driver = pool.skus[0].driver
    row = catalog.facts("drivers", driver) if driver else None
    return row.get("nodeImage") if row else None


def _sizes(planned: PoolPlan) -> tuple[SizePlan, ...]:
    """The sizes of a pool of single virtual machines; () for a scale set."""
    sizes = nodes_by_size(planned.pool) if planned.pool.has_machines else {}
    return tuple(SizePlan(name, _minimum(planned, each.minimum), each.maximum or 0) for name, each in sizes.items())


def _minimum(pool: PoolPlan, written: int) -> int:
    """The minimum that the spec sets. A fixed pool keeps its nodes when it retires.

    So does one that the autoscaler does not support: it does not support managed GPUs, and may not see claims.
    """
    nodes = bounds(pool.pool)
    unscaled = pool.pool.provisioner == FIXED or pool.driver == "managed" or pool.claimed
    kept = nodes.minimum == nodes.maximum and unscaled
    return 0 if pool.pool.retire and not kept else written


def _gpu(planned: PoolPlan, catalog: Catalog) -> dict[str, Any]:
    """The GPU profile. AKS advertises managed GPUs, and `migStrategy` says how it advertises their MIG instances."""
    pool, driver = planned.pool, planned.driver
    profile: dict[str, Any] = {"driver": "Install" if driver in (*BY_AKS, DIRECTX) else "None"}
    if kind := other_type(pool, catalog):
        profile["driverType"] = kind
    if driver == "managed":
        profile["nvidia"] = {"managementMode": "Managed"}
        if planned.claimed:
            profile["nvidia"]["driverMode"] = "DRA"
        if pool.mig:
            profile["nvidia"]["migStrategy"] = pool.mig.strategy.capitalize()
    return profile
