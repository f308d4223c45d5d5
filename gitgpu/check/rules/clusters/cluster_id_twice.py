"""Two clusters must not have one resource ID."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "resourceId")
ID = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/gpu/providers/Microsoft.ContainerService"
BAD = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-swc}}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  resourceId: {ID}/managedClusters/gpu-swc
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: test-swc}}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  resourceId: {ID}/managedClusters/GPU-swc
"""
GOOD = BAD.replace("GPU-swc", "gpu-test")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose resource ID an earlier one has; Azure compares IDs without regard to case."""
    first: dict[str, Cluster] = {}
    for cluster in inputs.clusters:
        if cluster.resource_id is None:
            continue
        other = first.setdefault(cluster.resource_id.lower(), cluster)
        if other is not cluster:
            message = f"{with_place(other.name, other.origin, WHERE)} has this resourceId too: both are one AKS cluster"
            remedy = "write the ID of this cluster, or make one Cluster of the two"
            yield Finding(cluster.origin, WHERE, message, remedy)


RULE = Rule(
    code="CLU008",
    name="cluster-id-twice",
    severity=Severity.ERROR,
    summary="Two clusters of the fleet have one resourceId.",
    help="A resource ID names one AKS cluster, whatever the case of its letters. Two Clusters with one ID make the "
    "same node pools twice, and the objects of one overwrite those of the other.",
    sources=("https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules",),
    check=check,
    bad=BAD,
    good=GOOD,
)
