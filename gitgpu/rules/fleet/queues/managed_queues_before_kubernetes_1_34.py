"""The managed Kueue extension needs a newer Kubernetes version."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor, version
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with managed queues whose Kubernetes version is older."""
    row = inputs.catalog.must("features", "managed-kueue")
    for cluster in inputs.clusters:
        if cluster.stack.queues == "aks" and version(cluster.kubernetes)[:2] < version(row["since"])[:2]:
            own = with_place(cluster.kubernetes, cluster.origin, ("spec", "kubernetesVersion"))
            message = f"the managed Kueue extension needs Kubernetes {minor(row['since'])} or later, not {own}"
            yield Finding(*stack_place(cluster, "queues"), message, "use a newer version, or set queues: none")


RULE = Rule(
    code="QUE001",
    name="managed-queues-before-kubernetes-1-34",
    severity=Severity.ERROR,
    summary="A cluster sets queues: aks, but its Kubernetes version is too old for the extension.",
    help="AKS documents Kubernetes 1.34 or later as a prerequisite of the managed Kueue extension.",
    sources=("https://learn.microsoft.com/azure/aks/install-the-managed-kueue-extension-on-aks",),
    facts=("features/managed-kueue",),
    check=_check,
)
