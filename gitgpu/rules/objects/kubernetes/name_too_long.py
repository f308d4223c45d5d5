"""A name that is too long for what a controller adds to it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CRON_JOB, JOB, STATEFUL_SET
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

# A label value of pods has at most 63 characters. A CronJob adds 11 to the name of its Jobs, a StatefulSet a hash.
_ROOM = {
    CRON_JOB: (52, "the API server rejects it"),
    JOB: (63, "the API server rejects it"),
    STATEFUL_SET: (
        52,
        "with an appended hash, a label of its pods would be longer than 63 characters",
    ),
}


def _check(objects: Objects) -> Iterator[Finding]:
    # CNF003 reports names that are too long for any object.
    for (group, kind), (maximum, why) in _ROOM.items():
        for item in objects.of(group, kind):
            length = len(item.identity.name)
            if length > maximum:
                message = f"the name of the {kind} has {length} characters: {why}"
                yield Finding(item, ("metadata", "name"), message, f"use at most {maximum} characters")


RULE = Rule(
    code="NAM006",
    name="name-too-long",
    severity=Severity.ERROR,
    rejects=True,
    summary="The name of a CronJob, Job or StatefulSet is too long for the names and labels derived from it.",
    help="A CronJob appends a time to the name of each Job, and pod labels, which have at most 63 characters, "
    "contain the name. The API server rejects the CronJob or Job, or each pod of the StatefulSet.",
    sources=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/",
        "https://kubernetes.io/docs/concepts/workloads/controllers/job/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/batch/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/issues/64023",
    ),
    check=_check,
)
