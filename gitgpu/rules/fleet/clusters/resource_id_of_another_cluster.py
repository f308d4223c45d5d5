"""A cluster should not have the resource ID of another cluster of the fleet."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "resourceId")
NAME: Pointer = ("metadata", "name")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose ID ends with the name of another cluster that has no resource ID for a different AKS cluster."""
    others = {cluster.name.lower(): cluster for cluster in inputs.clusters}
    for cluster in inputs.clusters:
        named = cluster.aks_name.lower()
        other = others.get(named)
        if other is None or other is cluster or _is_different(other, cluster):
            continue
        other_place = with_place(other.name, other.origin, NAME)
        message = f"this resourceId names another Cluster of the fleet: {other_place}"
        remedy = f"use the ID of {cluster.name}, or set the resourceId of {other.name}"
        yield Finding(cluster.origin, WHERE, message, remedy)


def _is_different(other: Cluster, cluster: Cluster) -> bool:
    """Whether the other cluster has its own ID with its own name. Then two resource groups use the same name."""
    is_its_own = other.azure is not None and other.aks_name.lower() == other.name.lower()
    return is_its_own and (other.resource_id or "").lower() != (cluster.resource_id or "").lower()


RULE = Rule(
    code="CLU009",
    name="resource-id-of-another-cluster",
    severity=Severity.WARNING,
    summary="A cluster's resourceId names a different cluster in the fleet.",
    help="A Cluster without a resourceId is the AKS cluster with the same name, so the commands and queries of both "
    "Clusters reach one AKS cluster. A resourceId may have a different name, unless another Cluster has that name.",
    sources=("https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules",),
    check=_check,
)
