"""Policies of a ClusterQueue that contradict each other."""

from collections.abc import Iterator

from gitgpu.access import mapping_at, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_QUEUE
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_PREEMPTION, _FUNGIBILITY = ("spec", "preemption"), ("spec", "flavorFungibility")
_BORROWING = ("borrowWithinCohort", "policy")
# Their defaults in the definition.
_SEARCH = {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"}
_NEXT = "TryNextFlavor"


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*CLUSTER_QUEUE):
        preemption = mapping_at(item.body, *_PREEMPTION)
        policy = text_at(preemption, *_BORROWING) or "Never"
        reclaim = text_at(preemption, "reclaimWithinCohort") or "Never"
        if policy != "Never" and reclaim == "Never":
            message = f"borrowWithinCohort with policy {policy} needs a reclaimWithinCohort other than Never"
            remedy = "set reclaimWithinCohort: LowerPriority or Any, or remove borrowWithinCohort"
            yield Finding(item, (*_PREEMPTION, *_BORROWING), message, remedy)
        fungibility = mapping_at(item.body, *_FUNGIBILITY)
        others = [key for key, default in _SEARCH.items() if (fungibility.get(key) or default) != _NEXT]
        if fungibility.get("preference") and others:
            message = f"preference has a meaning only with {others[0]}: {_NEXT}"
            remedy = f"set {others[0]}: {_NEXT}, or remove preference"
            yield Finding(
                item, (*_FUNGIBILITY, "preference"), message, f"set {others[0]}: {_NEXT}, or remove preference"
            )


RULE = Rule(
    code="QUE020",
    name="contradictory-preemption",
    severity=Severity.ERROR,
    rejects=True,
    summary="The preemption or the flavorFungibility of a ClusterQueue contradicts itself.",
    help="Without reclaimWithinCohort, a ClusterQueue cannot preempt in its cohort while it borrows. A preference "
    "between flavors needs a search that tries all of them. Kueue's admission webhook rejects both.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/apis/kueue/v1beta2/clusterqueue_types.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/webhooks/clusterqueue_webhook.go",
    ),
    check=_check,
)
