"""A restart policy that the kind of the workload does not allow."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import (
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    JOB,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    SCALED_JOB,
    STATEFUL_SET,
    GroupKind,
)
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

# The controllers of other kinds set the policy, or accept more of them.
_ALLOWED = {
    **dict.fromkeys((DAEMON_SET, DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET), ("Always",)),
    **dict.fromkeys((CRON_JOB, JOB, SCALED_JOB), ("Never", "OnFailure")),
}
_DEFAULTS = {SCALED_JOB: "OnFailure"}  # KEDA sets it in the Jobs that it creates


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        kind = GroupKind(*pod.item.identity[:2])
        policy = str(pod.spec.get("restartPolicy") or _DEFAULTS.get(kind, "Always"))
        allowed = _ALLOWED.get(kind, ())
        if allowed and policy not in allowed and not is_template(policy):
            written = "restartPolicy" in pod.spec
            default = "" if written else ", which is the default"
            message = f"the pods of a {kind.kind} cannot have restartPolicy {policy}{default}"
            place = (*pod.pointer, "restartPolicy") if written else pod.pointer
            yield Finding(pod.item, place, message, f"set restartPolicy: {' or '.join(allowed)}")


RULE = Rule(
    code="POD025",
    name="invalid-restart-policy",
    severity=Severity.ERROR,
    rejects=True,
    summary="A workload has a restartPolicy that its kind does not allow.",
    help="The API server rejects the object. It accepts a ScaledJob, but then rejects each Job that KEDA creates "
    "from it.",
    sources=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/job/",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/executor/scale_jobs.go",
        "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/",
    ),
    check=_check,
)
