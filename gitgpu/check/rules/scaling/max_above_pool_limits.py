"""A workload whose maximum replicas need more GPUs than the limits of its pools allow."""

from collections.abc import Iterator
from functools import partial

from gitgpu.check.clusters import grouped
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import scaled_workloads
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.spelling import counted

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.34"
  stack: {metrics: {scrape: prometheus-operator, server: "http://prometheus.monitoring:9090"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  scaling: {target: 70, max: 12}
"""
GOOD = BAD.replace("gpus: 8", "gpus: 12")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that may need more GPUs than their pools may have, on the same cluster."""
    for workload, scaling, clusters in scaled_workloads(inputs):
        wanted = scaling.max * workload.gpus
        for room, names in grouped(clusters, partial(_room, inputs, workload)).items():
            if room is None or wanted <= room:
                continue
            gpus = counted(wanted, "GPU")
            message = f"{scaling.max} replicas need {gpus}, and its pools allow {room} on {join_names(names)}"
            most = f", or write max: {room // workload.gpus}" if room >= workload.gpus else ""
            yield Finding(workload.origin, ("spec", "scaling", "max"), message, f"raise limits.gpus of a pool{most}")


def _room(inputs: Inputs, workload: Workload, cluster: Cluster) -> int | None:
    """GPUs, or shares of GPUs, that the workload's pools may have on a cluster; None without a limit."""
    pools = [pool for pool in inputs.pools_of(workload) if cluster.name in pool.clusters]
    limits = [most * pool.shares for pool in pools if (most := _gpus(pool)) is not None]
    return sum(limits) if len(limits) == len(pools) else None


def _gpus(pool: Pool) -> int | None:
    """The most GPUs that the limits of a pool allow, on GPUs themselves or on nodes; None without such a limit.

    A limit below one node (SKU007) is reported by that rule only: it counts as no limit.
    """
    counts = [sku.gpus for sku in pool.skus if sku.gpus is not None]
    known = [] if pool.limits.gpus is None else [pool.limits.gpus]
    if pool.limits.nodes is not None and counts and len(counts) == len(pool.skus):
        known.append(pool.limits.nodes * max(counts))
    most = min(known, default=None)
    return None if most is None or most < min(counts, default=1) else most


RULE = Rule(
    code="SCL008",
    name="max-above-pool-limits",
    severity=Severity.WARNING,
    summary="A workload may scale to more GPUs than the limits of its pools allow.",
    help="Replicas beyond the limits stay Pending: Karpenter stops at the limits of each NodePool. A shared GPU is "
    "counted once for each pod that it may serve.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
)
