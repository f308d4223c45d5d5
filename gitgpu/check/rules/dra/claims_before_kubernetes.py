"""GPUs are claimed by an API that older Kubernetes versions do not serve."""

from collections.abc import Iterator

from gitgpu.check.claims import asking
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.version import minor, version

VERSION = ("spec", "kubernetesVersion")
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.33", stack: {allocation: dra}}
"""
GOOD = BAD.replace("1.33", "1.36").replace("allocation: dra", "allocation: device-plugin")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose Kubernetes is older than the API."""
    row = inputs.catalog.must("features", "resource-claims")
    old = [one for one in inputs.clusters if version(one.kubernetes)[:2] < version(row["since"])[:2]]
    for place, clusters in asking(inputs, old):
        names = join_names([with_place(f"{one.name} with {one.kubernetes}", one.origin, VERSION) for one in clusters])
        message = f"allocation: dra needs Kubernetes {minor(row['since'])}, and {names} is older"
        yield Finding(*place, message, "use a newer Kubernetes version there, or write allocation: device-plugin")


RULE = Rule(
    code="DRA002",
    name="claims-before-kubernetes",
    severity=Severity.ERROR,
    summary="GPUs are to be claimed on a Kubernetes version that does not serve resource.k8s.io/v1.",
    help="Before 1.34 the API is beta, and off unless the control plane is started with a feature gate and with the "
    "API turned on. AKS lets nobody set either: the API server refuses claims and templates, and the driver's chart "
    "does not install.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/prerequisites.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/security-bulletins/overview.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
