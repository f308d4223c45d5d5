"""A workload that can get no flavor of its ClusterQueue."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import RESOURCE_FLAVOR
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.matching import mismatch
from gitgpu.objects.queues.queued import submissions
from gitgpu.objects.queues.quotas import QuotaOwner, ResourceGroup
from gitgpu.objects.workload.node_constraints import is_readable
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import comma_separated

_SHOWN = 3  # flavors that a message explains


def _check(objects: Objects) -> Iterator[Finding]:
    for submission in submissions(objects):
        reasons = next(filter(None, (_reasons(pod, submission.queue, objects) for pod in submission.pods)), [])
        if reasons:
            queue = submission.queue.name
            shown = comma_separated(reasons, _SHOWN)
            message = f"Kueue never admits the workload: no flavor of ClusterQueue '{queue}' fits: {shown}"
            remedy = "add a toleration to the ResourceFlavor or to the pods, or change the labels that the pods require"
            yield Finding(submission.queued.item, submission.queued.queue_at, message, remedy)


def _reasons(pod: Pod, queue: QuotaOwner, objects: Objects) -> list[str]:
    """Why each flavor of a group that the pods need does not fit; empty if one fits, or is unknown."""
    if not is_readable(pod):
        return []
    for group in queue.groups:
        requested = [name for name, amount in pod.requests().items() if amount > 0 and name in group.covered]
        reasons = _group_reasons(pod, group, objects) if requested else []
        if reasons:
            return reasons
    return []


def _group_reasons(pod: Pod, group: ResourceGroup, objects: Objects) -> list[str]:
    known, reasons = flavors(objects), []
    for written in group.flavors:
        flavor = known.get(written.name)
        if flavor is None or flavor.name in objects.patched_names(*RESOURCE_FLAVOR):
            return []
        reason = mismatch(pod, flavor)
        if not reason:
            return []
        reasons.append(f"{flavor.name} ({reason})")
    return reasons


RULE = Rule(
    code="QUE014",
    name="no-flavor-for-workload",
    severity=Severity.ERROR,
    summary="The pods of a queued workload tolerate no taint, or exclude a label, of every flavor of its ClusterQueue.",
    help="Kueue gives a flavor to pods only if they tolerate its nodeTaints, by their own tolerations or by those "
    "of the flavor, and their node selector and required node affinity agree with its nodeLabels. Otherwise "
    "it tries the next flavor of the group.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/scheduler/flavorassigner/flavorassigner.go",
    ),
    check=_check,
)
