"""A query by pod for GPUs that AKS manages or that pods claim: their metrics do not name the pod."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.driver_owner import driver_on, is_claimed
from gitgpu.model.fleet import Cluster, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet.queries._selected_labels import selected_labels
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import driver_place
from gitgpu.rules.inputs.scaled_workloads import clusters_of, queries
from gitgpu.spelling import join_names

CAUSES = {  # why metrics do not name pods: the GPUs, and the setting that changes it
    "claimed": ("claimed GPUs", "allocation: device-plugin"),
    "managed": ("AKS managed nodes", "driver: aks"),
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries for GPU metrics by pod, on clusters where no pool of the workload has labels of pods."""
    for workload, query, place in queries(inputs):
        labels = _pod_labels(query, inputs.catalog.must("series", "dcgm"))
        for causes, clusters in _grouped(inputs, workload).items():
            # One pool whose metrics name the pod is enough for the query to have a result.
            if labels and causes and "" not in causes:
                names = [_with_place(inputs, workload, cluster) for cluster in clusters]
                whose, others = zip(*(CAUSES[way] for way in sorted(causes)), strict=True)
                message = (
                    f"GPU metrics of {join_names(whose)} have no label {join_names(labels)} on {join_names(names)}"
                )
                remedy = f"query the workload's requests instead, or use {join_names(others)}"
                yield Finding(workload.origin, place, message, remedy)


def _pod_labels(query: str, row: Facts) -> list[str]:
    """The labels of pods in selectors of DCGM fields, without duplicates."""
    return [label for label in selected_labels(query, row) if label in row["pods"]]


def _grouped(inputs: Inputs, workload: Workload) -> dict[frozenset[str], list[Cluster]]:
    """The clusters of the workload by the reasons why metrics do not name its pods."""
    by_ways: dict[frozenset[str], list[Cluster]] = {}
    for cluster in clusters_of(inputs, workload):
        by_ways.setdefault(_ways(inputs, workload, cluster), []).append(cluster)
    return by_ways


def _with_place(inputs: Inputs, workload: Workload, cluster: Cluster) -> str:
    """The cluster with the place of the setting that determines whether metrics name pods."""
    if "claimed" in _ways(inputs, workload, cluster):
        return with_place(cluster.name, *stack_place(cluster, "allocation"))
    pool = next(pool for pool in inputs.pools_of(workload) if cluster.name in pool.clusters)
    return with_place(cluster.name, *driver_place(cluster, pool))


def _ways(inputs: Inputs, workload: Workload, cluster: Cluster) -> frozenset[str]:
    """The reasons why metrics of the workload's pools do not name pods; "" stands for a pool whose metrics do."""
    return frozenset(_way(cluster, pool) for pool in inputs.pools_of(workload) if cluster.name in pool.clusters)


def _way(cluster: Cluster, pool: Pool) -> str:
    if is_claimed(cluster, pool):
        return "claimed"
    return "managed" if driver_on(cluster, pool) == "managed" else ""


RULE = Rule(
    code="SCL026",
    name="query-by-pod-without-pod-labels",
    twin="MON007",
    severity=Severity.ERROR,
    summary="The query that a workload scales on selects GPU metrics by pod, where no exporter knows which pod uses a "
    "GPU.",
    help="The exporter of AKS managed GPU nodes is a service of the node: it knows GPUs but not pods, and Azure's own "
    "scrape keeps no other labels. The DCGM exporter finds the pods of claimed GPUs only as of 4.8.3, when it may "
    "read ResourceSlices. The exporter that gitgpu installs is older, and the GPU Operator gives that permission to "
    "the exporter of a GPUCluster, not to the exporter of the ClusterPolicy that gitgpu installs. Such a query "
    "returns no data, which KEDA reads as 0.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmapparser/default-prom-configs/dcgmExporterDefault.yml",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
        "https://github.com/NVIDIA/dcgm-exporter/issues/590",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-dcgm-exporter/0210_clusterrole.yaml",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/manifests/state-dcgm-exporter/0210_clusterrole.yaml",
    ),
    facts=("series/dcgm",),
    check=_check,
)
