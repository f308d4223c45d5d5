"""Where the spec of a pool sets a value of the objects that it generates."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitgpu.model.fleet import Pool
from gitgpu.model.names.labels import (
    CAPACITY_TYPE_LABEL,
    PLACEMENT_SCOPE_LABEL,
    SKU_EPHEMERAL_OS_DISK_LABEL,
    ZONE_LABEL,
)
from gitgpu.model.spec.origin import Origin
from gitgpu.plan.decided.cluster import PoolPlan, Requirement
from gitgpu.source import Pointer, Span

TEMPLATE: Pointer = ("spec", "template", "spec")
REQUIREMENTS: Pointer = (*TEMPLATE, "requirements")
_DERIVED: Mapping[str, Pointer] = {  # requirements that other keys of the spec generate
    CAPACITY_TYPE_LABEL: ("capacity",),
    ZONE_LABEL: ("zones",),
    PLACEMENT_SCOPE_LABEL: ("placement",),
    SKU_EPHEMERAL_OS_DISK_LABEL: ("image", "ephemeralOSDisk"),
}
_NODE_POOL: Mapping[Pointer, Pointer] = {
    (*TEMPLATE, "taints"): ("taints",),
    (*TEMPLATE, "startupTaints"): ("startupTaints",),
    (*TEMPLATE, "expireAfter"): ("disruption", "expireAfter"),
    (*TEMPLATE, "terminationGracePeriod"): ("disruption", "terminationGracePeriod"),
    (*TEMPLATE, "nodeClassRef"): ("nodeClass",),
    ("spec", "template", "metadata"): (),
    ("spec", "disruption"): ("disruption",),
    ("spec", "limits"): ("limits",),
    ("spec", "weight"): ("weight",),
    ("spec", "replicas"): ("replicas",),
}
_NODE_CLASS: Mapping[Pointer, Pointer] = {
    ("spec", "vnetSubnetID"): ("subnet",),
    ("spec", "imageFamily"): ("image", "family"),
    ("spec", "osDiskSizeGB"): ("image", "osDiskGB"),
    ("spec", "fipsMode"): ("image", "fips"),
    ("spec", "artifactStreaming"): ("image", "artifactStreaming"),
    ("spec", "gpu"): ("driver",),
    ("spec",): (),  # everything else has the same key
}
_AGENT_POOL: Mapping[Pointer, Pointer] = {
    ("spec", "kubeletConfig"): ("kubelet",),
    ("spec", "nodeLabels"): ("labels",),
    ("spec", "nodeTaints"): ("taints",),
    ("spec", "availabilityZones"): ("zones",),
    ("spec", "osDiskSizeGB"): ("image", "osDiskGB"),
    ("spec", "osDiskType"): ("image", "ephemeralOSDisk"),
    ("spec", "osSKU"): ("image", "family"),
    ("spec", "gpuProfile"): ("driver",),
    ("spec", "gpuInstanceProfile"): ("partition",),
    ("spec", "vmSize"): ("sku",),
    ("spec", "minCount"): ("nodes", "min"),
    ("spec", "maxCount"): ("nodes", "max"),
    ("spec", "count"): ("nodes",),
    ("spec", "linuxOSConfig"): ("linuxOSConfig",),
    ("spec", "maxPods"): ("maxPods",),
    ("spec", "tags"): ("tags",),
    ("spec", "osType"): ("os",),
    ("spec", "artifactStreamingProfile"): ("image", "artifactStreaming"),
    ("spec", "enableFIPS"): ("image", "fips"),
    ("spec", "enableEncryptionAtHost"): ("security", "encryptionAtHost"),
    ("spec", "enableAutoScaling"): ("nodes",),
    ("spec", "scaleSetPriority"): ("capacity",),
    ("spec", "vnetSubnetReference"): ("subnet",),
    ("spec", "capacityReservationGroupReference"): ("capacityReservationGroup",),
}
# Keys of `agentPool` whose values have a key of their own in the plan.
_OF_AGENT_POOL = ("mode", "scaleSetEvictionPolicy", "spotMaxPrice")


class PoolPlaces(NamedTuple):
    """The places of an object of a pool: `routes` map pointers in the object to paths in the spec."""

    origin: Origin
    routes: Mapping[Pointer, Pointer]

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of the spec value that sets a value; with `key`, the place of its key.

        If it is not written, this is the nearest written value that contains it; if there is none, the document.
        """
        path = self._path(tuple(pointer))
        for end in range(len(path), 0, -1):
            part = path[:end]
            if self.origin.holds(("spec", *part)):
                return self.origin.span(("spec", *part), key=key)
            layer = next((layer for layer in self.origin.defaults if layer.holds(part)), None)
            if layer:
                return layer.origin.span((*layer.at, *part), key=key)
        return self.origin.mark.span

    def _path(self, pointer: Pointer) -> Pointer:
        for end in range(len(pointer), 0, -1):
            if pointer[:end] in self.routes:
                return (*self.routes[pointer[:end]], *pointer[end:])
        return ()


def node_pool_places(planned: PoolPlan) -> PoolPlaces:
    """The places of a NodePool."""
    places: dict[Pointer, Pointer] = dict(_NODE_POOL)
    for index, wanted in enumerate(planned.requirements):
        places[(*REQUIREMENTS, index)] = _requirement_path(planned.pool, wanted)
    resources = planned.pool.limits.resources
    for name in planned.limits:
        if name in resources:
            places["spec", "limits", name] = ("limits", "resources", name)
        elif name == planned.resource:
            places["spec", "limits", name] = ("limits", "gpus")
    return PoolPlaces(planned.pool.origin, places)


def _requirement_path(pool: Pool, wanted: Requirement) -> Pointer:
    """The entry of nodeRequirements that a requirement comes from, or the key that generates it."""
    for index, entry in enumerate(pool.node_requirements):
        if (entry["key"], entry["operator"], tuple(entry.get("values", ()))) == wanted[:3]:
            return "nodeRequirements", index
    return _DERIVED.get(wanted.key, ("sku",) if pool.sizes else ("requirements",))


def node_class_places(planned: PoolPlan) -> PoolPlaces:
    """The places of an AKSNodeClass."""
    return PoolPlaces(planned.pool.origin, _NODE_CLASS)


def agent_pool_places(planned: PoolPlan, emitted: Mapping[str, str]) -> PoolPlaces:
    """The places of an AKS node pool. A key of `agentPool` that the pool does not set is not a place.

    `emitted` are the names of those keys that have another name in the object.
    """
    settings = planned.node_pool.settings if planned.node_pool else {}
    routes: dict[Pointer, Pointer] = dict(_AGENT_POOL)
    for key in (*settings, *_OF_AGENT_POOL):
        routes["spec", emitted.get(key, key)] = ("agentPool", key)
    return PoolPlaces(planned.pool.origin, routes)
