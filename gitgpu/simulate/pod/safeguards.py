"""Requests that the deployment safeguards of AKS Automatic set or raise, by their mutator of resource requests.

It changes the workloads that create pods, also DaemonSets and Jobs. The amounts and sources are in `catalog/admission`.
"""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.model.names.kinds import POD
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod

_GROUPS = ("initContainers", "containers")


def with_requests(pod: Pod, objects: Objects) -> Pod:
    """The pod as AKS Automatic stores it; unchanged on other clusters, and in namespaces that are excluded."""
    if objects.safeguards is None or pod.partial or pod.spec.get("resources"):
        return pod
    identity = pod.item.identity
    if identity[:2] == POD or (identity.namespace or "default") in (objects.safeguards.excluded or ()):
        return pod
    bounds = objects.catalog.must("admission", "aks-automatic")["requests"]
    groups = {
        group: [_with_resources(container, bounds) for container in pod.spec[group]]
        for group in _GROUPS
        if pod.spec.get(group)
    }
    return pod._replace(spec={**pod.spec, **groups})


def _with_resources(container: Any, bounds: Mapping[str, Mapping[str, str]]) -> Any:
    if not container:
        return container
    requests, limits = (dict(mapping_at(container, "resources", kind)) for kind in ("requests", "limits"))
    for name, bound in bounds.items():
        if name not in requests and name not in limits:
            requests[name] = limits[name] = bound["default"]
        for amounts in (requests, limits):
            if name in amounts and quantity(str(amounts[name])) < quantity(bound["least"]):
                amounts[name] = bound["least"]
    return {**container, "resources": {**mapping_at(container, "resources"), "requests": requests, "limits": limits}}
