"""On AKS managed GPU nodes no metric says which pod uses a GPU."""

from collections.abc import Iterator

from gitgpu.check.phrase import listed
from gitgpu.check.promql import series
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled import clusters_of, queries
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs, driver_on

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {driver: managed, metrics: {scrape: prometheus-operator, server: "http://prometheus.monitoring:9090"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  scaling: {metric: query, query: 'sum(DCGM_FI_DEV_GPU_UTIL{namespace="serving"})', target: 70, max: 8}
"""
GOOD = BAD.replace("driver: managed", "driver: aks")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Queries for GPU metrics by pod, on clusters where AKS manages all GPU nodes of the workload."""
    for workload, query, place in queries(inputs):
        odd = _odd(query, inputs.catalog.must("series", "dcgm"))
        names = [one.name for one in clusters_of(inputs, workload) if _managed(inputs, workload, one)]
        if odd and names:
            message = f"GPU metrics of AKS managed nodes have no label {listed(odd)} ({listed(names)})"
            remedy = "ask about the workload's requests instead, or write driver: aks"
            yield Finding(workload.origin, place, message, remedy)


def _odd(query: str, row: Facts) -> list[str]:
    """The labels of pods by which the query asks for a field of DCGM."""
    fields = (one for one in series(query) if one.metric.startswith(row["prefix"]) and ":" not in one.metric)
    asked = dict.fromkeys(label for one in fields for label in one.labels)
    return [label for label in asked if label in row["pods"]]


def _managed(inputs: Inputs, workload: Workload, cluster: Cluster) -> bool:
    pools = [pool for pool in inputs.pools_of(workload) if cluster.name in pool.clusters]
    return all(driver_on(cluster, pool) == "managed" for pool in pools)


RULE = Rule(
    code="SCL026",
    name="query-by-pod-on-managed-gpus",
    severity=Severity.ERROR,
    summary="The query that a workload scales on asks for GPU metrics by pod, where AKS manages the GPU nodes.",
    help="The exporter of AKS managed GPU nodes is a service of the node: it knows GPUs and no pods, and Azure's own "
    "scrape keeps no other labels. Such a query finds nothing, which KEDA reads as 0.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmapparser/default-prom-configs/dcgmExporterDefault.yml",
        "https://learn.microsoft.com/azure/aks/aks-managed-gpu-nodes",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
