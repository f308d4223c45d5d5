"""Safeguards are a setting of AKS Automatic clusters."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    for cluster in inputs.clusters:
        if cluster.excluded and not cluster.is_automatic:
            message = "safeguards has no effect: the cluster has sku: base"
            yield Finding(cluster.origin, ("spec", "safeguards"), message, "remove it, or set sku: automatic")


RULE = Rule(
    code="AUT006",
    name="safeguards-without-automatic",
    severity=Severity.WARNING,
    summary="A cluster sets safeguards without sku: automatic.",
    help="gitgpu sets the deployment safeguards of AKS Automatic clusters only. On others, they are optional, and you "
    "manage them yourself.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
    ),
    check=_check,
)
