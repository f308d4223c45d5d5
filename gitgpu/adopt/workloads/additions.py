"""What the patch of a GpuWorkload adds to running pods, without settings that they already have."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.objects.workload.pods import REQUIRED


def additions(patch: Mapping[str, Any], pod: Mapping[str, Any]) -> list[str]:
    """What the patch adds to a pod, in words; both are specs of pods."""
    return [*_affinity(patch, pod), *_tolerations(patch, pod), *_selector(patch, pod), *_resources(patch, pod)]


def _affinity(patch: Mapping[str, Any], pod: Mapping[str, Any]) -> Iterator[str]:
    """The node affinity, unless the pod has it, or a node selector that selects the same nodes."""
    required = reach(patch, *REQUIRED)
    if not required or required == reach(pod, *REQUIRED):
        return
    [expression] = required[0]["matchExpressions"]  # gitgpu writes one term with one expression
    key, values = expression["key"], expression["values"]
    if [reach(pod, "nodeSelector", key)] != list(values):
        yield f"a node affinity for {key} in {', '.join(values)}"


def _tolerations(patch: Mapping[str, Any], pod: Mapping[str, Any]) -> Iterator[str]:
    tolerations = [mapping_at(toleration) for toleration in pod.get("tolerations") or ()]
    for wanted in patch.get("tolerations") or ():
        if not any(_covers(toleration, wanted) for toleration in tolerations):
            value = f"={wanted['value']}" if wanted.get("value") else ""
            yield f"a toleration of {wanted['key']}{value}:{wanted['effect']}"


def _covers(toleration: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a toleration tolerates every taint that the wanted one tolerates."""
    if toleration.get("effect") and toleration["effect"] != wanted["effect"]:
        return False
    if toleration.get("operator") == "Exists":
        return toleration.get("key") in (None, "", wanted["key"])
    return bool(toleration.get("key") == wanted["key"] and toleration.get("value", "") == wanted.get("value", ""))


def _selector(patch: Mapping[str, Any], pod: Mapping[str, Any]) -> Iterator[str]:
    selector = mapping_at(pod, "nodeSelector")
    missing = {key: value for key, value in mapping_at(patch, "nodeSelector").items() if selector.get(key) != value}
    for key, value in missing.items():
        yield f"the node selector {key}={value}"


def _resources(patch: Mapping[str, Any], pod: Mapping[str, Any]) -> Iterator[str]:
    """The limits of containers and the claims that the pod does not have."""
    containers = {container.get("name"): container for container in map(mapping_at, pod.get("containers") or ())}
    for container in patch.get("containers") or ():
        limits = reach(containers.get(container["name"]), "resources", "limits") or {}
        for name, amount in (reach(container, "resources", "limits") or {}).items():
            if str(limits.get(name)) != str(amount):
                yield f"the limit {name}: {amount}"
    for claim in patch.get("resourceClaims") or ():
        names = [reach(entry, "resourceClaimTemplateName") for entry in pod.get("resourceClaims") or ()]
        if claim["resourceClaimTemplateName"] not in names:
            yield f"a claim of the template {claim['resourceClaimTemplateName']}"
