"""A NodePool: the keys of a GpuPool that set its fields."""

from collections.abc import Mapping

from gitgpu.model.names.labels import (
    CAPACITY_TYPE_LABEL,
    PLACEMENT_SCOPE_LABEL,
    SKU_EPHEMERAL_OS_DISK_LABEL,
    ZONE_LABEL,
)
from gitgpu.source import Pointer

OF_TEMPLATE = ("expireAfter", "terminationGracePeriod")  # keys of `disruption` that are fields of the template
OF_DISRUPTION = ("consolidationPolicy", "consolidateAfter", "budgets")
REQUIREMENTS: Pointer = ("template", "spec", "requirements")
KEYS: Mapping[Pointer, Pointer] = {  # for fields in the spec of the NodePool
    REQUIREMENTS: ("nodeRequirements",),
    ("template", "spec", "nodeClassRef"): ("nodeClass",),
    ("template", "spec", "taints"): ("taints",),
    ("template", "spec", "startupTaints"): ("startupTaints",),
    **{("template", "spec", key): ("disruption", key) for key in OF_TEMPLATE},
    ("template", "metadata", "labels"): ("labels",),
    ("template", "metadata", "annotations"): ("annotations",),
    ("disruption",): ("disruption",),
    ("limits",): ("limits",),
    ("replicas",): ("replicas",),
    ("weight",): ("weight",),
}
REQUIRED: Mapping[str, Pointer] = {  # for requirements that have a key of their own
    CAPACITY_TYPE_LABEL: ("capacity",),
    ZONE_LABEL: ("zones",),
    PLACEMENT_SCOPE_LABEL: ("placement",),
    SKU_EPHEMERAL_OS_DISK_LABEL: ("image", "ephemeralOSDisk"),
}
