"""A cluster must have a Kubernetes version that AKS offers."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.kubernetes import life_cycles, supported_versions


def _check(inputs: Inputs) -> Iterator[Finding]:
    versions = life_cycles(inputs.catalog)
    for cluster in inputs.clusters:
        if minor(cluster.kubernetes) not in versions:
            message = f"AKS has no Kubernetes version {cluster.kubernetes}"
            remedy = f"use a version that AKS supports: {supported_versions(inputs)}"
            yield Finding(cluster.origin, ("spec", "kubernetesVersion"), message, remedy)


RULE = Rule(
    code="CLU002",
    name="unknown-kubernetes",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="AKS does not have the Kubernetes version of the cluster.",
    help="Node images, add-ons and drivers depend on the version. If the version is newer than the catalog, add it "
    "in your own catalog directory.",
    sources=("https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",),
    facts=("kubernetes/*",),
    check=_check,
)
