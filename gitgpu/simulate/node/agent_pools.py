"""AKS node pools as node groups, whether their size is fixed or the cluster autoscaler scales them.

The scheduler sees the labels that a node really has, so a pod cannot ask for a label that nothing sets. Allocatable
amounts are estimated as in Karpenter, which is less than AKS leaves: the doubts of a verdict mention it.
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from gitgpu.model.fleet import OS_DISK_GB
from gitgpu.model.names.labels import (
    ACCELERATOR_LABEL,
    AGENTPOOL_LABEL,
    ARCH_LABEL,
    INSTANCE_TYPE_LABEL,
    LEGACY_ACCELERATOR_LABEL,
    LEGACY_AGENTPOOL_LABEL,
    OS_LABEL,
    REGION_LABEL,
    ZONE_LABEL,
)
from gitgpu.model.size.node_labels import labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirements, fixed_labels, requirement
from gitgpu.objects.node.agent_pool_labels import labels_of
from gitgpu.objects.node.agent_pools import AgentPool, SizedPool, agent_pools
from gitgpu.schedule.allocatable import allocatable
from gitgpu.schedule.capacity import capacity
from gitgpu.simulate.instance.instance_types import InstanceTypes, NodeType
from gitgpu.simulate.instance.mig import selected_layout, sliced_amounts, slices_of
from gitgpu.simulate.instance.overhead import daemons_on, without_daemons
from gitgpu.simulate.instance.sharing import shared_amounts, shared_resources
from gitgpu.simulate.node.node_group import Maker, NodeGroup, NotReady
from gitgpu.simulate.world import World

# Set on every node by Kubernetes and the cloud, regardless of the pool.
_WELL_KNOWN = frozenset({ARCH_LABEL, OS_LABEL, INSTANCE_TYPE_LABEL, REGION_LABEL, ZONE_LABEL})


def agent_groups(world: World) -> Iterator[NodeGroup]:
    """Every node pool among the objects."""
    alike = world._replace(offerings=world.offerings.of_agent_pools())
    for pool in agent_pools(world.objects):
        sized = pool.by_size()
        for each in sized:
            yield _group(each, alike)._replace(size=str(each.pool.spec.get("vmSize")) if len(sized) > 1 else "")


def _group(sized: SizedPool, world: World) -> NodeGroup:
    pool = sized.pool
    taints = tuple(pool.taints)
    node = _node(pool, world)
    sku = world.objects.catalog.sku(str(pool.spec.get("vmSize") or ""))
    instance_types = InstanceTypes([_type(sku, pool, node, taints, world)] if sku else [], world.offerings)
    offered = _offered(pool, world, spot=pool.is_spot)
    minimum, limits = _bounds(pool)
    return NodeGroup(
        name=pool.name,
        maker=Maker.AUTOSCALER if _is_scaled(pool) else Maker.FIXED,
        item=pool.item,
        node=node,
        well_known=_WELL_KNOWN,
        taints=taints,
        instance_types=instance_types,
        types=instance_types.selling(offered),
        offered=offered,
        limits=limits,
        min_values={},
        weight=0,
        pointers=_pointers(sized),
        min_nodes=minimum,
        labelled=True,
        not_ready=None if sku else _unknown_size(sized),
    )


def _is_scaled(pool: AgentPool) -> bool:
    return pool.spec.get("enableAutoScaling") is True


def _bounds(pool: AgentPool) -> tuple[int, dict[str, Decimal]]:
    """The minimum number of nodes, and the limits. A pool of fixed size has no limits, because it never grows."""
    if not _is_scaled(pool):
        return pool.spec.get("count") or 0, {}
    minimum, maximum = pool.spec.get("minCount") or 0, pool.spec.get("maxCount")
    return minimum, {} if maximum is None else {"nodes": Decimal(maximum)}


def _node(pool: AgentPool, world: World) -> dict[str, Any]:
    """The labels of its nodes that are not well known."""
    own = {key: label for key, label in labels_of(pool, world.objects).items() if key not in _WELL_KNOWN}
    return {**own, ZONE_LABEL: requirement(ZONE_LABEL, "In", _zones(pool, world))}


def _zones(pool: AgentPool, world: World) -> list[str]:
    """The zones that its nodes can be in. With "auto", AKS chooses among all zones of the region."""
    numbers, offerings = pool.spec.get("availabilityZones") or (), world.offerings
    zones = [f"{offerings.region}-{number}" for number in numbers]
    if "auto" in numbers:
        zones = sorted({offering.zone for offering in offerings.by_number} - {offerings.zoneless})
    return zones or [offerings.zoneless]


def _type(sku: Sku, pool: AgentPool, node: Requirements, taints: tuple[Any, ...], world: World) -> NodeType:
    daemons = daemons_on(world.daemons, node, taints, _WELL_KNOWN, world.objects)
    plain = {key: label for key, label in labels(sku).items() if key in _WELL_KNOWN}
    region = fixed_labels({REGION_LABEL: world.offerings.region} if world.offerings.region else {})
    more = {
        "ephemeral-storage": Decimal((pool.spec.get("osDiskSizeGB") or OS_DISK_GB) * 10**9),
        "pods": Decimal(pool.spec.get("maxPods") or world.max_pods),
    }
    own = {key: label for key, label in labels_of(pool, world.objects).items() if key in _WELL_KNOWN}
    node_labels = {**plain, **region, **own}
    layout = slices_of(pool, node, sku, world.objects) or selected_layout(node, world.objects)
    gpus = _real_gpus(pool, sku)
    bare = {**allocatable(sku), **gpus, **_other_devices(pool, world), **more}
    whole = sliced_amounts(bare, layout, sku) if layout else {**bare, **_uncertain(pool, sku, world)}
    holds = shared_amounts(without_daemons(whole, daemons, node_labels), shared_resources(node, world.objects))
    return NodeType(sku, node_labels, holds, holds, {**capacity(sku), **gpus, "nodes": Decimal(1)})


def _real_gpus(pool: AgentPool, sku: Sku) -> dict[str, Decimal]:
    """The GPUs of a pool that is never empty: its nodes advertise them, whatever Azure's API reports for the size."""
    minimum, _ = _bounds(pool)
    return {sku.resource: Decimal(sku.gpus)} if minimum and sku.gpus else {}


def _other_devices(pool: AgentPool, world: World) -> dict[str, Decimal | None]:
    """Devices that software may advertise on the nodes in unknown numbers, such as network devices."""
    system = pool.os_type.lower()
    devices: dict[str, Decimal | None] = {}
    for row in _devices(world):
        if row["manufacturer"] is None and row["os"] == system:
            devices |= dict.fromkeys(row["resources"])
    return devices


def _devices(world: World) -> Iterable[Mapping[str, Any]]:
    return world.objects.catalog.rows("devices").values()


def _uncertain(pool: AgentPool, sku: Sku, world: World) -> dict[str, Decimal | None]:
    """GPU resources that differ: unknown if the partitioning is, 0 on Windows, which uses another resource."""
    if pool.os_type != "Linux":
        return {sku.resource: Decimal(0)}
    profile = pool.gpu_instance_profile.lower().removeprefix("mig")
    if not profile:
        return {}
    instances = set[str]().union(*(gpu.mig or () for gpu in world.objects.catalog.gpus))
    parts = [name.replace("+", ".") for name in sorted(instances) if name.startswith(f"{profile}.")]
    amounts: dict[str, Decimal | None] = {sku.resource: None}
    for row in _devices(world):
        if row["parts"]:
            amounts |= dict.fromkeys(f"{row['parts']}{name}" for name in parts)
    return amounts


def _offered(pool: AgentPool, world: World, *, spot: bool) -> int:
    zones = set(_zones(pool, world))
    return world.offerings.where(lambda offering: offering.spot is spot and offering.zone in zones)


def _pointers(sized: SizedPool) -> dict[str, Any]:
    pool, size = sized.pool, sized.size_at
    label_places = {key: pool.place("nodeLabels", key) for key in pool.spec.get("nodeLabels") or {}}
    return {
        "requirements": size,
        "taints": pool.place("nodeTaints"),
        "limits": sized.number_at,
        ZONE_LABEL: pool.place("availabilityZones"),
        AGENTPOOL_LABEL: pool.name_at,
        LEGACY_AGENTPOOL_LABEL: pool.name_at,
        ACCELERATOR_LABEL: size,
        LEGACY_ACCELERATOR_LABEL: size,
        **label_places,
    }


def _unknown_size(sized: SizedPool) -> NotReady:
    size = sized.pool.spec.get("vmSize") or "its size"
    message, remedy = f"{size} is not a known Azure GPU size", "choose a GPU size from `gitgpu sku list`"
    return NotReady("size", message, remedy, sized.pool.item.given.places.span(sized.size_at))
