"""A ResourceFlavor with a Topology that does not exist."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import TOPOLOGY
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.references import is_missing, remedy
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for flavor in flavors(objects).values():
        if is_missing(TOPOLOGY, flavor.topology, objects):
            message = f"Topology '{flavor.topology}' does not exist, so ClusterQueues with this flavor admit nothing"
            yield Finding(flavor.item, ("spec", "topologyName"), message, remedy(TOPOLOGY, flavor.topology, objects))


RULE = Rule(
    code="QUE009",
    name="missing-topology",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A ResourceFlavor refers to a Topology that is not among the objects.",
    help="Kueue sets the condition Active of every ClusterQueue with this flavor to False with the reason "
    "TopologyNotFound.",
    sources=("https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/cache/scheduler/clusterqueue.go",),
    check=_check,
)
