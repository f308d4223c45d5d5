"""API versions that a cluster serves because its configuration enables them: that of kind, or of kubeadm."""

import re
from collections.abc import Collection, Iterable

ENABLED = "API versions that a cluster enables"  # the key of a cache for a run
_CONFIGURATION = ("kind.x-k8s.io/", "kubeadm.k8s.io/")
_RUNTIME_CONFIG = re.compile(r"runtime-?config", re.IGNORECASE)
# resource.k8s.io/v1beta1=true in a flag, or "api/beta": "true" in a mapping.
_ENABLED = re.compile(
    r"(?<![\w./-])([a-z][a-z0-9.-]*/(?:v\d+(?:(?:alpha|beta)\d+)?|all|alpha|beta))[\"']?\s*[:=]\s*[\"']?true\b"
)


def enabled_versions(contents: Iterable[str]) -> frozenset[str]:
    """What the runtime-config of clusters in these texts enables: API versions, api/all, api/alpha and api/beta."""
    enabled: set[str] = set()
    for content in contents:
        if any(group in content for group in _CONFIGURATION) and _RUNTIME_CONFIG.search(content):
            enabled.update(_ENABLED.findall(content))
    return frozenset(enabled)


def is_enabled(api_version: str, enabled: Collection[str]) -> bool:
    """Whether one of these entries of a runtime-config enables a version."""
    stage = next((stage for stage in ("alpha", "beta") if stage in api_version.rpartition("/")[2]), "all")
    return not {api_version, "api/all", f"api/{stage}"}.isdisjoint(enabled)
