"""A region that Azure opens on request needs that request."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: francesouth, kubernetesVersion: "1.36"}
"""
GOOD = BAD.replace("francesouth", "francecentral")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters in regions that are not open to everybody."""
    for cluster in inputs.clusters:
        row = inputs.catalog.facts("regions", cluster.region)
        if row and row["access"] == "restricted":
            message = f"{row['displayName']} is open on request only: whether this subscription may use it is uncertain"
            remedy = "ask Azure support for access if it has not been given, or take a region that is open"
            yield Finding(cluster.origin, ("spec", "region"), message, remedy)


RULE = Rule(
    code="CLU005",
    name="restricted-region",
    severity=Severity.WARNING,
    summary="The cluster is in a region that Azure opens to customers on request only.",
    help="Some regions serve disaster recovery within a country. A subscription without access gets neither quota nor "
    "machines there.",
    sources=("https://learn.microsoft.com/azure/reliability/regions-list",),
    check=check,
    bad=BAD,
    good=GOOD,
)
