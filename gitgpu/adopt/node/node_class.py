"""Converts an AKSNodeClass to keys of a GpuPool."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.adopt.node.read_fields import read_fields
from gitgpu.model.catalog import Facts
from gitgpu.model.driver_owner import MANAGED_TAG
from gitgpu.plan.fields.node_class import FIELDS, KEYS, SETTINGS, TAGS
from gitgpu.source import Pointer

_EXPLICIT: Mapping[str, Any] = {  # defaults that Karpenter includes in its hash if they are written out
    "fipsMode": "Disabled",
    "gpu": {"mode": "Driver"},
    "artifactStreaming": {"enabled": False},
    "kubelet": {},
    "linuxOSConfig": {},
    "security": {},
}
_EMPTY: tuple[tuple[str, str, Any], ...] = (("kubelet", "allowedUnsafeSysctls", []), ("linuxOSConfig", "sysctls", {}))
_ROWS = (*FIELDS, *SETTINGS.values(), TAGS)
PLACES: Mapping[Pointer, Pointer] = {  # the fields of an AKSNodeClass, and the key of a GpuPool that sets each
    ("metadata", "name"): ("spec", "nodeClass", "name"),
    **{("spec", *field): ("spec", *key) for field, key in KEYS.items()},
}


def class_keys(spec: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """The keys of a GpuPool that generate this spec of an AKSNodeClass; `facts` is the row `edits/aksnodeclass`.

    The driver is omitted, because it depends on other objects too.
    """
    aks_defaults = {default["field"].removeprefix("spec."): default["value"] for default in facts["defaults"]}
    changed_rows = [
        row for row in _ROWS if row.name not in aks_defaults or spec.get(row.name) != aks_defaults[row.name]
    ]
    keys = read_fields((row, spec.get(row.name)) for row in changed_rows)
    if "kubelet" in keys:
        keys["kubelet"] = _without_defaults(keys["kubelet"], aks_defaults)
    if "tags" in keys:  # the driver `managed` sets this tag
        keys["tags"] = {key: value for key, value in keys["tags"].items() if key != MANAGED_TAG}
    explicit = dict(_explicit(spec))
    keys["explicitDefaults"] = {"nodeClass": explicit} if explicit else {}
    return {key: value for key, value in keys.items() if value not in (None, {})}


def driver_of(spec: Mapping[str, Any]) -> str:
    """The driver according to the node class alone: aks, managed, or "" if AKS installs none."""
    if (spec.get("gpu") or {}).get("mode") == "None":
        return ""
    tags = spec.get("tags") or {}
    return "managed" if str(tags.get(MANAGED_TAG, "")).lower() == "true" else "aks"


def _explicit(spec: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The defaults that the node class writes out."""
    for key, value in _EXPLICIT.items():
        if spec.get(key) == value:
            yield key, value
    for above, key, empty in _EMPTY:
        if (spec.get(above) or {}).get(key) == empty:
            yield above, {key: empty}


def _without_defaults(kubelet: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that are not defaults; if all are, the first one, because Karpenter hashes an empty block too."""
    changed = {key: value for key, value in kubelet.items() if value != defaults.get(f"kubelet.{key}")}
    return changed or dict(list(kubelet.items())[:1])
