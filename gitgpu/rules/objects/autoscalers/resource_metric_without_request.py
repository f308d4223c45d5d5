"""A CPU or memory target without a request."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import LIMIT_RANGE, SCALED_OBJECT
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import autoscalers, of_item, scaled_objects, scaled_pods
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_KINDS = {"Resource": "resource", "ContainerResource": "containerResource"}


def _check(objects: Objects) -> Iterator[Finding]:
    if any(objects.of(*LIMIT_RANGE)):
        return  # it can set the request
    unsure = "" if objects.closed else "; a LimitRange in the cluster may set one"
    for item in (*scaled_objects(objects), *autoscalers(objects)):
        pod = scaled_pods(item, objects)
        if pod is None:  # the workload is in other files
            continue
        for pointer, resource, only in _measured(item, objects):
            bare = _container_without(pod, resource, only)
            if bare:
                where = f"{pod.item.identity.kind} '{pod.item.identity.name}'"
                message = f"container '{bare}' of {where} has no {resource} request{unsure}"
                remedy = f"add a {resource} request to each container of the pod"
                yield Finding(item, pointer, message, remedy)


def _measured(item: Item, objects: Objects) -> Iterator[tuple[Pointer, str, str]]:
    if item.identity.kind == SCALED_OBJECT.kind:
        resources = objects.catalog.must("triggers", "keda")["resources"]
        for trigger in of_item(item):
            if trigger.type in resources:
                yield (*trigger.pointer, "type"), trigger.type, trigger.metadata.get("containerName") or ""
        return
    for index, metric in enumerate(reach(item.body, "spec", "metrics") or ()):
        key = _KINDS.get(reach(metric, "type") or "", "")
        source = reach(metric, key) or {}
        # A target of type AverageValue needs no request.
        if reach(source, "target", "averageUtilization") and source.get("name") in ("cpu", "memory"):
            yield ("spec", "metrics", index, key, "name"), source["name"], source.get("container") or ""


def _container_without(pod: Pod, resource: str, only: str) -> str:
    for place, container in pod.containers():
        name = container.get("name") or ""
        counted = place[-2] == "containers" and (not only or name == only)
        if counted and not _requests(container, resource):
            return name
    return ""


def _requests(container: Mapping[str, Any], resource: str) -> bool:
    for kind in ("requests", "limits"):  # KEDA accepts either, and a limit is the default of a request
        amount = reach(container, "resources", kind, resource)
        try:
            if amount is not None and quantity(amount) > 0:
                return True
        except ValueError:
            return True  # CNF006 reports it
    return False


RULE = Rule(
    code="KED006",
    name="resource-metric-without-request",
    severity=Severity.WARNING,
    summary="A scaler uses the CPU or memory utilization of a pod in which a container has no request for it.",
    help="Utilization is a percentage of the request. Without a request the autoscaler reports an error and never "
    "scales. KEDA's admission webhook accepts such a trigger only if a LimitRange sets the request.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    check=_check,
)
