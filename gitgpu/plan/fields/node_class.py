"""An AKSNodeClass: each field of its spec with the key of a GpuPool that sets it, and the conversion of its value."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from gitgpu.access import reach
from gitgpu.model.decode import SETTINGS as OF_CLASS
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.fields.field import Field, same
from gitgpu.source import Pointer

ClassField: TypeAlias = Field[PoolPlan]


def _kept(value: Any) -> Any:
    """The value without null and empty parts; `explicitDefaults` sets the empty parts that matter."""
    if not isinstance(value, Mapping):
        return value
    return {key: inner for key, inner in value.items() if inner not in (None, [], {})}


def _image(field: str, key: str) -> ClassField:
    return ClassField(field, ("image", key), lambda plan: plan.pool.image.get(key), same)


def _setting(name: str) -> ClassField:
    """A setting that has the same key and value in the spec."""
    return ClassField(name, (name,), lambda plan: plan.pool.settings.get(name), _kept)


FIELDS: tuple[ClassField, ...] = (  # in the order in which they are written
    ClassField("vnetSubnetID", ("subnet",), lambda plan: plan.subnet, same),
    _image("imageFamily", "family"),
    _image("osDiskSizeGB", "osDiskGB"),
    ClassField(
        "fipsMode",
        ("image", "fips"),
        lambda plan: "FIPS" if plan.pool.image.get("fips") else None,
        lambda mode: mode == "FIPS" or None,
    ),
    ClassField(
        "artifactStreaming",
        ("image", "artifactStreaming"),
        lambda plan: {"enabled": True} if plan.pool.image.get("artifactStreaming") else None,
        lambda streaming: reach(streaming, "enabled") or None,
    ),
    ClassField("gpu", ("driver",), lambda plan: {"mode": plan.gpu_mode} if plan.gpu_mode else None),
    ClassField("maxPods", ("maxPods",), lambda plan: plan.pool.max_pods, same),
    ClassField("kubelet", ("kubelet",), lambda plan: dict(plan.pool.kubelet), _kept),
)
SETTINGS: Mapping[str, ClassField] = {name: _setting(name) for name in OF_CLASS}
TAGS: ClassField = ClassField("tags", ("tags",), lambda plan: dict(plan.tags), _kept)

# The key of a GpuPool's spec for each field in the spec of the AKSNodeClass.
KEYS: Mapping[Pointer, Pointer] = {(field.name,): field.key for field in (*FIELDS, *SETTINGS.values(), TAGS)} | {
    ("artifactStreaming", "enabled"): ("image", "artifactStreaming"),
}
