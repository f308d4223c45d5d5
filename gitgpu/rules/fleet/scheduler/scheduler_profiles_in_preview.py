"""Profiles of the scheduler may be a preview."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """The first cluster of the fleet with a profile."""
    cluster = next((cluster for cluster in inputs.clusters if cluster.binpack), None)
    if cluster:
        message = "AKS documents profiles of the scheduler as a preview, and their general availability is not known"
        remedy = f"test them before production, and suppress {RULE.code} with a reason; or set default"
        yield Finding(cluster.origin, ("spec", "scheduler", "gpus"), message, remedy)


RULE = Rule(
    code="SDL002",
    name="scheduler-profiles-in-preview",
    severity=Severity.WARNING,
    summary="The fleet has clusters with scheduler.gpus: binpack.",
    help="The stable API has profiles of the scheduler as of 2026-05-01, but the guide calls them a preview, for which "
    "a feature of the subscription must be registered. General availability was planned for mid-2026.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/configure-aks-scheduler.md",
        "https://github.com/Azure/AKS/issues/4203",
    ),
    check=_check,
)
