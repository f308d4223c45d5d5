"""A cluster whose nodes Karpenter makes needs no resource ID."""

from collections.abc import Iterator

from gitgpu.check.nodepools import EXAMPLE
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import said
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = EXAMPLE.replace("provisioner: cluster-autoscaler", "provisioner: nap")
GOOD = EXAMPLE


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with a resourceId that nothing reads."""
    for cluster in inputs.clusters:
        if cluster.resource_id and not cluster.has_node_pools:
            maker = said("node auto-provisioning", cluster.origin, ("spec", "provisioner"))
            message = f"nothing reads resourceId here: {maker} makes the nodes from inside the cluster"
            remedy = "remove it, or write provisioner: cluster-autoscaler"
            yield Finding(cluster.origin, ("spec", "resourceId"), message, remedy)


RULE = Rule(
    code="AGP002",
    name="cluster-id-without-use",
    severity=Severity.ERROR,
    summary="A cluster with node auto-provisioning has a resourceId.",
    help="Karpenter knows its cluster. Only node pools are made from outside, and only for them the ID is used.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-node-auto-provisioning.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
