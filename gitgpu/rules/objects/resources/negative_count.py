"""A negative number of replicas, pods, retries or seconds."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, REPLICA_SET, STATEFUL_SET
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_JOB: tuple[Pointer, ...] = (("parallelism",), ("completions",), ("backoffLimit",), ("activeDeadlineSeconds",))
_COUNTS: dict[tuple[str, str], tuple[Pointer, ...]] = {
    DAEMON_SET: (("minReadySeconds",),),
    DEPLOYMENT: (("replicas",), ("minReadySeconds",)),
    REPLICA_SET: (("replicas",), ("minReadySeconds",)),
    STATEFUL_SET: (("replicas",), ("minReadySeconds",)),
    JOB: _JOB,
    CRON_JOB: tuple(("jobTemplate", "spec", *path) for path in _JOB),
}


def _check(objects: Objects) -> Iterator[Finding]:
    for kind, counts in _COUNTS.items():
        for item in objects.of(*kind):
            for path in counts:
                count = reach(item.body, "spec", *path)
                if isinstance(count, int) and count < 0:
                    message = f"{path[-1]} must not be negative; found {count}"
                    yield Finding(item, ("spec", *path), message, "use 0 or more")


RULE = Rule(
    code="POD024",
    name="negative-count",
    severity=Severity.ERROR,
    rejects=True,
    summary="A workload has a negative number of replicas, pods, retries or seconds.",
    help="The API server rejects it.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/apps/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/batch/validation/validation.go",
    ),
    check=_check,
)
