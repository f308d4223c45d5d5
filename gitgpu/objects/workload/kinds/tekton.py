"""The kinds of Tekton: a pod for each TaskRun, whose steps are its containers.

pkg/pod/pod.go and pkg/apis/pipeline/v1 of tektoncd/pipeline at 3ee1745ae5b2.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod

from gitgpu.access import MAPPING, list_at, mapping_at, rows, text_at
from gitgpu.model.names.kinds import PIPELINE, PIPELINE_RUN, TASK, TASK_RUN
from gitgpu.objects.workload.assembled import Part, assemble, elements, first_of
from gitgpu.objects.workload.queueing import Suspend
from gitgpu.objects.workload.shape import CAPABILITIES, CLAIMS, Groups, Path, Shape, Step, nest
from gitgpu.objects.workload.structure import AMOUNTS, METADATA, Structure
from gitgpu.objects.workload.template import (
    Body,
    Count,
    Template,
    WorkloadKind,
    exactly,
    named_containers,
    with_labels_of,
)
from gitgpu.source import Pointer

_SPEC = ("spec",)
_OF_POD = frozenset(
    """affinity automountServiceAccountToken dnsConfig dnsPolicy enableServiceLinks hostAliases hostNetwork hostUsers
    imagePullSecrets nodeSelector priorityClassName runtimeClassName schedulerName securityContext tolerations
    topologySpreadConstraints""".split()  # noqa: SIM905  readable
)
_OF_CONTAINER = frozenset(
    """args command env envFrom image imagePullPolicy lifecycle livenessProbe name ports readinessProbe restartPolicy
    securityContext startupProbe stdin stdinOnce tty volumeDevices volumeMounts workingDir""".split()  # noqa: SIM905
)
_RESOURCES = ("computeResources", "resources")  # in version v1, and in v1beta1


def _task_run(body: Body) -> Iterator[Template]:
    run = (_SPEC, mapping_at(body, *_SPEC))
    for template in _pod((*_SPEC, "taskSpec"), mapping_at(body, *_SPEC, "taskSpec"), [run]):
        yield with_labels_of(body, template)


def _pipeline_run(body: Body) -> Iterator[Template]:
    """The pods of a run's own tasks: each has its settings in `taskRunSpecs`, or those of all tasks."""
    spec = mapping_at(body, *_SPEC)
    every: list[Part] = [((*_SPEC, "taskRunTemplate"), mapping_at(spec, "taskRunTemplate")), (_SPEC, spec)]
    runs = elements((*_SPEC, "taskRunSpecs"), spec.get("taskRunSpecs"))
    for place, task in _tasks(spec, (*_SPEC, "pipelineSpec")):
        task_runs = [run for run in runs if run[1].get("pipelineTaskName") == task.get("name")]
        for template in _pod((*place, "taskSpec"), mapping_at(task, "taskSpec"), [*task_runs, *every]):
            yield with_labels_of(body, template)._replace(counted=partial(_pods, task))


def _tasks(spec: Body, at: Pointer) -> Iterator[Part]:
    pipeline = mapping_at(spec, *at[1:])
    for key in ("tasks", "finally"):
        yield from elements((*at, key), pipeline.get(key))


def _pods(task: Body) -> Count:
    """The pods of a task: tasks run after each other, so the minimum is 0. A matrix runs one for each value."""
    params = rows(task, "matrix", "params")
    values = [param.get("value") for param in params]
    included = len(list_at(task, "matrix", "include"))
    known = all(isinstance(value, list) for value in values)
    combined = prod(len(value) for value in values if isinstance(value, list)) if params else 0
    return Count(0, max(combined + included, 1), 1, known)


def _task(body: Body) -> Iterator[Template]:
    yield from map(_referred_to, _pod(_SPEC, mapping_at(body, *_SPEC), []))


def _pipeline(body: Body) -> Iterator[Template]:
    for place, task in _tasks(mapping_at(body, *_SPEC), _SPEC):
        yield from map(_referred_to, _pod((*place, "taskSpec"), mapping_at(task, "taskSpec"), []))


def _referred_to(template: Template) -> Template:
    """The pods of a task are those of its runs, which have the settings of the pod."""
    return template._replace(counted=partial(exactly, 0), partial=True)


def _pod(place: Pointer, task: Body, runs: Sequence[Part]) -> Iterator[Template]:
    """The pod of a task. The settings of the first of these runs count that has them."""
    settings = [(where, value) for run in runs for where, value in _settings(run)]
    fields = [field for key in _OF_POD for field in first_of(key, settings)]
    volumes = elements((*place, "volumes"), task.get("volumes"))
    for where, value in settings:
        volumes += elements((*where, "volumes"), value.get("volumes"))
    containers = _containers(place, task, runs)
    if containers:
        own = [(part_at, container) for part_at, container, _ in containers]
        pod = assemble(
            place, [*fields, ("restartPolicy", (place, "Never"))], (("containers", own), ("volumes", volumes))
        )
        resources = (
            ((*place, "containers", index, "resources"), where)
            for index, (_, _, where) in enumerate(containers)
            if where
        )
        body = {"metadata": mapping_at(task, "metadata"), "spec": pod.spec}
        refers = any("ref" in step for step in rows(task, "steps"))  # to a StepAction
        named = ((*place[:-1], "metadata"), (*place, "metadata"))
        moves = (*resources, *pod.moves, named)
        yield Template(place, body, place, Count, pod.partial or refers, moves, _is_filled(own))


def _is_filled(containers: Sequence[Part]) -> bool:
    """Whether a container mounts a volume whose name Tekton fills in, such as that of a workspace."""
    return any("$(" in text_at(mount, "name") for _, each in containers for mount in rows(each, "volumeMounts"))


def _settings(run: Part) -> Iterator[Part]:
    place, value = run
    for key in ("podTemplate", "taskPodTemplate"):
        if isinstance(value.get(key), MAPPING):
            yield (*place, key), value[key]


def _containers(place: Pointer, task: Body, runs: Sequence[Part]) -> list[tuple[Pointer, Body, Pointer]]:
    """The containers of steps and sidecars, with their places and those of their resources; () if there are none."""
    base = mapping_at(task, "stepTemplate")
    found = []
    steps = named_containers(list_at(task, "steps"), "step")
    for at, step in elements((*place, "steps"), steps):
        spot, resources = _resources((at, step), "stepSpecs", runs) or _base_resources(place, base)
        found.append((at, _container({**base, **step}, resources), spot))
    run_field = next((field for _, value in runs for field in first_of("computeResources", [(_, value)])), None)
    if run_field and found:  # the resources of the task as a whole
        at, first, _ = found[0]
        others = [(where, {**container, "resources": {}}, ()) for where, container, _ in found[1:]]
        found = [(at, {**first, "resources": run_field[1][1]}, run_field[1][0]), *others]
    names = {text_at(container, "name") for _, container, _ in found}
    for at, sidecar in elements((*place, "sidecars"), named_containers(list_at(task, "sidecars"), "sidecar")):
        spot, resources = _resources((at, sidecar), "sidecarSpecs", runs) or ((), {})
        # Tekton adds such a prefix to all names, so a step can have the same one.
        name = text_at(sidecar, "name")
        named = {"name": f"sidecar-{name}"} if name in names else {}
        found.append((at, {**_container(sidecar, resources), **named}, spot))
    return found


def _resources(step: Part, key: str, runs: Sequence[Part]) -> tuple[Pointer, Body] | None:
    """What a step requests: what a run says of it, or what the step itself says."""
    _, written = step
    for at, run in runs:
        for where, changed in elements((*at, key), run.get(key)):
            if changed.get("name") == written.get("name"):
                for _, found in first_of("computeResources", [(where, changed)]):
                    return found
    return next((found for each in _RESOURCES for _, found in first_of(each, [step])), None)


def _base_resources(place: Pointer, base: Body) -> tuple[Pointer, Body]:
    at = (*place, "stepTemplate")
    return next((found for each in _RESOURCES for _, found in first_of(each, [(at, base)])), ((), {}))


def _container(step: Body, resources: Body) -> Body:
    written = {key: value for key, value in step.items() if key in _OF_CONTAINER}
    return {**written, "resources": resources}


def _step(*at: Step) -> Path:
    return *at, "computeResources"


_LACKS = frozenset((CLAIMS, CAPABILITIES))
_OF_TASK_RUN = Shape(
    "tekton.dev/v1",
    lambda _: (*_SPEC, "podTemplate"),
    written=lambda _, name, container: nest(_step(*_SPEC, "stepSpecs", ("name", name)), container["resources"]),
    lacks=_LACKS,
    pods_at=lambda _: (*_SPEC, "taskSpec"),
)


def _run_of(task: str) -> Path:
    return *_SPEC, "taskRunSpecs", ("pipelineTaskName", task)


_OF_PIPELINE_RUN = Shape(
    "tekton.dev/v1",
    lambda task: (*_run_of(task), "podTemplate"),
    Groups(None),
    written=lambda task, name, container: nest(
        _step(*_run_of(task), "stepSpecs", ("name", name)), container["resources"]
    ),
    lacks=_LACKS,
    pods_at=lambda task: (*_SPEC, "pipelineSpec", "tasks", ("name", task), "taskSpec"),
)
_STEPS: list[Structure] = [dict.fromkeys(_RESOURCES, AMOUNTS)]
_OF_TASK: Structure = {"steps": _STEPS, "sidecars": _STEPS, "stepTemplate": {}, "volumes": [], "metadata": METADATA}
_OF_PIPELINE: Structure = {key: [{"taskSpec": _OF_TASK}] for key in ("tasks", "finally")}
_OF_RUN: Structure = {"podTemplate": {}, "computeResources": AMOUNTS, "stepSpecs": _STEPS, "sidecarSpecs": _STEPS}
KINDS = (
    WorkloadKind(
        *TASK_RUN,
        _task_run,
        ends=True,
        shape=_OF_TASK_RUN,
        structure={**_OF_RUN, "taskSpec": _OF_TASK},
        adds_images=True,
    ),
    WorkloadKind(
        *PIPELINE_RUN,
        _pipeline_run,
        ends=True,
        suspend=Suspend(("spec", "status"), "PipelineRunPending"),
        shape=_OF_PIPELINE_RUN,
        structure={"pipelineSpec": _OF_PIPELINE, "taskRunSpecs": [_OF_RUN], "taskRunTemplate": _OF_RUN},
        adds_images=True,
    ),
    WorkloadKind(*TASK, _task, ends=True, structure=_OF_TASK, adds_images=True),
    WorkloadKind(*PIPELINE, _pipeline, ends=True, structure=_OF_PIPELINE, adds_images=True),
)
