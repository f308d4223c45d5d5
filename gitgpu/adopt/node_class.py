"""An AKSNodeClass to the keys of a GpuPool."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import MANAGED_TAG
from gitgpu.source import Pointer

AS_THEY_ARE = ("kubelet", "linuxOSConfig", "localDNS", "maxPods", "security", "tags")
IMAGE = {"imageFamily": "family", "osDiskSizeGB": "osDiskGB"}
PLACES: Mapping[Pointer, Pointer] = {  # the field of an AKSNodeClass and the key of a GpuPool that says it
    ("metadata", "name"): ("spec", "nodeClass", "name"),
    ("spec", "imageFamily"): ("spec", "image", "family"),
    ("spec", "osDiskSizeGB"): ("spec", "image", "osDiskGB"),
    ("spec", "fipsMode"): ("spec", "image", "fips"),
    ("spec", "artifactStreaming"): ("spec", "image", "artifactStreaming"),
    ("spec", "gpu"): ("spec", "driver"),
    ("spec", "vnetSubnetID"): ("spec", "network", "subnet"),  # of the Cluster
    **{("spec", key): ("spec", key) for key in AS_THEY_ARE},
}


def class_keys(spec: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """The keys of a GpuPool that make an AKSNodeClass with this spec; `facts` are those of edits of the kind.

    The driver and the subnet are left out: others decide on them too.
    """
    usual = {default["field"].removeprefix("spec."): default["value"] for default in facts["defaults"]}
    image: dict[str, Any] = {word: spec[key] for key, word in IMAGE.items() if key in spec and spec[key] != usual[key]}
    if spec.get("fipsMode"):
        image["fips"] = spec["fipsMode"] == "FIPS"
    if "enabled" in (spec.get("artifactStreaming") or {}):
        image["artifactStreaming"] = spec["artifactStreaming"]["enabled"]
    kept = {key: spec[key] for key in AS_THEY_ARE if spec.get(key) not in (None, {})}
    if "kubelet" in kept:
        kept["kubelet"] = _without_defaults(kept["kubelet"], usual)
    if "tags" in kept:
        kept["tags"] = {key: value for key, value in kept["tags"].items() if key != MANAGED_TAG}
    found = {"image": image, **kept}
    return {key: value for key, value in found.items() if value != {}}


def driver_of(spec: Mapping[str, Any]) -> str:
    """The driver as the class alone says it: aks, managed, or "" where AKS installs none."""
    if (spec.get("gpu") or {}).get("mode") == "None":
        return ""
    tags = spec.get("tags") or {}
    return "managed" if str(tags.get(MANAGED_TAG, "")).lower() == "true" else "aks"


def _without_defaults(kubelet: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that are not defaults; where all are, one of them, because Karpenter hashes an empty block too."""
    said = dict(_said(kubelet, usual))
    return said or dict(list(kubelet.items())[:1])


def _said(kubelet: Mapping[str, Any], usual: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in kubelet.items():
        if value != usual.get(f"kubelet.{key}"):
            yield key, value
