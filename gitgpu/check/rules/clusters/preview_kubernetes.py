"""A cluster should not run a preview of Kubernetes."""

from collections.abc import Iterator

from gitgpu.check.kubernetes import lives, preview, supported
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.98"}  # invented, to show the warning
"""
GOOD = BAD.replace('"1.98"}  # invented, to show the warning', '"1.36"}')


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with a Kubernetes version that is a preview on AKS."""
    known = lives(inputs.catalog)
    for cluster in inputs.clusters:
        life = known.get(minor(cluster.kubernetes))
        if life and preview(life, inputs.today):
            message = f"Kubernetes {minor(cluster.kubernetes)} is a preview on AKS"
            yield Finding(cluster.origin, ("spec", "kubernetesVersion"), message, f"set one of {supported(inputs)}")


RULE = Rule(
    code="CLU006",
    name="preview-kubernetes",
    severity=Severity.WARNING,
    summary="The Kubernetes version of the cluster is a preview.",
    help="Previews have no service level agreement and limited support. Drivers, charts and add-ons are tested with "
    "them later.",
    sources=("https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",),
    check=_check,
    bad=BAD,
    good=GOOD,
)
