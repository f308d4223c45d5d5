"""A cluster should be upgraded before AKS ends its Kubernetes version."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.kubernetes import (
    ends_soon,
    forced_upgrade,
    is_past_end_of_life,
    life_cycles,
    supported_versions,
)


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose version ends within 30 days, when a date is given."""
    by_version = life_cycles(inputs.catalog)
    if not inputs.today:
        return
    for cluster in inputs.clusters:
        life = by_version.get(minor(cluster.kubernetes))
        # CLU003 reports a version that has already ended.
        if life and not is_past_end_of_life(life, inputs.today) and ends_soon(life["endOfLife"], inputs.today):
            ends = f"AKS support for Kubernetes {minor(cluster.kubernetes)} ends on {life['endOfLife']}"
            message = f"{ends}; {forced_upgrade(inputs.catalog, inputs.today)}"
            remedy = f"upgrade the cluster before then; AKS supports {supported_versions(inputs)}"
            row = inputs.catalog.must("kubernetes", minor(cluster.kubernetes))
            yield Finding(cluster.origin, ("spec", "kubernetesVersion"), message, remedy, row)


RULE = Rule(
    code="CLU007",
    name="kubernetes-near-end-of-life",
    severity=Severity.WARNING,
    summary="AKS support for the Kubernetes version of the cluster ends within 30 days.",
    help="Nodes follow the control plane: an upgrade replaces every GPU node, which needs a maintenance window and "
    "spare quota. Reported only with --today.",
    sources=(
        "https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",
        "https://learn.microsoft.com/azure/aks/platform-initiated-upgrades",
    ),
    facts=("upgrades/aks",),
    check=_check,
)
