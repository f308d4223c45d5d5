"""An AKS node pool: each property with the key of a GpuPool that sets it, and the conversion of its value.

Properties have their names in Azure's API, which Bicep uses too. Where a property is the ID of a resource, the objects
of Azure Service Operator have a reference to it under a different name.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from gitgpu.access import MAPPING, list_at, reach
from gitgpu.plan.decided.nodes import NodePoolPlan
from gitgpu.plan.fields.field import Field, same
from gitgpu.plan.fields.node_settings import KUBELET, LINUX, SYSCTLS, kubelet_of, linux_of
from gitgpu.plan.fields.references import REFERENCES, with_ids
from gitgpu.source import Pointer

Property: TypeAlias = Field[NodePoolPlan]


def name_in_operator(row: Property) -> str:
    """The name of a property in the spec of Azure Service Operator's object."""
    return REFERENCES.get(row.name, row.name)


def _renamed(key: Pointer, names: Mapping[str, str]) -> dict[Pointer, Pointer]:
    """Parts of a value that have one name in Azure's API and another one below a key in the spec."""
    return {(azure,): (*key, name) for name, azure in names.items()}


def _if_set(value: Any) -> Any:
    """Azure's API reads 0 and false like an absent value."""
    return value or None


def without_unset(value: Any) -> Any:
    """The value of a property without parts that are not set. Azure's API reads false like an absent value."""
    if not isinstance(value, MAPPING):
        return value
    parts = {key: without_unset(inner) for key, inner in value.items()}
    return {key: part for key, part in parts.items() if part not in (None, False, [], {}, "")}


def _setting(
    name: str, parts: Sequence[str] = (), default: Any = None, others: Mapping[str, Pointer] = MappingProxyType({})
) -> Property:
    """A setting of `agentPool`, which has the same key and value there.

    `parts` are IDs of resources in it, `others` are parts of it that another key in the spec sets.
    """
    key = ("agentPool", name)
    return Property(
        name,
        key,
        lambda pool: pool.settings.get(name),
        partial(_read_setting, name, default, frozenset(others)),
        {**{(REFERENCES[part],): (*key, part) for part in parts}, **{(part,): of for part, of in others.items()}},
    )


def _read_setting(name: str, default: Any, others: AbstractSet[str], value: Any) -> Any:
    if isinstance(value, MAPPING):
        value = {part: inner for part, inner in value.items() if part not in others}
    setting = with_ids({REFERENCES.get(name, name): without_unset(value)}).get(name)
    return None if setting == default else setting or None


def _decoded(message: str) -> str:
    """The message of the day as text. One that is not Base64 stays as it is."""
    try:
        return b64decode(message, validate=True).decode()
    except ValueError:
        return message


def _machines(pool: NodePoolPlan) -> dict[str, Any]:
    """The profile of each size, as the Azure CLI writes it: such a pool has no other size and no other count."""
    fixed, scaled = [], []
    for size in pool.sizes:
        if size.is_fixed:
            fixed.append({"size": size.name, "count": size.maximum})
        else:
            scaled.append({"size": size.name, "minCount": size.minimum, "maxCount": size.maximum})
    both = {"manual": fixed, "autoscale": scaled}
    return {"scale": {key: profiles for key, profiles in both.items() if profiles}}


PROPERTIES: tuple[Property, ...] = (  # in the order in which they are written
    Property("mode", ("agentPool", "mode"), lambda pool: pool.mode, lambda mode: mode if mode == "System" else None),
    Property("vmSize", ("sku",), lambda pool: None if pool.sizes else pool.size),
    Property("virtualMachinesProfile", ("sku",), lambda pool: _machines(pool) if pool.sizes else None),
    Property(
        "osType",
        ("os",),
        lambda pool: "Windows" if pool.windows else "Linux",
        lambda system: "windows" if system == "Windows" else "linux",
    ),
    # Ubuntu is the default of AKS.
    Property(
        "osSKU",
        ("image", "family"),
        lambda pool: pool.os_sku,
        lambda family: None if family in (None, "Ubuntu") else str(family),
    ),
    Property("osDiskSizeGB", ("image", "osDiskGB"), lambda pool: pool.disk_gb, _if_set),
    Property(
        "osDiskType",
        ("image", "ephemeralOSDisk"),
        lambda pool: pool.disk_type,
        lambda kind: {"Ephemeral": True, "Managed": False}.get(str(kind)),
    ),
    Property(
        "artifactStreamingProfile",
        ("image", "artifactStreaming"),
        lambda pool: {"enabled": True} if pool.streams else None,
        lambda profile: reach(profile, "enabled") or None,
    ),
    Property("enableFIPS", ("image", "fips"), lambda pool: pool.fips or None, _if_set),
    Property("enableEncryptionAtHost", ("security", "encryptionAtHost"), lambda pool: pool.encrypted or None, _if_set),
    # An autoscaled pool has no count, because the autoscaler decides it.
    Property("enableAutoScaling", ("nodes",), lambda pool: None if pool.sizes else not pool.is_fixed),
    Property("count", ("nodes",), lambda pool: pool.maximum if pool.is_fixed and not pool.sizes else None),
    Property("minCount", ("nodes", "min"), lambda pool: None if pool.is_fixed or pool.sizes else pool.minimum),
    Property("maxCount", ("nodes", "max"), lambda pool: None if pool.is_fixed or pool.sizes else pool.maximum),
    Property(
        "scaleSetPriority",
        ("capacity",),
        lambda pool: "Spot" if pool.spot else None,
        lambda priority: ["spot" if priority == "Spot" else "on-demand"],
    ),
    Property(
        "scaleSetEvictionPolicy",
        ("agentPool", "scaleSetEvictionPolicy"),
        lambda pool: pool.eviction if pool.spot else None,
        lambda policy: None if policy == "Delete" else policy or None,
    ),
    # -1 means a maximum of the on-demand price.
    Property(
        "spotMaxPrice",
        ("agentPool", "spotMaxPrice"),
        lambda pool: pool.max_price if pool.spot else None,
        lambda price: None if price == -1 else price,
    ),
    Property(
        "gpuProfile",
        ("driver",),
        lambda pool: dict(pool.gpu),
        parts={("driverType",): ("driverType",), ("nvidia", "migStrategy"): ("partition", "mig", "strategy")},
    ),
    Property("gpuInstanceProfile", ("partition", "mig"), lambda pool: pool.mig),
    Property(
        "availabilityZones",
        ("zones",),
        lambda pool: list(pool.zones),
        lambda zones: [str(zone) for zone in list_at(zones)],
    ),
    Property("maxPods", ("maxPods",), lambda pool: pool.max_pods, same),
    Property(
        "kubeletConfig",
        ("kubelet",),
        lambda pool: dict(pool.kubelet),
        lambda config: kubelet_of(config or {}),
        _renamed(("kubelet",), KUBELET),
    ),
    Property(
        "linuxOSConfig",
        ("linuxOSConfig",),
        lambda pool: dict(pool.linux),
        lambda config: linux_of(config or {}),
        {
            **_renamed(("linuxOSConfig",), LINUX),
            **{("sysctls", *azure): key for azure, key in _renamed(("linuxOSConfig", "sysctls"), SYSCTLS).items()},
        },
    ),
    Property("nodeLabels", ("labels",), lambda pool: dict(pool.labels)),
    Property("nodeTaints", ("taints",), lambda pool: list(pool.taints)),
    Property("tags", ("tags",), lambda pool: dict(pool.tags), same),
)

_SETTINGS: tuple[Property, ...] = (  # of `agentPool`, which has them under their names in Azure's API
    _setting("type", default="VirtualMachineScaleSets"),
    _setting("scaleDownMode"),
    _setting("upgradeSettings"),
    _setting("securityProfile"),
    _setting("enableNodePublicIP"),
    _setting("networkProfile", parts=("applicationSecurityGroups",), others={"dranet": ("rdma",)}),
    _setting("podIPAllocationMode"),
    _setting("enableUltraSSD"),
    _setting("kubeletDiskType", default="OS"),
    # Azure's API has the message in Base64.
    Property(
        "messageOfTheDay",
        ("agentPool", "messageOfTheDay"),
        lambda pool: b64encode(pool.settings.get("messageOfTheDay", "").encode()).decode() or None,
        lambda message: _decoded(message) if message else None,
    ),
    _setting("creationData", parts=("sourceResourceId",)),
    _setting("windowsProfile"),
    _setting("hostGroupID"),
    _setting("nodePublicIPPrefixID"),
    _setting("podSubnetID"),
    _setting("proximityPlacementGroupID"),
)
SETTINGS: Mapping[str, Property] = {setting.name: setting for setting in _SETTINGS}
RESOURCES: tuple[Property, ...] = (
    Property("vnetSubnetID", ("subnet",), lambda pool: pool.subnet, lambda subnet: reach(subnet, "armId")),
    Property(
        "capacityReservationGroupID",
        ("capacityReservationGroup",),
        lambda pool: pool.reservation,
        lambda group: reach(group, "armId"),
    ),
)


def properties(pool: NodePoolPlan) -> dict[str, Any]:
    """The properties of the pool, without the resources that it refers to."""
    return _written(pool, (*PROPERTIES, *(SETTINGS[name] for name in pool.settings)))


def resources(pool: NodePoolPlan) -> dict[str, Any]:
    """The properties that are the ID of a resource and not in `agentPool`."""
    return _written(pool, RESOURCES)


def _written(pool: NodePoolPlan, rows: Iterable[Property]) -> dict[str, Any]:
    wanted = {row.name: row.write(pool) for row in rows}
    return {name: value for name, value in wanted.items() if value not in (None, {}, [])}


def _keys() -> dict[Pointer, Pointer]:
    keys: dict[Pointer, Pointer] = {("azureName",): ("nodePoolName",)}
    for own in (*PROPERTIES, *SETTINGS.values(), *RESOURCES):
        keys[(name_in_operator(own),)] = own.key
        keys |= {(name_in_operator(own), *part): key for part, key in own.parts.items()}
    return keys


# The key of a GpuPool's spec for each field in the spec of Azure Service Operator's object.
KEYS: Mapping[Pointer, Pointer] = _keys()
