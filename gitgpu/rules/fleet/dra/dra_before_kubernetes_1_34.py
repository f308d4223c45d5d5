"""ResourceClaims need a Kubernetes version that serves resource.k8s.io/v1."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor, version
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.claims import dra_places
from gitgpu.spelling import join_names

VERSION = ("spec", "kubernetesVersion")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose Kubernetes version does not serve the API."""
    row = inputs.catalog.must("features", "resource-claims")
    old = [cluster for cluster in inputs.clusters if version(cluster.kubernetes)[:2] < version(row["since"])[:2]]
    for place, clusters in dra_places(old):
        names = join_names(
            [with_place(f"{cluster.name} ({cluster.kubernetes})", cluster.origin, VERSION) for cluster in clusters]
        )
        allocation = f"allocation: {clusters[0].stack.allocation}"
        message = f"{allocation} needs Kubernetes {minor(row['since'])} or later, but {names} is older"
        yield Finding(*place, message, "use a newer Kubernetes version there, or set allocation: device-plugin")


RULE = Rule(
    code="DRA002",
    name="dra-before-kubernetes-1-34",
    severity=Severity.ERROR,
    summary="A cluster sets allocation: dra or aks-dra, but its Kubernetes version does not serve resource.k8s.io/v1.",
    help="Before 1.34 the API is beta and disabled unless the control plane enables the API and a feature gate. On "
    "AKS you cannot set either: the API server rejects claims and templates, and the chart of the driver does not "
    "install.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/prerequisites.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/security-bulletins/overview.md",
    ),
    facts=("features/resource-claims",),
    check=_check,
)
