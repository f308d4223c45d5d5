"""A restart policy that the kind of the workload does not allow."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCALED_JOB
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_ENDING = ("CronJob", "Job", SCALED_JOB.kind)
_DEFAULTS = {SCALED_JOB.kind: "OnFailure"}  # KEDA sets it in the Jobs that it creates


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        kind = pod.item.identity.kind
        policy = str(pod.spec.get("restartPolicy") or _DEFAULTS.get(kind, "Always"))
        allowed = ("Never", "OnFailure") if kind in _ENDING else ("Always",)
        if kind != "Pod" and policy not in allowed and not is_template(policy):  # POD030 checks those of a Pod
            written = "restartPolicy" in pod.spec
            message = (
                f"the pods of a {kind} cannot have restartPolicy {policy}{'' if written else ', which is the default'}"
            )
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
