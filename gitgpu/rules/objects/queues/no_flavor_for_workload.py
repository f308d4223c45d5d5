"""A workload that can get no flavor of its ClusterQueue."""

from collections.abc import Iterator
from typing import TypeAlias

from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import UNCONSTRAINED_ANNOTATION
from gitgpu.model.names.kinds import RESOURCE_FLAVOR
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.matching import mismatch, topology_mismatch
from gitgpu.objects.queues.queued import submissions
from gitgpu.objects.queues.quotas import QuotaOwner, ResourceGroup
from gitgpu.objects.workload.node_constraints import is_readable
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import comma_separated

_Reason: TypeAlias = tuple[str, str]  # why a flavor does not fit, and a remedy
_CHANGE = "add a toleration to the ResourceFlavor or to the pods, or change the labels that the pods require"
_ANNOTATE = f'set the annotation {UNCONSTRAINED_ANNOTATION}: "true" on the pods'
_REMOVE = "remove the annotation from the pods, or set topologyName in the ResourceFlavor"
_SHOWN = 3  # flavors that a message explains


def _check(objects: Objects) -> Iterator[Finding]:
    for submission in submissions(objects):
        reasons = next(filter(None, (_reasons(pod, submission.queue, objects) for pod in submission.pods)), [])
        if reasons:
            queue = submission.queue.name
            shown = comma_separated([reason for reason, _ in reasons], _SHOWN)
            message = f"Kueue never admits the workload: no flavor of ClusterQueue '{queue}' fits: {shown}"
            remedies = dict.fromkeys(remedy for _, remedy in reasons)
            yield Finding(submission.queued.item, submission.queued.queue_at, message, "; or ".join(remedies))


def _reasons(pod: Pod, queue: QuotaOwner, objects: Objects) -> list[_Reason]:
    """Why each flavor of a group that the pods need does not fit; empty if one fits, or is unknown."""
    if not is_readable(pod):
        return []
    for group in queue.groups:
        requested = [name for name, amount in pod.requests().items() if amount > 0 and name in group.covered]
        reasons = _group_reasons(pod, queue, group, objects) if requested else []
        if reasons:
            return reasons
    return []


def _group_reasons(pod: Pod, queue: QuotaOwner, group: ResourceGroup, objects: Objects) -> list[_Reason]:
    known = flavors(objects)
    reasons: list[_Reason] = []
    for written in group.flavors:
        flavor = known.get(written.name)
        if flavor is None or flavor.name in objects.patched_names(*RESOURCE_FLAVOR):
            return []
        reason, remedy = mismatch(pod, flavor), _CHANGE
        if not reason:
            reason, remedy = topology_mismatch(pod, flavor, queue, known), _ANNOTATE if flavor.topology else _REMOVE
        if not reason:
            return []
        reasons.append((f"{flavor.name} ({reason})", remedy))
    return reasons


RULE = Rule(
    code="QUE014",
    name="no-flavor-for-workload",
    severity=Severity.ERROR,
    summary="The taints, labels or topologies of all flavors of its ClusterQueue keep a queued workload out.",
    help="Kueue gives a flavor to pods only if they tolerate its nodeTaints, by their own tolerations or by those "
    "of the flavor, and their node selector and required node affinity agree with its nodeLabels. If only some "
    "flavors of the ClusterQueue have a topology, pods get one of these only if an annotation asks for a topology. "
    "Otherwise it tries the next flavor of the group.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/scheduler/flavorassigner/flavorassigner.go",
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad/pkg/scheduler/flavorassigner/tas_flavorassigner.go",
    ),
    check=_check,
)
