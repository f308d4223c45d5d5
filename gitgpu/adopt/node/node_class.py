"""Converts an AKSNodeClass to keys of a GpuPool."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.model.catalog import Facts
from gitgpu.model.driver_owner import MANAGED_TAG
from gitgpu.source import Pointer

AS_THEY_ARE = ("kubelet", "linuxOSConfig", "localDNS", "maxPods", "security", "tags")
IMAGE = {"imageFamily": "family", "osDiskSizeGB": "osDiskGB"}
_EXPLICIT: Mapping[str, Any] = {  # defaults that Karpenter includes in its hash if they are written out
    "fipsMode": "Disabled",
    "gpu": {"mode": "Driver"},
    "artifactStreaming": {"enabled": False},
    "kubelet": {},
    "linuxOSConfig": {},
    "security": {},
}
_EMPTY: tuple[tuple[str, str, Any], ...] = (("kubelet", "allowedUnsafeSysctls", []), ("linuxOSConfig", "sysctls", {}))
PLACES: Mapping[Pointer, Pointer] = {  # the fields of an AKSNodeClass, and the key of a GpuPool that sets each
    ("metadata", "name"): ("spec", "nodeClass", "name"),
    ("spec", "imageFamily"): ("spec", "image", "family"),
    ("spec", "osDiskSizeGB"): ("spec", "image", "osDiskGB"),
    ("spec", "fipsMode"): ("spec", "image", "fips"),
    ("spec", "artifactStreaming", "enabled"): ("spec", "image", "artifactStreaming"),
    ("spec", "gpu"): ("spec", "driver"),
    ("spec", "vnetSubnetID"): ("spec", "subnet"),
    **{("spec", key): ("spec", key) for key in AS_THEY_ARE},
}


def class_keys(spec: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """The keys of a GpuPool that generate this spec of an AKSNodeClass; `facts` is the row `edits/aksnodeclass`.

    The driver is omitted, because it depends on other objects too.
    """
    aks_defaults = {default["field"].removeprefix("spec."): default["value"] for default in facts["defaults"]}
    settings = {key: _kept(spec[key]) for key in AS_THEY_ARE if spec.get(key) not in (None, {})}
    if "kubelet" in settings:
        settings["kubelet"] = _without_defaults(settings["kubelet"], aks_defaults)
    # The driver `managed` sets this tag.
    if "tags" in settings:
        settings["tags"] = {key: value for key, value in settings["tags"].items() if key != MANAGED_TAG}
    explicit = dict(_explicit(spec))
    keys = {
        "image": _image(spec, aks_defaults),
        **settings,
        "explicitDefaults": {"nodeClass": explicit} if explicit else {},
        "subnet": spec.get("vnetSubnetID"),
    }
    return {key: value for key, value in keys.items() if value not in (None, {})}


def _image(spec: Mapping[str, Any], aks_defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of `image` that differ from the defaults of AKS."""
    image: dict[str, Any] = {}
    for key, word in IMAGE.items():
        if key in spec and spec[key] != aks_defaults[key]:
            image[word] = spec[key]
    if spec.get("fipsMode") == "FIPS":
        image["fips"] = True
    if (spec.get("artifactStreaming") or {}).get("enabled"):
        image["artifactStreaming"] = True
    return image


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


def _kept(value: Any) -> Any:
    """The value without null and empty parts; `explicitDefaults` sets the empty parts that matter."""
    if not isinstance(value, Mapping):
        return value
    return {key: inner for key, inner in value.items() if inner not in (None, [], {})}


def _without_defaults(kubelet: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that are not defaults; if all are, the first one, because Karpenter hashes an empty block too."""
    changed = {key: value for key, value in kubelet.items() if value != defaults.get(f"kubelet.{key}")}
    return changed or dict(list(kubelet.items())[:1])
