"""A ClusterQueue with an AdmissionCheck that does not exist."""

from collections.abc import Iterator

from gitgpu.access import rows, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import ADMISSION_CHECK, CLUSTER_QUEUE
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.references import is_missing, remedy
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_CHECKS: Pointer = ("spec", "admissionChecksStrategy", "admissionChecks")


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*CLUSTER_QUEUE):
        for index, check in enumerate(rows(item.body, *_CHECKS)):
            name = text_at(check, "name")
            if is_missing(ADMISSION_CHECK, name, objects):
                message = f"AdmissionCheck '{name}' does not exist, so the queue admits no workload at all"
                yield Finding(item, (*_CHECKS, index, "name"), message, remedy(ADMISSION_CHECK, name, objects))


RULE = Rule(
    code="QUE007",
    name="missing-admission-check",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A ClusterQueue refers to an AdmissionCheck that is not among the objects.",
    help="Kueue sets the condition Active of such a ClusterQueue to False with the reason AdmissionCheckNotFound.",
    sources=("https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/cache/scheduler/clusterqueue.go",),
    check=_check,
)
