"""An admission check for a flavor that its ClusterQueue does not have."""

from collections.abc import Iterator

from gitgpu.access import list_at, rows, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.quotas import cluster_queues
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

_CHECKS: Pointer = ("spec", "admissionChecksStrategy", "admissionChecks")


def _check(objects: Objects) -> Iterator[Finding]:
    for queue in cluster_queues(objects).values():
        own = {flavor.name for flavor in queue.flavors}
        if not own or any(map(is_template, own)):
            continue
        for index, check in enumerate(rows(queue.item.body, *_CHECKS)):
            for at, name in enumerate(map(str, list_at(check, "onFlavors"))):
                if name not in own and not is_template(name):
                    what = f"AdmissionCheck '{text_at(check, 'name')}'"
                    message = f"the queue has no flavor '{name}', so {what} is for no workload of it"
                    remedy = f"use {join_names(sorted(own))}, or remove the name"
                    yield Finding(queue.item, (*_CHECKS, index, "onFlavors", at), message, remedy)


RULE = Rule(
    code="QUE043",
    name="check-on-other-flavor",
    severity=Severity.WARNING,
    summary="An admission check is limited to a flavor that its ClusterQueue does not have.",
    help="With onFlavors, Kueue runs an admission check only for workloads that get one of these flavors. "
    "Workloads with other flavors start without the check.",
    sources=("https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/apis/kueue/v1beta2/clusterqueue_types.go",),
    check=_check,
)
