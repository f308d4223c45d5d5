"""The Job of Volcano: pkg/apis/batch/v1alpha1 of volcano-sh/apis at 032c8b66ae90."""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import list_at
from gitgpu.model.names.kinds import VOLCANO_JOB
from gitgpu.objects.workload.template import Body, Count, Template, WorkloadKind, exactly, template_at, whole


def _tasks(body: Body) -> Iterator[Template]:
    for index, task in enumerate(list_at(body, "spec", "tasks")):
        yield from template_at(body, ("spec", "tasks", index, "template"), partial(_pods, task))


def _pods(task: Body) -> Count:
    return exactly(whole(task, "replicas", 1))


KINDS = (WorkloadKind(*VOLCANO_JOB, _tasks, ends=True),)
