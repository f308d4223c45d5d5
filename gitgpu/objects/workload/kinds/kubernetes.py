"""Kubernetes' own kinds with pods, and ScaledJob, which has the template of a Job."""

from collections.abc import Callable, Iterator

from gitgpu.access import mapping_at
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


_TEMPLATES: dict[tuple[str, str], Callable[[Body], Iterator[Template]]] = {
    POD: _pod,
    DAEMON_SET: lambda body: template_at(body, ("spec", "template")),
    DEPLOYMENT: _replicated,
    REPLICA_SET: _replicated,
    REPLICATION_CONTROLLER: _replicated,
    STATEFUL_SET: _replicated,
    CRON_JOB: _cron_job,
    JOB: _job,
    SCALED_JOB: _scaled_job,
}
_ENDING = (CRON_JOB, JOB, SCALED_JOB)
KINDS = tuple(WorkloadKind(*kind, templates, kind in _ENDING) for kind, templates in _TEMPLATES.items())
