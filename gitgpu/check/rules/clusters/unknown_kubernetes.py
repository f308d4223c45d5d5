"""A cluster's Kubernetes version must be one that AKS has."""

from collections.abc import Iterator

from gitgpu.check.kubernetes import lives, supported
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.version import minor


def _check(inputs: Inputs) -> Iterator[Finding]:
    known = lives(inputs.catalog)
    for cluster in inputs.clusters:
        if minor(cluster.kubernetes) not in known:
            message = f"Kubernetes {cluster.kubernetes} is no version of AKS that the catalog knows"
            remedy = f"write one that AKS supports: {supported(inputs)}"
            yield Finding(cluster.origin, ("spec", "kubernetesVersion"), message, remedy)


RULE = Rule(
    code="CLU002",
    name="unknown-kubernetes",
    severity=Severity.ERROR,
    summary="The cluster's Kubernetes version is not one that AKS has.",
    help="Node images, add-ons and drivers follow from the version. A version that is too new for the catalog can be "
    "added in a catalog directory of your own.",
    sources=("https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.43"}
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
""",
)
