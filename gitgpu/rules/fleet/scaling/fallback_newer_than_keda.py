"""A fallback for GPU metrics that the KEDA of the cluster does not support yet."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor, version
from gitgpu.model.value_origins import cluster_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that scale on GPU metrics only, on clusters whose KEDA add-on is too old."""
    for workload, scaling, clusters in scaled_workloads(inputs):
        if scaling.engine != "keda" or not scaling.fallback:
            continue
        # One other trigger is enough: it has metricType: AverageValue.
        are_gpu_metrics = all(inputs.catalog.facts("metrics", signal.metric) for signal in scaling.signals)
        old = [cluster for cluster in clusters if _too_old(inputs.catalog_for(cluster), cluster)]
        if are_gpu_metrics and old:
            on = join_names([cluster_with_place(cluster, "kubernetesVersion") for cluster in old])
            message = f"KEDA on {on} does not support a fallback for GPU metrics and rejects the ScaledObject"
            remedy = "remove fallback, or set stack: {keda: helm} or a newer kubernetesVersion on the Cluster"
            yield Finding(workload.origin, ("spec", "scaling", "fallback"), message, remedy)


def _too_old(catalog: Catalog, cluster: Cluster) -> bool:
    """Whether the KEDA add-on or chart of the cluster is too old for a fallback with metricType: Value."""
    row = catalog.facts("kubernetes", minor(cluster.kubernetes)) or {}
    since = catalog.must("triggers", "keda")["fallbackOnValue"]
    installed = {"addon": row.get("keda"), "helm": catalog.version("keda")}.get(cluster.stack.keda)
    # SCL004 reports a cluster without KEDA. The KEDA of the add-on may not be recorded.
    return installed is not None and version(installed) < version(since)


RULE = Rule(
    code="SCL071",
    name="fallback-newer-than-keda",
    severity=Severity.ERROR,
    summary="A workload that scales on GPU metrics only has a fallback that its KEDA does not support.",
    help="gitgpu writes metricType: Value for a GPU metric. KEDA before 2.18 supports a fallback only for "
    "metricType: AverageValue, and rejects a ScaledObject that has no such trigger.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/CHANGELOG.md",
        "https://learn.microsoft.com/azure/aks/keda-about",
    ),
    facts=("triggers/keda",),
    check=_check,
)
