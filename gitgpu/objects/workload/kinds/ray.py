"""The kinds of KubeRay: ray-operator/apis/ray/v1 of ray-project/kuberay at 0057210ed5a9.

The replicas of a group follow ray-operator/controllers/ray/utils/util.go at feeaf72facab; the label of gangs is read in
controllers/ray/batchscheduler there, and the volume with the token is added in controllers/ray/common/pod.go.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain

from gitgpu.access import list_at, mapping_at
from gitgpu.model.names.kinds import RAY_CLUSTER, RAY_CRON_JOB, RAY_JOB, RAY_SERVICE
from gitgpu.model.names.labels import RAY_GANG_LABEL
from gitgpu.objects.workload.queueing import Integration, Suspend
from gitgpu.objects.workload.shape import Groups, Path, Shape
from gitgpu.objects.workload.structure import COUNT, Structure
from gitgpu.objects.workload.template import Body, Count, Counted, Template, WorkloadKind, template_at, whole
from gitgpu.source import Pointer

_MAXIMUM = 2**31 - 1  # of the workers of a group with the autoscaler
_SUBMITTER = "submitterPodTemplate"
_HEAD = "head"  # the group of the head, which has no name
_OF_SERVICE = ("spec", "rayClusterConfig")
_ADDED = frozenset({"ray-token"})  # the volumes that containers can mount without defining them


def _cluster(body: Body, at: Pointer = ("spec",)) -> Iterator[Template]:
    """The head and the groups of workers."""
    cluster = mapping_at(body, *at)
    templates = [template_at(body, (*at, "headGroupSpec", "template"))]
    for index, group in enumerate(list_at(cluster, "workerGroupSpecs")):
        place = (*at, "workerGroupSpecs", index, "template")
        templates.append(template_at(body, place, partial(_workers, cluster, group)))
    for template in chain.from_iterable(templates):
        yield template._replace(volumes=_ADDED)


def _workers(cluster: Body, group: Body) -> Count:
    """The pods of a group of workers: with the autoscaler of Ray, between its bounds."""
    low, high = whole(group, "minReplicas", 0), whole(group, "maxReplicas", _MAXIMUM)
    if cluster.get("enableInTreeAutoscaling") is not True:
        low = high = min(max(whole(group, "replicas", 0), low), high)
    hosts = whole(group, "numOfHosts", 1)
    return Count(low * hosts, high * hosts)


def _job(body: Body, at: Pointer = ("spec",)) -> Iterator[Template]:
    yield from _cluster(body, (*at, "rayClusterSpec"))
    yield from template_at(body, (*at, _SUBMITTER))


def _service(body: Body) -> Iterator[Template]:
    yield from _cluster(body, _OF_SERVICE)


def _cron_job(body: Body) -> Iterator[Template]:
    for template in _job(body, ("spec", "jobTemplate")):
        yield template._replace(counted=partial(_between_runs, template.counted))


def _between_runs(count: Counted) -> Count:
    """The pods of a job that has none between two runs."""
    return count()._replace(low=0)


def _shape(*at: str) -> Shape:
    def spec_at(group: str) -> Path:
        if group == _HEAD:
            return *at, "headGroupSpec", "template", "spec"
        return *at, "workerGroupSpecs", ("groupName", group), "template", "spec"

    return Shape("ray.io/v1", spec_at, Groups(None), "ray-worker")


_COUNTS = ("replicas", "minReplicas", "maxReplicas", "numOfHosts")
_CLUSTER: Structure = {
    "headGroupSpec": {"template": {}},
    "workerGroupSpecs": [{"template": {}, **dict.fromkeys(_COUNTS, COUNT)}],
}
_JOB: Structure = {"rayClusterSpec": _CLUSTER, _SUBMITTER: {}}
_PAUSE = Suspend((*_OF_SERVICE, "suspend"))
KINDS = (
    WorkloadKind(
        *RAY_CLUSTER,
        _cluster,
        False,
        Integration("ray.io/raycluster"),
        Suspend(),
        _shape("spec"),
        _CLUSTER,
        gang_label=RAY_GANG_LABEL,
    ),
    WorkloadKind(
        *RAY_JOB,
        _job,
        True,
        Integration("ray.io/rayjob"),
        Suspend(),
        _shape("spec", "rayClusterSpec"),
        _JOB,
        gang_label=RAY_GANG_LABEL,
    ),
    WorkloadKind(
        *RAY_CRON_JOB,
        _cron_job,
        ends=True,
        suspend=Suspend(),
        shape=_shape("spec", "jobTemplate", "rayClusterSpec"),
        structure={"jobTemplate": _JOB},
        gang_label=RAY_GANG_LABEL,
    ),
    WorkloadKind(
        *RAY_SERVICE,
        _service,
        False,
        Integration("ray.io/rayservice"),
        _PAUSE,
        _shape(*_OF_SERVICE),
        {_OF_SERVICE[-1]: _CLUSTER},
        gang_label=RAY_GANG_LABEL,
    ),
)
