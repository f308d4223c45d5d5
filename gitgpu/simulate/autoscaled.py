"""How many pods a workload has at least and at most: its own replicas, or what its autoscaler allows."""

from collections.abc import Iterator, Mapping

from gitgpu.access import reach
from gitgpu.model.names.kinds import HORIZONTAL_POD_AUTOSCALER
from gitgpu.model.software.autoscaling import DEFAULT_MAX_REPLICAS
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import hpa_name, lowest, scaled_objects, target
from gitgpu.objects.workload.pods import Pod


def count_pods(pod: Pod, objects: Objects) -> tuple[int, int, bool]:
    """The fewest and the most pods, and whether an autoscaler decides."""
    low, high, size, _ = pod.counted()
    identity = pod.item.identity
    bounds = _bounds_once(objects).get((identity.kind, identity.namespace, identity.name))
    return (bounds[0] * size, bounds[1] * size, True) if bounds else (low, high, False)


def hpas(objects: Objects) -> Iterator[Item]:
    """Every HorizontalPodAutoscaler, except those that KEDA created for a ScaledObject that is in the input."""
    # KEDA writes an HPA for each ScaledObject. Reading both would set the bounds twice.
    by_keda = {(item.identity.namespace, hpa_name(item)) for item in scaled_objects(objects)}
    for item in objects.of(*HORIZONTAL_POD_AUTOSCALER):
        if reach(item.body, "spec") and (item.identity.namespace, item.identity.name) not in by_keda:
            yield item


def _bounds_once(objects: Objects) -> Mapping[tuple[str, str, str], tuple[int, int]]:
    return objects.once("replicas of autoscalers", lambda: _bounds(objects))


def _bounds(objects: Objects) -> dict[tuple[str, str, str], tuple[int, int]]:
    bounds: dict[tuple[str, str, str], tuple[int, int]] = {}
    for item in hpas(objects):
        spec = item.body["spec"]
        minimum = spec.get("minReplicas")
        bounds[target(item)[1:]] = (1 if minimum is None else minimum, spec.get("maxReplicas") or 1)
    for item in scaled_objects(objects):
        maximum = item.body["spec"].get("maxReplicaCount")
        bounds[target(item)[1:]] = (lowest(item), DEFAULT_MAX_REPLICAS if maximum is None else maximum)
    return bounds
