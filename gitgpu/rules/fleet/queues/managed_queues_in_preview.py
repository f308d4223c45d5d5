"""The managed Kueue extension is a preview in some regions."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """The first cluster with managed queues, and clusters in other regions."""
    clusters = [cluster for cluster in inputs.clusters if cluster.stack.queues == "aks"]
    if not clusters:
        return
    row = inputs.catalog.must("prerequisites", "managed-kueue")
    if row.get("preview"):
        message = "the managed Kueue extension is a preview without a service level agreement"
        remedy = f"test it before production, and suppress {RULE.code} with a reason; or set queues: none"
        yield Finding(*stack_place(clusters[0], "queues"), message, remedy)
    for cluster in clusters:
        if cluster.region not in row["regions"]:
            region = with_place(cluster.region, cluster.origin, ("spec", "region"))
            message = f"AKS names {', '.join(row['regions'])} as the regions of managed Kueue, not {region}"
            yield Finding(*stack_place(cluster, "queues"), message, "set queues: none, or use one of these regions")


RULE = Rule(
    code="QUE003",
    name="managed-queues-in-preview",
    severity=Severity.WARNING,
    summary="A cluster sets queues: aks, which is a preview in a few regions.",
    help="The runbook installs the extension microsoft.kueue, with Kueue in the namespace kueue-system. You write the "
    "ClusterQueues and LocalQueues. AKS reserves names that start with aks-. If you installed Kueue yourself, "
    "remove it first: both would manage the same jobs.",
    sources=(
        "https://learn.microsoft.com/azure/aks/kueue-overview",
        "https://learn.microsoft.com/azure/aks/install-the-managed-kueue-extension-on-aks",
    ),
    facts=("prerequisites/managed-kueue",),
    check=_check,
)
