"""The NIMService of NVIDIA's NIM Operator, which has fields of a container and of its pod next to each other.

api/apps/v1alpha1/nimservice_types.go of NVIDIA/k8s-nim-operator at f63f74d7ad22.
"""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.model.names.kinds import NIM_SERVICE
from gitgpu.objects.workload.shape import CAPABILITIES, CLAIMS, Shape, nest
from gitgpu.objects.workload.structure import COUNT, METADATA, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, pod_spec, replicas_of, whole

_SPEC = ("spec",)
_CONTAINER = ("args", "command", "env", "resources")
# Other keys, such as image and initContainers, have types of their own.
_POD = (
    "affinity",
    "annotations",
    "labels",
    "nodeSelector",
    "priorityClassName",
    "runtimeClassName",
    "schedulerName",
    "tolerations",
)


def _templates(body: Body) -> Iterator[Template]:
    spec = mapping_at(body, *_SPEC)
    server = {key: spec[key] for key in _CONTAINER if key in spec}
    pod = {key: spec[key] for key in _POD if key in spec}
    moves = (((*_SPEC, "containers", 0), _SPEC),)
    for template in pod_spec({**pod, "containers": [server]}, _SPEC, lambda: _pods(body)):
        yield template._replace(
            moves=(*moves, *template.moves), adds_volumes=True, partial="multiNode" in spec
        )  # the pods of a group are computed


def _pods(body: Body) -> Count:
    """The replicas, or the bounds of the autoscaler that the operator creates."""
    scaler = mapping_at(body, *_SPEC, "scale")
    bounds = mapping_at(scaler, "hpa")
    low, high, *_ = replicas_of(body)
    if scaler.get("enabled") is True:
        low, high = whole(bounds, "minReplicas", 1), whole(bounds, "maxReplicas", high)
    return Count(low, high)


_SHAPE = Shape(
    "apps.nvidia.com/v1alpha1",
    lambda _: _SPEC,
    queue_at=lambda _: (*_SPEC, "labels"),
    written=lambda _, __, container: nest((*_SPEC, "resources"), container["resources"]),
    lacks=frozenset((CLAIMS, CAPABILITIES)),
)
_STRUCTURE: Structure = {
    **METADATA,
    "replicas": COUNT,
    "scale": {"hpa": {"minReplicas": COUNT, "maxReplicas": COUNT}},
}
KINDS = (WorkloadKind(*NIM_SERVICE, _templates, structure=_STRUCTURE, shape=_SHAPE, adds_images=True),)
