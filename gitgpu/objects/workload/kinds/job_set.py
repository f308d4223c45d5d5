"""JobSet, and the jobs of Kubeflow Trainer, whose runtimes are templates of JobSets.

api/jobset/v1alpha2 of kubernetes-sigs/jobset at 0336a8fd9fd3; pkg/apis/trainer/v1alpha1 of kubeflow/trainer at
0015772c282d.
"""

from collections.abc import Iterator
from functools import partial

from gitgpu.access import MAPPING, list_at, mapping_at, reach
from gitgpu.model.names.groups import GITGPU_GROUP
from gitgpu.model.names.kinds import CLUSTER_TRAINING_RUNTIME, JOB_SET, TRAIN_JOB, TRAINING_RUNTIME
from gitgpu.model.names.labels import TRAIN_JOB_STEP_LABEL
from gitgpu.objects.workload.merged import Merged, merge_at, with_value
from gitgpu.objects.workload.queueing import Gang, Integration, Suspend
from gitgpu.objects.workload.shape import CAPABILITIES, CLAIMS, PRIORITY, SCHEDULER, Groups, Moves, Shape, nest
from gitgpu.objects.workload.structure import AMOUNTS, COUNT, Structure
from gitgpu.objects.workload.template import (
    Body,
    Count,
    Template,
    WorkloadKind,
    exactly,
    job_pods,
    pod_spec,
    template_at,
    whole,
)
from gitgpu.source import Pointer

RUNTIME = "runtime"  # where the spec of the runtime is in the spec of a job that is completed
_JOB, _TRAINER = ("template", "spec"), ("spec", "trainer")
_JOBS_AT: Pointer = ("spec", RUNTIME, "template", "spec", "replicatedJobs")


def _job_set(body: Body, at: Pointer = ("spec",)) -> Iterator[Template]:
    for index, job in enumerate(list_at(body, *at, "replicatedJobs")):
        place = (*at, "replicatedJobs", index, *_JOB, "template")
        yield from template_at(body, place, partial(_pods, job))


def _pods(job: Body) -> Count:
    return exactly(whole(job, "replicas", 1) * job_pods(mapping_at(job, *_JOB)))


def _runtime(body: Body) -> Iterator[Template]:
    """A runtime has no pods itself: those of the TrainJobs that refer to it are created from its templates."""
    for template in _job_set(body, ("spec", "template", "spec")):
        yield template._replace(counted=lambda: exactly(0), partial=True)


def _train_job(body: Body) -> Iterator[Template]:
    """The container of the trainer, which the runtime completes."""
    trainer = mapping_at(body, *_TRAINER)
    if isinstance(reach(body, "spec", RUNTIME), MAPPING):
        yield from _runtime_templates(body, trainer)
        return
    container = {key: trainer[key] for key in ("args", "command", "env", "image") if key in trainer}
    container["resources"] = trainer.get("resourcesPerNode")
    first = ("spec", "containers", 0)
    moves = (((*first, "resources"), (*_TRAINER, "resourcesPerNode")), (first, _TRAINER))
    for template in pod_spec({"containers": [container]}, ("spec",), lambda: _nodes(trainer)):
        yield template._replace(partial=True, moves=moves)


def _runtime_templates(body: Body, trainer: Body) -> Iterator[Template]:
    """The pods of a job whose runtime is known: newRuntimeInfo in pkg/runtime/core of kubeflow/trainer 8c0f5059bd51."""
    patched, moves = _patched(body)
    for job, template in enumerate(_job_set(patched, _JOBS_AT[:-1])):
        steps = mapping_at(patched, *_JOBS_AT, job, "template", "metadata", "labels")
        complete = template
        if steps.get(TRAIN_JOB_STEP_LABEL) == "trainer":
            complete = _with_trainer(body, template, trainer)
        yield complete._replace(moves=(*complete.moves, *moves))


def _patched(body: Body) -> Merged:
    """The job, and its runtime with the patches of the job: mergeRuntimePatches in the same file.

    A webhook refuses patches of jobs that the runtime does not have.
    """
    jobs = list(list_at(body, *_JOBS_AT))
    places = {job.get("name"): place for place, job in enumerate(jobs) if isinstance(job, MAPPING)}
    moves: Moves = ()
    for number, _ in enumerate(list_at(body, "spec", "runtimePatches")):
        patches_at = ("spec", "runtimePatches", number, "trainingRuntimeSpec", "template", "spec", "replicatedJobs")
        for index, patch in enumerate(list_at(body, *patches_at)):
            job = places.get(patch.get("name")) if isinstance(patch, MAPPING) else None
            if job is not None:
                part = merge_at(jobs[job], patch, (*_JOBS_AT, job), (*patches_at, index))
                jobs[job], moves = part.value, (*part.moves, *moves)
    return Merged(with_value(body, _JOBS_AT, jobs), moves)


def _with_trainer(body: Body, template: Template, trainer: Body) -> Template:
    """The pods of the trainer, one for each node: their container `node` has what the job says."""
    pods = mapping_at(template.body, "spec")
    containers = list(list_at(pods, "containers"))
    moves: list[tuple[Pointer, Pointer]] = []
    for index, container in enumerate(containers):
        if isinstance(container, MAPPING) and container.get("name") == "node":
            own = {key: trainer[key] for key in ("args", "command", "image") if key in trainer}
            place = (*template.spec_at, "containers", index)
            resources = dict(mapping_at(container, "resources"))
            for kind, amounts in mapping_at(trainer, "resourcesPerNode").items():
                resources[kind] = {**mapping_at(resources, kind), **mapping_at(amounts)}
                for name in mapping_at(amounts):
                    where = ("resources", kind, name)
                    moves.append(((*place, *where), (*_TRAINER, "resourcesPerNode", kind, name)))
            containers[index] = {**container, **own, "resources": resources}
            moves += [((*place, key), (*_TRAINER, key)) for key in own]
    content = {**template.body, "spec": {**pods, "containers": containers}}
    nodes = whole(mapping_at(body, "spec", RUNTIME, "mlPolicy"), "numNodes", 1)
    return template._replace(
        body=content, moves=tuple(moves), counted=lambda: exactly(whole(trainer, "numNodes", nodes))
    )


def _nodes(trainer: Body) -> Count:
    return exactly(whole(trainer, "numNodes", 1))


_SHAPE = Shape(
    "jobset.x-k8s.io/v1alpha2",
    lambda group: ("spec", "replicatedJobs", ("name", group), *_JOB, "template", "spec"),
    Groups(None),
)
_PATCHED = ("runtimePatches", ("manager", GITGPU_GROUP), "trainingRuntimeSpec", "template", "spec", "replicatedJobs")
_OF_TRAIN_JOB = Shape(
    "trainer.kubeflow.org/v1alpha1",
    lambda group: ("spec", *_PATCHED, ("name", group), *_JOB, "template", "spec"),
    Groups(None, "node"),
    written=lambda _, __, container: nest((*_TRAINER, "resourcesPerNode"), container["resources"]),
    lacks=frozenset((CLAIMS, PRIORITY, SCHEDULER, CAPABILITIES)),
)
_PODS: Structure = {"parallelism": COUNT, "completions": COUNT, "template": {}}
_JOBS: Structure = {"replicatedJobs": [{"replicas": COUNT, "template": {"spec": _PODS}}]}
_OF_RUNTIME: Structure = {"template": {"spec": _JOBS}}
_TRAINING: Structure = {"runtimeRef": {}, "trainer": {"numNodes": COUNT, "resourcesPerNode": AMOUNTS}}
KINDS = (
    WorkloadKind(
        *JOB_SET, _job_set, True, Integration("jobset.x-k8s.io/jobset"), Suspend(), _SHAPE, _JOBS, Gang.OBJECT
    ),
    WorkloadKind(
        *TRAIN_JOB,
        _train_job,
        True,
        Integration("trainer.kubeflow.org/trainjob"),
        Suspend(),
        _OF_TRAIN_JOB,
        _TRAINING,
        Gang.OBJECT,
        adds_images=True,
    ),
    WorkloadKind(*TRAINING_RUNTIME, _runtime, structure=_OF_RUNTIME, adds_images=True),
    WorkloadKind(*CLUSTER_TRAINING_RUNTIME, _runtime, structure=_OF_RUNTIME, adds_images=True),
)
