"""Objects together with the ones that they refer to: the Task of a TaskRun, the runtime of a job or model, a template.

Without the other object, an object stays as it is: its pods are partial, and only single values in them are judged.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.diagnostic import Places
from gitgpu.model.names.kinds import (
    CLUSTER_SERVING_RUNTIME,
    CLUSTER_TRAINING_RUNTIME,
    CLUSTER_WORKFLOW_TEMPLATE,
    CRON_WORKFLOW,
    INFERENCE_SERVICE,
    PIPELINE,
    PIPELINE_RUN,
    SERVING_RUNTIME,
    TASK,
    TASK_RUN,
    TRAIN_JOB,
    TRAINING_RUNTIME,
    WORKFLOW,
    WORKFLOW_TEMPLATE,
    GroupKind,
)
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.kinds.job_set import RUNTIME
from gitgpu.objects.workload.kinds.kserve import predictors
from gitgpu.objects.workload.merged import with_value
from gitgpu.objects.workload.serving_runtime import SERVED_BY
from gitgpu.source import Pointer, Span

_SPEC: Pointer = ("spec",)
_OF_CLUSTER = (CLUSTER_SERVING_RUNTIME, CLUSTER_TRAINING_RUNTIME, CLUSTER_WORKFLOW_TEMPLATE)


class _Part(NamedTuple):
    """A value of the object `source`, where it is at `source_at`, at a place of this one."""

    at: Pointer
    source: Item
    value: Any
    source_at: Pointer = _SPEC


class JoinedPlaces(NamedTuple):
    """The places of an object with parts of others."""

    own: Places
    parts: tuple[tuple[Pointer, Places, Pointer], ...]

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value in the file of the object that it is in. The last part that fits counts."""
        place = tuple(pointer)
        for at, places, source_at in reversed(self.parts):
            if place[: len(at)] == at:
                return places.span((*source_at, *place[len(at) :]), key=key)
        return self.own.span(pointer, key=key)


def complete(item: Item, objects: Objects) -> Item:
    """The object with what the others say; the object itself if it refers to none that is in the input."""
    find = _PARTS.get(GroupKind(*item.identity[:2]))
    parts = list(find(item, objects)) if find and not item.is_patch else []
    if not parts:
        return item
    body: Any = item.body
    for part in parts:
        body = with_value(body, part.at, part.value)
    places = tuple((part.at, part.source.given.places, part.source_at) for part in parts)
    return item._replace(given=item.given._replace(body=body, places=JoinedPlaces(item.given.places, places)))


def _find(kind: GroupKind, name: str, item: Item, objects: Objects) -> Item | None:
    """The object of a kind and name that another one in its namespace means."""
    if not name:
        return None
    namespace = "" if kind in _OF_CLUSTER else item.identity.namespace
    candidates = objects.by_name(*kind, name)
    return next((other for other in candidates if not namespace or other.identity.namespace == namespace), None)


def _task_run(item: Item, objects: Objects) -> Iterator[_Part]:
    yield from _named_task(mapping_at(item.body, "spec"), (*_SPEC, "taskSpec"), item, objects)


def _named_task(part: Mapping[str, Any], at: Pointer, item: Item, objects: Objects) -> Iterator[_Part]:
    """The Task that a run or a task of a pipeline refers to by its name."""
    reference = mapping_at(part, "taskRef")
    if "resolver" not in reference and text_at(reference, "kind") in ("", TASK.kind):
        task = _find(TASK, text_at(reference, "name"), item, objects)
        if task:
            yield _Part(at, task, task.body.get("spec"))


def _pipeline_run(item: Item, objects: Objects) -> Iterator[_Part]:
    at = (*_SPEC, "pipelineSpec")
    spec = mapping_at(item.body, *at)
    pipeline = _find(PIPELINE, text_at(item.body, "spec", "pipelineRef", "name"), item, objects)
    if pipeline:
        spec = mapping_at(pipeline.body, "spec")
        yield _Part(at, pipeline, spec)
    for key in ("tasks", "finally"):
        for index, task in enumerate(rows(spec, key)):
            yield from _named_task(task, (*at, key, index, "taskSpec"), item, objects)


def _workflow(item: Item, objects: Objects, at: Pointer = _SPEC) -> Iterator[_Part]:
    """Each field of the WorkflowTemplate that the workflow does not have itself."""
    spec = mapping_at(item.body, *at)
    reference = mapping_at(spec, "workflowTemplateRef")
    kind = CLUSTER_WORKFLOW_TEMPLATE if reference.get("clusterScope") is True else WORKFLOW_TEMPLATE
    template = _find(kind, text_at(reference, "name"), item, objects)
    for key, value in mapping_at(template.body, "spec").items() if template else ():
        if template and key not in spec:
            yield _Part((*at, key), template, value, (*_SPEC, key))


def _cron_workflow(item: Item, objects: Objects) -> Iterator[_Part]:
    return _workflow(item, objects, (*_SPEC, "workflowSpec"))


def _train_job(item: Item, objects: Objects) -> Iterator[_Part]:
    """The runtime, which is a ClusterTrainingRuntime by default."""
    reference = mapping_at(item.body, "spec", "runtimeRef")
    kind = TRAINING_RUNTIME if reference.get("kind") == TRAINING_RUNTIME.kind else CLUSTER_TRAINING_RUNTIME
    if runtime := _find(kind, text_at(reference, "name"), item, objects):
        yield _Part((*_SPEC, RUNTIME), runtime, runtime.body.get("spec"))


def _inference_service(item: Item, objects: Objects) -> Iterator[_Part]:
    """The runtime that the model of a predictor names: that of the namespace, else the one of the cluster."""
    for place in predictors(item.body):
        name = text_at(item.body, *place, "model", "runtime")
        found = (_find(kind, name, item, objects) for kind in (SERVING_RUNTIME, CLUSTER_SERVING_RUNTIME))
        if runtime := next(filter(None, found), None):
            yield _Part((*place, SERVED_BY), runtime, runtime.body.get("spec"))


_PARTS = {
    CRON_WORKFLOW: _cron_workflow,
    INFERENCE_SERVICE: _inference_service,
    PIPELINE_RUN: _pipeline_run,
    TASK_RUN: _task_run,
    TRAIN_JOB: _train_job,
    WORKFLOW: _workflow,
}
