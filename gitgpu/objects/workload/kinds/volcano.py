"""The Job of Volcano: config/crd/volcano of volcano-sh/volcano at ed72c7c815a9, whose replicas have no default.

The defaults of minAvailable are in docs/design/min-avaiable-member-resource.md there.
"""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import list_at, mapping_at, rows
from gitgpu.model.names.kinds import VOLCANO_JOB
from gitgpu.objects.workload.queueing import Gang
from gitgpu.objects.workload.shape import Groups, Shape
from gitgpu.objects.workload.structure import COUNT, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, exactly, template_at, whole


def _tasks(body: Body) -> Iterator[Template]:
    for index, task in enumerate(list_at(body, "spec", "tasks")):
        yield from template_at(body, ("spec", "tasks", index, "template"), partial(_pods, task))


def _pods(task: Body) -> Count:
    return exactly(whole(task, "replicas", 0))


def _least(body: Body) -> int:
    """The pods that start together: by default the fewest of each task, and those are all of its replicas."""
    tasks = rows(body, "spec", "tasks")
    return whole(mapping_at(body, "spec"), "minAvailable", 0) or sum(
        whole(task, "minAvailable", whole(task, "replicas", 0)) for task in tasks
    )


_STRUCTURE: Structure = {"minAvailable": COUNT, "tasks": [{"replicas": COUNT, "template": {}}]}
_SHAPE = Shape(
    "batch.volcano.sh/v1alpha1",
    lambda group: ("spec", "tasks", ("name", group), "template", "spec"),
    Groups(None),
    queue_at=lambda group: ("spec", "tasks", ("name", group), "template", "metadata", "labels"),
)
KINDS = (
    WorkloadKind(*VOLCANO_JOB, _tasks, ends=True, structure=_STRUCTURE, works=Gang.OBJECT, least=_least, shape=_SHAPE),
)
