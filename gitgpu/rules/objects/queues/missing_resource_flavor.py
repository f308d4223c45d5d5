"""A ClusterQueue with quotas for a ResourceFlavor that does not exist."""

from collections.abc import Iterator

from gitgpu.access import text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import RESOURCE_FLAVOR
from gitgpu.model.names.labels import MANAGED_BY_LABEL
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.quotas import cluster_queues
from gitgpu.objects.queues.references import is_missing, remedy
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for queue in cluster_queues(objects).values():
        # gitgpu writes the flavors of its queues, but for those that a GpuTeam names because they exist already.
        if text_at(queue.item.body, "metadata", "labels", MANAGED_BY_LABEL) == "gitgpu":
            continue
        for flavor in queue.flavors:
            if is_missing(RESOURCE_FLAVOR, flavor.name, objects):
                message = f"ResourceFlavor '{flavor.name}' does not exist, so the queue admits no workload at all"
                remedy_text = remedy(RESOURCE_FLAVOR, flavor.name, objects)
                yield Finding(queue.item, (*flavor.pointer, "name"), message, remedy_text)


RULE = Rule(
    code="QUE006",
    name="missing-resource-flavor",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A ClusterQueue refers to a ResourceFlavor that is not among the objects.",
    help="Kueue sets the condition Active of such a ClusterQueue to False with the reason FlavorNotFound. It "
    "admits nothing, also not with its other flavors. The managed extension of AKS creates flavors whose "
    "names start with aks-. A ClusterQueue of a GpuTeam is not checked: its quota may name a flavor of the cluster.",
    sources=("https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/cache/scheduler/clusterqueue.go",),
    check=_check,
)
