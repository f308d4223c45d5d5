"""What is uncertain about the nodes that a workload would get: their amounts, unknown facts, offerings and labels."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from gitgpu.model.names.labels import (
    AKS_CPU_LABEL,
    AKS_MEMORY_LABEL,
    CLUSTER_LABEL,
    SKU_CPU_LABEL,
    SKU_EPHEMERAL_OS_DISK_LABEL,
    SKU_GPU_COUNT_LABEL,
    SKU_GPU_MANUFACTURER_LABEL,
    SKU_MEMORY_LABEL,
    SKU_NETWORKING_LABEL,
    SKU_PREMIUM_STORAGE_LABEL,
    SKU_SERIES_LABEL,
    SKU_ULTRA_SSD_LABEL,
    SKU_VERSION_LABEL,
    ZONE_LABEL,
)
from gitgpu.schedule.allocatable import NEAR, amount_text
from gitgpu.simulate.forecast import Doubt
from gitgpu.simulate.instance.instance_types import NodeType
from gitgpu.simulate.node.node_group import Maker
from gitgpu.simulate.place.node_claim import NodeClaim
from gitgpu.simulate.pod.shape import Shape
from gitgpu.spelling import join_names

# Labels that follow from the size or the cluster, and whose value the catalog may not know.
_FACTS = frozenset(
    {
        SKU_CPU_LABEL,
        SKU_GPU_COUNT_LABEL,
        SKU_GPU_MANUFACTURER_LABEL,
        SKU_MEMORY_LABEL,
        SKU_NETWORKING_LABEL,
        SKU_SERIES_LABEL,
        SKU_EPHEMERAL_OS_DISK_LABEL,
        SKU_PREMIUM_STORAGE_LABEL,
        SKU_ULTRA_SSD_LABEL,
        SKU_VERSION_LABEL,
        CLUSTER_LABEL,
        AKS_CPU_LABEL,
        AKS_MEMORY_LABEL,
    }
)


def of_nodes(claims: Iterable[NodeClaim], number: int) -> Iterator[Doubt]:
    """Doubts about the nodes that a workload would get."""
    # Nodes of the same group, with the same types and offerings, have the same doubts.
    seen: set[tuple[int, int, int]] = set()
    for claim in claims:
        key = (id(claim.group), claim.types, claim.offered)
        if key not in seen and not claim.real:
            seen.add(key)
            yield from _node_doubts(claim, claim.shapes[number])


def of_hardening(claims: Iterable[NodeClaim]) -> Iterator[Doubt]:
    """A doubt about new nodes that reserve more for the system than Karpenter expects, by an unknown amount."""
    resources = ("cpu", "memory")
    if any(not claim.real and any(claim.requested.get(name) for name in resources) for claim in claims):
        text = "nodes are hardened, which leaves less CPU and memory for pods than estimated; AKS does not say how much"
        yield Doubt("near", text)


def _node_doubts(claim: NodeClaim, shape: Shape) -> Iterator[Doubt]:
    node_type = next(claim.group.instance_types.of(claim.types))
    yield from _amount_doubts(claim, node_type)
    yield from _fact_doubts(claim, shape, node_type)
    yield from _offering_doubts(claim, shape, node_type.sku.name)
    yield from _group_doubts(claim, shape)


def _amount_doubts(claim: NodeClaim, node_type: NodeType) -> Iterator[Doubt]:
    """Requests so close to the estimated capacity that a real node may have too little."""
    for resource in ("cpu", "memory"):
        has, requested = node_type.offers.get(resource), claim.requested.get(resource, Decimal(0))
        if has is not None and requested > has * NEAR:
            text = f"is within 2% of the {amount_text(resource, has)} that {node_type.sku.name} is estimated to have"
            yield Doubt("near", f"{amount_text(resource, requested)} of {resource} {text}")


def _fact_doubts(claim: NodeClaim, shape: Shape, node_type: NodeType) -> Iterator[Doubt]:
    """Resources and labels of the size that the catalog does not know."""
    unknown_keys = [key for key in sorted(shape.requests) if key in node_type.offers and node_type.offers[key] is None]
    wanted = {*shape.wants, *claim.group.node}
    silent = sorted(key for key in wanted if key in _FACTS and key not in node_type.labels)
    silent += [key for key in claim.group.requires if node_type.sku.row[key] is None]
    if unknown_keys or silent:
        names = join_names([*unknown_keys, *silent])
        yield Doubt("fact", f"the catalog does not know {names} of {node_type.sku.name}")


def _offering_doubts(claim: NodeClaim, shape: Shape, name: str) -> Iterator[Doubt]:
    """Doubts about whether Azure has such a node: as spot, at a known price, in a zone."""
    group, offerings = claim.group, claim.group.instance_types.offerings
    spot = any(offering.spot for offering in offerings.of(claim.offered))
    if spot:
        yield _spot(
            name,
            priced=name in offerings.spot,
            fallback=bool(group.instance_types.selling(_on_demand_offerings(claim, shape)) & claim.types),
        )
    if name not in offerings.prices and not (spot and name in offerings.spot):
        where = f"in {offerings.region}" if offerings.region else "without a region"
        yield Doubt("price", f"no known price for {name} {where}: Azure may not offer it there")
    zones = [requirement for requirement in (shape.wants.get(ZONE_LABEL), group.node.get(ZONE_LABEL)) if requirement]
    if not all(zone.takes(offerings.zoneless) for zone in zones):
        yield from _zones(claim, name)


def _group_doubts(claim: NodeClaim, shape: Shape) -> Iterator[Doubt]:
    """Labels that software sets later, and pools that may be empty."""
    group = claim.group
    late = [key for key in sorted(shape.wants) if key not in group.node and key not in group.well_known]
    if late and group.labelled:
        yield Doubt("software", f"assuming that AKS or software on the nodes sets {join_names(late)}")
    if group.maker is not Maker.KARPENTER and not group.min_nodes:
        yield Doubt("empty", f"pool {group.name} may be scaled to zero, so its node capacity is an estimate")


def _spot(name: str, *, priced: bool, fallback: bool) -> Doubt:
    """Azure may have no spot capacity. That decides the answer only if there is no other offering."""
    if fallback:
        price = "that of spot" if priced else "the on-demand maximum"
        text = f"{name} uses spot when available, otherwise on-demand; the price shown is {price}"
        return Doubt("spot", text, decides=False)
    return Doubt("spot", f"{name} is spot: Azure may have no capacity, and can evict the node at any time")


def _on_demand_offerings(claim: NodeClaim, shape: Shape) -> int:
    """The on-demand offerings that the pool and the pod accept."""
    offerings = claim.group.instance_types.offerings
    return claim.group.offered & offerings.meeting(shape.wants) & offerings.where(lambda offering: not offering.spot)


def _zones(claim: NodeClaim, name: str) -> Iterator[Doubt]:
    offerings = claim.group.instance_types.offerings
    sku = next(claim.group.instance_types.of(claim.types)).sku
    if not offerings.zones_known:
        yield Doubt("zone", "the zones of the region are unknown")
    elif offerings.region not in sku.zones:
        yield Doubt("zone", f"zones of {name} in {offerings.region} are unknown")
