"""The labels of the nodes that a NodePool could have created.

They are the labels of a NodeClaim, which Karpenter compares to detect drift: those of the size and the offering
(vmInstanceToNodeClaim and resolveUltraSSDRequested of Azure/karpenter-provider-azure), and those of requirements on
keys that are not well known (resolveCustomLabelsFromRequirements of kubernetes-sigs/karpenter).
"""

from collections.abc import Iterable

from gitgpu.access import mapping_at
from gitgpu.compare.nodes import Pool
from gitgpu.model.names.labels import (
    ARCH_LABEL,
    CAPACITY_TYPE_LABEL,
    CLUSTER_LABEL,
    FIPS_LABEL,
    HOSTNAME_LABEL,
    MODE_LABEL,
    OS_LABEL,
    OS_SKU_LABEL,
    PLACEMENT_SCOPE_LABEL,
    PRIORITY_LABEL,
    REGION_LABEL,
    SCALE_SET_PRIORITY_LABEL,
    SKU_ULTRA_SSD_LABEL,
    ZONE_LABEL,
)
from gitgpu.model.names.prefixes import KARPENTER_SKU_PREFIX
from gitgpu.model.size.node_labels import KEYS, NAMES
from gitgpu.model.syntax.requirement import ABSENT, Requirement, Requirements, requirement

PRIORITIES = (SCALE_SET_PRIORITY_LABEL, PRIORITY_LABEL)
_PRIORITY_OF = {"on-demand": "regular", "spot": "spot"}  # the value of these labels by capacity type
BUILD = "node.kubernetes.io/windows-build"
ON_EVERY_NODE = (ARCH_LABEL, HOSTNAME_LABEL, CLUSTER_LABEL, *NAMES)
# Set only if a single value is left, or by something else.
BY_REQUEST = (
    REGION_LABEL,
    MODE_LABEL,
    OS_SKU_LABEL,
    FIPS_LABEL,
    BUILD,
)
NO_ZONE = "0"  # the zone label of a node outside the zones
# The largest int64: upstream draws a number below it if the label has no other upper bound (Requirement.Any).
MAX_INT64 = 2**63 - 1


def is_of_size(key: str, pool: Pool) -> bool:
    """Whether the label depends only on the size of a node, and the possible sizes of the pool are known."""
    return bool(pool.skus) and key in KEYS and key not in (CAPACITY_TYPE_LABEL, OS_LABEL)


def could(key: str, pool: Pool) -> Requirement | None:
    """The values that a label of the pool's nodes can have; None if its nodes do not have the label."""
    required = pool.karpenter.together if pool.karpenter else {}
    was = _required(key, required)
    settled = _settled(key, pool, required)
    if settled is not None:
        return _one_of(key, settled)
    if key in (ZONE_LABEL, *ON_EVERY_NODE) or key.startswith(KARPENTER_SKU_PREFIX):
        return was or requirement(key, "Exists")
    if was is None or (key in BY_REQUEST and len(was.values) != 1):
        return None
    if key in BY_REQUEST:
        return None if was.operator in ABSENT else was
    return _drawn(was) if was.complement else _one_of(key, was.values)


def _required(key: str, required: Requirements) -> Requirement | None:
    """A pool's requirement on a label. The labels that hold the name of the size have the same value."""
    keys = (key, *NAMES) if key in NAMES else (key,)
    return next((required[name] for name in keys if name in required), None)


def label_in_zones(key: str, pool: Pool) -> Requirement | None:
    """The values on nodes that start while a zone has capacity: nodes outside zones come last. None is unknown."""
    places = [zone for zone in _places(pool) or () if zone != NO_ZONE]
    if key == ZONE_LABEL:
        return _one_of(key, places)
    if key == PLACEMENT_SCOPE_LABEL and places:
        return _one_of(key, ["zonal"])
    return None


def _one_of(key: str, values: Iterable[str]) -> Requirement | None:
    listed = tuple(values)
    return requirement(key, "In", listed) if listed else None


def _drawn(was: Requirement) -> Requirement:
    """The values that Karpenter may choose for an open requirement: it draws a whole number."""
    return was._replace(low=max(was.low or 0, 0), high=MAX_INT64 if was.high is None else was.high)


def _settled(key: str, pool: Pool, required: Requirements) -> tuple[str, ...] | None:
    """The values of a label that other settings determine: () means no value; None that they do not determine it."""
    if key == CAPACITY_TYPE_LABEL:
        return _capacity_types(required)
    if key in PRIORITIES:
        return tuple(_PRIORITY_OF[capacity_type] for capacity_type in _capacity_types(required))
    if key in (ZONE_LABEL, PLACEMENT_SCOPE_LABEL):
        return _placed(key, pool, required)
    if key == SKU_ULTRA_SSD_LABEL:
        was = required.get(key)
        return ("true" if was and was.takes("true") and not was.takes("false") else "false",)
    # Karpenter for Azure starts Linux nodes only.
    return ("linux",) if key == OS_LABEL else _class_values(key, pool)


def _class_values(key: str, pool: Pool) -> tuple[str, ...] | None:
    says = mapping_at(pool.node_class, "spec")
    if key == OS_SKU_LABEL and pool.node_class:
        return ("AzureLinux" if says.get("imageFamily") == "AzureLinux" else "Ubuntu",)
    if key == FIPS_LABEL and pool.node_class:
        return ("true",) if says.get("fipsMode") == "FIPS" else ()
    return (pool.region,) if key == REGION_LABEL and pool.region else None


def _capacity_types(required: Requirements) -> tuple[str, ...]:
    """The capacity types that agree with all requirements of the pool."""
    left = []
    for capacity_type, priority in _PRIORITY_OF.items():
        if _takes(required, CAPACITY_TYPE_LABEL, capacity_type) and all(
            _takes(required, key, priority) for key in PRIORITIES
        ):
            left.append(capacity_type)
    return tuple(left)


def _placed(key: str, pool: Pool, required: Requirements) -> tuple[str, ...] | None:
    places = _places(pool)
    if key == ZONE_LABEL:
        return places or None
    scopes = tuple(dict.fromkeys(map(_scope, places or ())))
    return scopes or tuple(name for name in ("zonal", "regional") if _takes(required, PLACEMENT_SCOPE_LABEL, name))


def _places(pool: Pool) -> tuple[str, ...] | None:
    """The zone labels that its nodes can have; None if the zones of the region are unknown."""
    required = pool.karpenter.together if pool.karpenter else {}
    zones = pool.zones
    if zones is None and ZONE_LABEL in required and required[ZONE_LABEL].operator == "In":
        zones = tuple(sorted(required[ZONE_LABEL].values - {NO_ZONE}))
    if zones is None:
        return None
    if pool.skus:
        zones = tuple(zone for zone in zones if _is_sold(zone, pool))
    allowed_zones = [zone for zone in (*zones, NO_ZONE) if _takes(required, ZONE_LABEL, zone)]
    return tuple(zone for zone in allowed_zones if _takes(required, PLACEMENT_SCOPE_LABEL, _scope(zone)))


def _is_sold(zone: str, pool: Pool) -> bool:
    """Whether one of the sizes is sold in this zone, as far as their zones are known."""
    for sku in pool.skus:
        if pool.region not in sku.zones:
            return True
        if zone in [f"{pool.region}-{number}" for number in sku.zones[pool.region]]:
            return True
    return False


def _scope(zone: str) -> str:
    return "regional" if zone == NO_ZONE else "zonal"


def _takes(required: Requirements, key: str, value: str) -> bool:
    return key not in required or required[key].takes(value)
