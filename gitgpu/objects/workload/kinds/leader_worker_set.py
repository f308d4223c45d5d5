"""LeaderWorkerSet: api/leaderworkerset/v1 of kubernetes-sigs/lws at 024af0845195."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.model.names.kinds import LEADER_WORKER_SET
from gitgpu.objects.workload.queueing import Gang, Integration
from gitgpu.objects.workload.shape import Groups, Shape
from gitgpu.objects.workload.structure import COUNT, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, replicas_of, template_at, whole

_GROUP = ("spec", "leaderWorkerTemplate")


def _templates(body: Body) -> Iterator[Template]:
    """A group has `size` pods. Without leaderTemplate, the leader is created from the template of the workers."""
    leaders = list(template_at(body, (*_GROUP, "leaderTemplate"), lambda: replicas_of(body)))
    yield from leaders
    yield from template_at(body, (*_GROUP, "workerTemplate"), lambda: _workers(body, len(leaders)))


def _workers(body: Body, leaders: int) -> Count:
    size = max(whole(mapping_at(body, *_GROUP), "size", 1) - leaders, 0)
    groups = replicas_of(body).low
    return Count(groups * size, groups * size, size)


_KUEUE = Integration("leaderworkerset.x-k8s.io/leaderworkerset", Gang.REPLICA)
_SHAPE = Shape(
    "leaderworkerset.x-k8s.io/v1",
    lambda group: (*_GROUP, f"{group}Template", "spec"),
    Groups(("leader", "worker"), "worker"),
    scales=True,
)
_STRUCTURE: Structure = {
    "replicas": COUNT,
    "leaderWorkerTemplate": {"size": COUNT, "leaderTemplate": {}, "workerTemplate": {}},
}
KINDS = (
    WorkloadKind(
        *LEADER_WORKER_SET, _templates, integration=_KUEUE, shape=_SHAPE, structure=_STRUCTURE, works=Gang.REPLICA
    ),
)
