"""A workload in a namespace that AKS Automatic protects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import pods_of_cluster, releases_of_cluster

_PROTECTED = "kube-system"


def _check(objects: Objects) -> Iterator[Finding]:
    message = f"AKS Automatic rejects it: only AKS can create workloads in namespace {_PROTECTED}"
    for pod in pods_of_cluster(objects):
        if pod.item.identity.namespace == _PROTECTED:
            yield Finding(pod.item, ("metadata", "namespace"), message, "use a namespace of your own")
    for release in releases_of_cluster(objects):
        if release.namespace == _PROTECTED:
            of_chart = f"AKS Automatic rejects the objects of chart {release.chart} in namespace {_PROTECTED}"
            yield Finding(release.item, ("metadata", "name"), of_chart, "install it into a namespace of your own")


RULE = Rule(
    code="APL102",
    name="workload-in-protected-namespace",
    severity=Severity.ERROR,
    rejects=True,
    summary="A workload or a chart is in kube-system, and the cluster is an AKS Automatic cluster.",
    help="An admission policy of AKS Automatic rejects changes in namespaces of AKS "
    "(aks-managed-protect-system-namespaces). The device plugin of NVIDIA's documentation is in kube-system, "
    "for example. AKS installs its own on nodes with managed GPUs.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/automatic/aks-automatic-managed-system-node-pools-about.md",
        "https://github.com/Azure/AKS/issues/5645",
        "https://github.com/GoogleCloudPlatform/PerfKitBenchmarker/pull/6795",
    ),
    check=_check,
)
