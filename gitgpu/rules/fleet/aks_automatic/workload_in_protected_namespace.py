"""Objects in a namespace that AKS Automatic protects."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import cluster_with_place, stack_place, written_place
from gitgpu.rules.fleet_rule import Finding, Rule

OF_AGENT = "kube-system"  # the namespace of the ConfigMap of Container insights' agent


def _check(inputs: Inputs) -> Iterator[Finding]:
    if not any(cluster.is_automatic for cluster in inputs.clusters):
        return
    protected = inputs.catalog.must("admission", "aks-automatic")["protectedNamespaces"]
    for cluster in inputs.clusters:
        if cluster.is_automatic:
            yield from _cluster_findings(cluster, protected)
    workloads: list[Workload | Model] = [*inputs.workloads, *inputs.models]
    for workload in workloads:
        if workload.namespace in protected:
            yield from _workload_findings(workload, inputs)


def _workload_findings(workload: Workload | Model, inputs: Inputs) -> Iterator[Finding]:
    names = chain.from_iterable(pool.clusters for pool in inputs.pools_named(workload))
    for cluster in inputs.clusters_named(names):
        if cluster.is_automatic:
            message = _message(workload.namespace, cluster)
            yield Finding(workload.origin, ("metadata", "namespace"), message, "use a namespace of your own")


def _cluster_findings(cluster: Cluster, protected: list[str]) -> Iterator[Finding]:
    namespace = cluster.delivery.namespace
    if namespace in protected:
        place = written_place(cluster.origin, ("spec", "delivery", "namespace"))
        remedy = "set delivery.namespace to a namespace of your own, such as gitops, and create it"
        yield Finding(*place, _message(namespace, cluster), remedy)
    if cluster.stack.metrics.insights == "utilization":
        place = stack_place(cluster, "metrics", "containerInsights")
        yield Finding(*place, _message(OF_AGENT, cluster), "set containerInsights: inventory")


def _message(namespace: str, cluster: Cluster) -> str:
    return f"AKS Automatic on {cluster_with_place(cluster, 'sku')} lets only AKS write to namespace {namespace}"


RULE = Rule(
    code="AUT004",
    name="workload-in-protected-namespace",
    twin="APL102",
    severity=Severity.ERROR,
    summary="Objects for an AKS Automatic cluster are in a namespace of AKS, such as kube-system or flux-system.",
    help="An admission policy of AKS Automatic rejects changes in namespaces of AKS "
    "(aks-managed-protect-system-namespaces), also by administrators of the cluster. Flux itself, as an extension of "
    "AKS, is in flux-system; its sources and Kustomizations can be in any namespace. Clusters from before managed "
    "system node pools only record such changes: suppress this error for them.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/automatic/aks-automatic-managed-system-node-pools-about.md",
        "https://github.com/Azure/AKS/issues/5645",
        "https://github.com/GoogleCloudPlatform/PerfKitBenchmarker/pull/6795",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
