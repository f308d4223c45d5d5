"""A cluster must be in an Azure region."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentrl, kubernetesVersion: "1.34"}
"""


def _check(inputs: Inputs) -> Iterator[Finding]:
    for cluster in inputs.clusters:
        if inputs.catalog.facts("regions", cluster.region) is None:
            near = inputs.catalog.near("regions", cluster.region)
            remedy = f"did you mean {near}?" if near else "use a name that `az account list-locations` shows"
            message = f"unknown Azure region {cluster.region}"
            yield Finding(cluster.origin, ("spec", "region"), message, remedy)


RULE = Rule(
    code="CLU001",
    name="unknown-region",
    severity=Severity.ERROR,
    summary="The catalog does not know the region of the cluster.",
    help="Zones are named after the region, so a misspelled region matches no offering. If the region is newer than "
    "the catalog, add it in your own catalog directory.",
    sources=("https://learn.microsoft.com/azure/reliability/regions-list",),
    check=_check,
    bad=BAD,
    good=BAD.replace("swedencentrl", "swedencentral"),
)
