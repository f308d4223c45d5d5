"""The Job of Volcano: config/crd/volcano of volcano-sh/volcano at ed72c7c815a9, whose replicas have no default."""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import list_at
from gitgpu.model.names.kinds import VOLCANO_JOB
from gitgpu.objects.workload.structure import COUNT, Structure
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, exactly, template_at, whole


def _tasks(body: Body) -> Iterator[Template]:
    for index, task in enumerate(list_at(body, "spec", "tasks")):
        yield from template_at(body, ("spec", "tasks", index, "template"), partial(_pods, task))


def _pods(task: Body) -> Count:
    return exactly(whole(task, "replicas", 0))


_STRUCTURE: Structure = {"minAvailable": COUNT, "tasks": [{"replicas": COUNT, "template": {}}]}
KINDS = (WorkloadKind(*VOLCANO_JOB, _tasks, ends=True, structure=_STRUCTURE),)
