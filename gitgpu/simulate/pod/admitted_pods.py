"""Pods as the API server stores them: with what their RuntimeClass, and the safeguards of AKS Automatic, add.

The RuntimeClass admission plugin sets the overhead and merges the node selector: setOverhead and setScheduling in
plugin/pkg/admission/runtimeclass/admission.go of kubernetes/kubernetes v1.36.2. `tolerations_of` adds its tolerations.
The mutator of resource requests of AKS Automatic changes the workloads that create pods, also DaemonSets and Jobs. Its
amounts and sources are in `catalog/admission`.
"""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.model.names.kinds import POD, RUNTIME_CLASS
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods

_GROUPS = ("initContainers", "containers")


def admitted_pods(objects: Objects) -> tuple[Pod, ...]:
    """The pods of every complete workload with a pod template."""
    return objects.once("admitted pods", lambda: tuple(admitted_pod(pod, objects) for pod in pods(objects)))


def admitted_pod(pod: Pod, objects: Objects) -> Pod:
    """The pod with the overhead and the node selector of its RuntimeClass, if that is in the input."""
    pod = _with_requests(pod, objects)
    name = pod.spec.get("runtimeClassName")
    classes = objects.by_name(*RUNTIME_CLASS, name) if name else ()
    if not classes:
        return pod
    overhead = reach(classes[0].body, "overhead", "podFixed") or {}
    selector = reach(classes[0].body, "scheduling", "nodeSelector") or {}
    merged = {**(pod.spec.get("nodeSelector") or {}), **selector}
    return pod._replace(spec={**pod.spec, "overhead": pod.spec.get("overhead") or overhead, "nodeSelector": merged})


def _with_requests(pod: Pod, objects: Objects) -> Pod:
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
