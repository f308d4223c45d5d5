"""A cluster's region must be one that Azure has."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs


def _check(inputs: Inputs) -> Iterator[Finding]:
    for cluster in inputs.clusters:
        if inputs.catalog.facts("regions", cluster.region) is None:
            near = inputs.catalog.near("regions", cluster.region)
            remedy = f"did you mean {near}?" if near else "write a name that `az account list-locations` shows"
            message = f"{cluster.region} is no Azure region that the catalog knows"
            yield Finding(cluster.origin, ("spec", "region"), message, remedy)


RULE = Rule(
    code="CLU001",
    name="unknown-region",
    severity=Severity.ERROR,
    summary="The cluster's region is not one that the catalog knows.",
    help="Zones are named after the region, so a misspelt one matches no offering. A region that is too new for the "
    "catalog can be added in a catalog directory of your own.",
    sources=("https://learn.microsoft.com/azure/reliability/regions-list",),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentrl, kubernetesVersion: "1.34"}
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
""",
)
