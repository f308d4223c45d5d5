"""A workload in a namespace that AKS Automatic protects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import pods_of_cluster, protected_namespaces, releases_of_cluster


def _check(objects: Objects) -> Iterator[Finding]:
    namespaces = protected_namespaces(objects)
    for pod in pods_of_cluster(objects):
        namespace = pod.item.identity.namespace
        if namespace in namespaces:
            message = f"AKS Automatic rejects it: only AKS can create workloads in namespace {namespace}"
            yield Finding(pod.item, ("metadata", "namespace"), message, "use a namespace of your own")
    for release in releases_of_cluster(objects):
        if release.namespace in namespaces:
            message = f"AKS Automatic rejects the objects of chart {release.chart} in namespace {release.namespace}"
            yield Finding(release.item, ("metadata", "name"), message, "install it into a namespace of your own")


RULE = Rule(
    code="APL102",
    name="workload-in-protected-namespace",
    twin="AUT004",
    severity=Severity.ERROR,
    rejects=True,
    summary="A workload or a chart is in a namespace of AKS, such as kube-system, on an AKS Automatic cluster.",
    help="An admission policy of AKS Automatic rejects changes in namespaces of AKS "
    "(aks-managed-protect-system-namespaces). The device plugin of NVIDIA's documentation is in kube-system, "
    "for example. AKS installs its own on nodes with managed GPUs.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/automatic/aks-automatic-managed-system-node-pools-about.md",
        "https://github.com/Azure/AKS/issues/5645",
        "https://github.com/Azure/AKS/issues/5726",
        "https://github.com/GoogleCloudPlatform/PerfKitBenchmarker/pull/6795",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
