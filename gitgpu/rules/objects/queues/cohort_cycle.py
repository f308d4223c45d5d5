"""Cohorts whose parents form a cycle."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.quotas import cohorts
from gitgpu.objects.queues.tree import cyclic_cohorts
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for cohort in cohorts(objects).values():
        if cohort.name in cyclic_cohorts(objects):
            message = f"its parents form a cycle, over Cohort '{cohort.parent}', so Kueue admits nothing in it"
            remedy = "remove parentName from the Cohort that has no parent"
            yield Finding(cohort.item, cohort.parent_at, message, remedy)


RULE = Rule(
    code="QUE016",
    name="cohort-cycle",
    severity=Severity.ERROR,
    never_ready=True,
    summary="The parents of Cohorts form a cycle.",
    help="Kueue does not compute quotas for a tree of cohorts with a cycle, and admits no workload of its "
    "ClusterQueues.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/cache/scheduler/resource_node.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/apis/kueue/v1beta2/cohort_types.go",
    ),
    check=_check,
)
