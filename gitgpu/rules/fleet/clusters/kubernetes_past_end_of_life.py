"""A cluster should run a Kubernetes version that AKS supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.kubernetes import forced_upgrade, is_past_end_of_life, life_cycles, supported_versions


def _check(inputs: Inputs) -> Iterator[Finding]:
    by_version = life_cycles(inputs.catalog)
    for cluster in inputs.clusters:
        life = by_version.get(minor(cluster.kubernetes))
        # CLU002 reports a version that the catalog does not have.
        if life and is_past_end_of_life(life, inputs.today):
            message = f"AKS support for Kubernetes {minor(cluster.kubernetes)} ended on {life['endOfLife']}"
            if life["ltsEndOfLife"]:
                message += f" (long-term support: {life['ltsEndOfLife']})"
            message += f"; {forced_upgrade(inputs.catalog, inputs.today)}"
            remedy = f"upgrade the cluster, and set a version that AKS supports: {supported_versions(inputs)}"
            row = inputs.catalog.must("kubernetes", minor(cluster.kubernetes))
            yield Finding(cluster.origin, ("spec", "kubernetesVersion"), message, remedy, row)


RULE = Rule(
    code="CLU003",
    name="kubernetes-past-end-of-life",
    twin="APL100",
    severity=Severity.WARNING,
    summary="The Kubernetes version of the cluster is past its end of life on AKS.",
    help="After that date AKS ships no fixes and may upgrade the cluster automatically, which replaces every node. "
    "Long-term support requires the Premium tier. A forced upgrade begins after 60 days of grace without platform "
    "support. It ignores maintenance windows and deprecated APIs in use, and can override PodDisruptionBudgets.",
    sources=(
        "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",
        "https://learn.microsoft.com/azure/aks/platform-initiated-upgrades",
    ),
    check=_check,
)
