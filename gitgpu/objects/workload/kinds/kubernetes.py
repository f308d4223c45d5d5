"""Kubernetes' own kinds with pods, and ScaledJob, which has the template of a Job."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.model.names.annotations import PAUSED_ANNOTATION
from gitgpu.model.names.kinds import (
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    JOB,
    POD,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    SCALED_JOB,
    STATEFUL_SET,
)
from gitgpu.model.software.autoscaling import DEFAULT_MAX_REPLICAS
from gitgpu.objects.workload.queueing import ANNOTATIONS, LABELS, Gang, Integration, Suspend
from gitgpu.objects.workload.shape import Shape, of_template
from gitgpu.objects.workload.template import (
    Body,
    Count,
    Template,
    WorkloadKind,
    exactly,
    job_pods,
    replicas_of,
    template_at,
    whole,
)

_JOB = ("spec", "jobTargetRef")


def _replicated(body: Body) -> Iterator[Template]:
    return template_at(body, ("spec", "template"), lambda: replicas_of(body))


def _job(body: Body) -> Iterator[Template]:
    return template_at(body, ("spec", "template"), lambda: exactly(job_pods(mapping_at(body, "spec"))))


def _cron_job(body: Body) -> Iterator[Template]:
    job = ("spec", "jobTemplate", "spec")  # between two runs there are no pods
    return template_at(body, (*job, "template"), lambda: Count(0, job_pods(mapping_at(body, *job))))


def _scaled_job(body: Body) -> Iterator[Template]:
    return template_at(body, (*_JOB, "template"), lambda: _scaled(mapping_at(body, "spec")))


def _scaled(spec: Body) -> Count:
    each = job_pods(mapping_at(spec, "jobTargetRef"))
    low, high = whole(spec, "minReplicaCount", 0), whole(spec, "maxReplicaCount", DEFAULT_MAX_REPLICAS)
    return Count(low * each, high * each)


def _pod(body: Body) -> Iterator[Template]:
    return template_at(body, ())


def _daemon_set(body: Body) -> Iterator[Template]:
    return template_at(body, ("spec", "template"))


_OF_JOB = Integration("batch/job")
_OF_RUNS = Integration("batch/job", labels=("spec", "jobTemplate", *LABELS))
_PAUSED = Suspend((*ANNOTATIONS, PAUSED_ANNOTATION), "true")
_TEMPLATE = of_template("spec", "template")
_SCALED = Shape("apps/v1", _TEMPLATE, scales=True)
_RUNS = Shape(
    "batch/v1",
    of_template("spec", "jobTemplate", "spec", "template"),
    queue_at=lambda _: ("spec", "jobTemplate", "metadata", "labels"),
)
KINDS = (
    WorkloadKind(*POD, _pod),
    WorkloadKind(*DAEMON_SET, _daemon_set),
    WorkloadKind(*DEPLOYMENT, _replicated, integration=Integration("deployment", Gang.POD), shape=_SCALED),
    WorkloadKind(*REPLICA_SET, _replicated),
    WorkloadKind(*REPLICATION_CONTROLLER, _replicated),
    WorkloadKind(*STATEFUL_SET, _replicated, integration=Integration("statefulset"), shape=_SCALED),
    WorkloadKind(*CRON_JOB, _cron_job, True, _OF_RUNS, Suspend(), _RUNS),
    WorkloadKind(*JOB, _job, True, _OF_JOB, Suspend(), Shape("batch/v1", _TEMPLATE)),
    WorkloadKind(*SCALED_JOB, _scaled_job, True, _OF_JOB, _PAUSED),  # its Jobs have its labels
)
