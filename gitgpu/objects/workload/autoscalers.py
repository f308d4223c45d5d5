"""Autoscalers of workloads, as rules read them: ScaledObjects, ScaledJobs and HorizontalPodAutoscalers."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.names.kinds import HORIZONTAL_POD_AUTOSCALER, SCALED_JOB, SCALED_OBJECT
from gitgpu.model.software.autoscaling import HPA_PREFIX
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.schema.contract import api_group
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.source import Pointer

TARGET: Pointer = ("spec", "scaleTargetRef")
HPA_NAME: Pointer = ("spec", "advanced", "horizontalPodAutoscalerConfig", "name")


class Target(NamedTuple):
    """The workload that is scaled."""

    group: str
    kind: str
    namespace: str
    name: str


class Trigger(NamedTuple):
    """A trigger of a ScaledObject or ScaledJob: its place, its type, its metadata, and its whole content."""

    item: Item
    pointer: Pointer
    type: str
    metadata: Mapping[str, str]
    body: Mapping[str, Any]

    def place(self, key: str) -> Pointer:
        """The place of a key of its metadata."""
        return (*self.pointer, "metadata", key)


def scaled_objects(objects: Objects) -> Iterator[Item]:
    """Every ScaledObject with a spec."""
    return (item for item in objects.of(*SCALED_OBJECT) if reach(item.body, "spec"))


def autoscalers(objects: Objects) -> Iterator[Item]:
    """Every complete HorizontalPodAutoscaler, without those that KEDA created."""
    for item in objects.of(*HORIZONTAL_POD_AUTOSCALER):
        owned = reach(item.body, "metadata", "ownerReferences")
        if not owned and reach(item.body, "spec"):
            yield item


def target(item: Item) -> Target:
    """The target of a scaler; a Deployment if it names no kind."""
    reference = reach(item.body, *TARGET) or {}
    group = api_group(reference.get("apiVersion") or "apps/v1")
    return Target(group, reference.get("kind") or "Deployment", item.identity.namespace, reference.get("name") or "")


def hpa_name(item: Item) -> str:
    """The name of the HorizontalPodAutoscaler that KEDA creates for a ScaledObject."""
    return reach(item.body, *HPA_NAME) or f"{HPA_PREFIX}{item.identity.name}"


def lowest(item: Item) -> int:
    """The number of replicas of a ScaledObject while there is nothing to do."""
    spec = item.body["spec"]
    idle = spec.get("idleReplicaCount")
    return (spec.get("minReplicaCount") or 0) if idle is None else idle


def triggers(objects: Objects, *kinds: str) -> Iterator[Trigger]:
    """Every trigger of objects of these kinds (without kinds, of ScaledObjects and ScaledJobs)."""
    for kind in kinds or (SCALED_OBJECT.kind, SCALED_JOB.kind):
        for item in objects.of(KEDA_GROUP, kind):
            yield from of_item(item)


def of_item(item: Item) -> Iterator[Trigger]:
    """The triggers of one object."""
    for index, trigger in enumerate(reach(item.body, "spec", "triggers") or ()):
        yield Trigger(item, ("spec", "triggers", index), trigger["type"], trigger["metadata"], trigger)


def scaled_pods(item: Item, objects: Objects) -> Pod | None:
    """The pods that a scaler scales, if their workload is among the objects."""
    return objects.once("pods by workload", lambda: _by_workload(objects)).get(target(item))


def _by_workload(objects: Objects) -> dict[Target, Pod]:
    by_workload: dict[Target, Pod] = {}
    for pod in pods(objects):
        by_workload.setdefault(Target(*pod.item.identity), pod)
    return by_workload
