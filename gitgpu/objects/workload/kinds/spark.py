"""SparkApplication and its schedule: api/v1beta2 of kubeflow/spark-operator at 07f3cecdbf9a.

Spark computes the memory of the pods, so that only faults in single values are reported.
"""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import mapping_at, text_at
from gitgpu.model.names.kinds import SCHEDULED_SPARK_APPLICATION, SPARK_APPLICATION
from gitgpu.objects.workload.queueing import Integration, Suspend
from gitgpu.objects.workload.shape import CAPABILITIES, CLAIMS, Groups, Shape, nest
from gitgpu.objects.workload.structure import COUNT, METADATA, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, exactly, pod_spec, template_at, whole
from gitgpu.source import Pointer

_OF_CONTAINER = ("securityContext",)  # here it is that of the container, and podSecurityContext that of the pod


def _application(body: Body, at: Pointer = ("spec",)) -> Iterator[Template]:
    """The driver and the executors, whose GPUs have a key of their own."""
    for role in ("driver", "executor"):
        place = (*at, role)
        pod = mapping_at(body, *place)
        device, amount = text_at(pod, "gpu", "name"), mapping_at(pod, "gpu").get("quantity")
        limits = {device: amount} if device else {}
        above = {key: value for key, value in pod.items() if key not in _OF_CONTAINER}
        spec = {**above, "containers": [{"name": role, "resources": {"limits": limits}}]}
        first = (*place, "containers", 0)
        moves = (((*first, "resources", "limits", device), (*place, "gpu", "name")), (first, place))
        for template in pod_spec(spec, place, partial(_pods, pod)):
            yield template._replace(partial=True, moves=(*moves, *template.moves))
        for template in template_at(body, (*place, "template"), partial(exactly, 0)):  # Spark adds to it
            yield template._replace(partial=True)


def _scheduled(body: Body) -> Iterator[Template]:
    return _application(body, ("spec", "template"))


def _pods(pod: Body) -> Count:
    return exactly(whole(pod, "instances", 1))


def _shape(*at: str) -> Shape:
    def gpus(group: str, _: str, container: Body) -> Body:
        [(device, amount)] = container["resources"]["limits"].items()
        placed: Body = nest((*at, group, "gpu"), {"name": device, "quantity": int(amount)})
        return placed

    return Shape(
        "sparkoperator.k8s.io/v1beta2",
        lambda group: (*at, group),
        Groups(("driver", "executor"), "executor"),
        written=gpus,
        lacks=frozenset((CLAIMS, CAPABILITIES)),
    )


_KUEUE = Integration("sparkoperator.k8s.io/sparkapplication")  # the labels of a schedule are those of its runs
_ROLE: Structure = {**METADATA, "gpu": {"quantity": COUNT}}
_ROLES: Structure = {"driver": _ROLE, "executor": {**_ROLE, "instances": COUNT}}
KINDS = (
    WorkloadKind(*SPARK_APPLICATION, _application, True, _KUEUE, Suspend(), _shape("spec"), _ROLES, adds_images=True),
    WorkloadKind(
        *SCHEDULED_SPARK_APPLICATION,
        _scheduled,
        True,
        _KUEUE,
        Suspend(),
        _shape("spec", "template"),
        {"template": _ROLES},
        adds_images=True,
    ),
)
