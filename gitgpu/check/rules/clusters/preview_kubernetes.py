"""A cluster should not run a preview of Kubernetes."""

from collections.abc import Iterator

from gitgpu.check.kubernetes import lives, preview, supported
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.version import minor

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.98"}  # invented, to show the warning
"""
GOOD = BAD.replace('"1.98"}  # invented, to show the warning', '"1.36"}')


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters of a version that AKS has in preview."""
    known = lives(inputs.catalog)
    for cluster in inputs.clusters:
        life = known.get(minor(cluster.kubernetes))
        if life and preview(life, inputs.today):
            message = f"AKS has Kubernetes {minor(cluster.kubernetes)} in preview only"
            yield Finding(cluster.origin, ("spec", "kubernetesVersion"), message, f"write one of {supported(inputs)}")


RULE = Rule(
    code="CLU006",
    name="preview-kubernetes",
    severity=Severity.WARNING,
    summary="The cluster's Kubernetes version is a preview.",
    help="Previews have no service level agreement and limited support, and drivers, charts and add-ons are tested "
    "with them later.",
    sources=("https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",),
    check=check,
    bad=BAD,
    good=GOOD,
)
