"""Two clusters must not have the same resource ID."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "resourceId")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with the resource ID of an earlier cluster; Azure resource IDs are not case-sensitive."""
    first: dict[str, Cluster] = {}
    for cluster in inputs.clusters:
        # CLU009 compares the names of clusters without an ID.
        if cluster.resource_id is None:
            continue
        other = first.setdefault(cluster.resource_id.lower(), cluster)
        if other is not cluster:
            message = (
                f"{with_place(other.name, other.origin, WHERE)} has the same resourceId: both are the same AKS cluster"
            )
            remedy = "set the ID of this cluster, or merge the two Clusters"
            yield Finding(cluster.origin, WHERE, message, remedy)


RULE = Rule(
    code="CLU008",
    name="duplicate-resource-id",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="Two clusters of the fleet have the same resourceId.",
    help="A resource ID identifies one AKS cluster and is not case-sensitive. Two Clusters with one ID create the "
    "same node pools twice, and overwrite each other's objects.",
    sources=("https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules",),
    check=_check,
)
