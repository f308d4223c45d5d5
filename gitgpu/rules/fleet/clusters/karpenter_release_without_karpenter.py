"""A cluster without node auto-provisioning does not run Karpenter."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose pools are all AKS node pools, and that set a Karpenter release."""
    for cluster in inputs.clusters:
        if cluster.karpenter and not inputs.has_karpenter(cluster):
            maker = with_place("no pool", cluster.origin, ("spec", "provisioner"))
            message = f"karpenter has no effect: {maker} of the cluster uses node auto-provisioning"
            yield Finding(cluster.origin, ("spec", "karpenter"), message, "remove it, or set provisioner: nap")


RULE = Rule(
    code="CLU010",
    name="karpenter-release-without-karpenter",
    severity=Severity.WARNING,
    summary="A cluster without node auto-provisioning sets a Karpenter release.",
    help="AKS runs Karpenter on clusters with node auto-provisioning only.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-node-auto-provisioning.md",
    ),
    check=_check,
)
