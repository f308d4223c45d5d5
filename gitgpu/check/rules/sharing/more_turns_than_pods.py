"""A node must have room for as many pods as its GPUs may serve."""

from collections.abc import Iterator
from functools import partial

from gitgpu.check.clusters import grouped, pools_with_clusters
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs

WORDS = {"timeSlicing": ("turns", "replicas"), "mps": ("clients of MPS", "replicas"), "mig": ("instances", "profiles")}
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", network: {mode: node-subnet}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4-share}
spec:
  clusters: [prod-swc]
  sku: Standard_NC64as_T4_v3
  limits: {gpus: 8}
  partition: {timeSlicing: {replicas: 10}}
"""
GOOD = BAD.replace("replicas: 10}}", "replicas: 10}}\n  maxPods: 60")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose largest nodes share their GPUs among more pods than the node may have."""
    for pool, clusters in pools_with_clusters(inputs):
        gpus = max((sku.gpus or 0 for sku in pool.skus), default=0)
        turns, way = gpus * pool.shares, pool.sharing.way or "mig"
        for room, names in grouped(clusters, partial(_room, pool, inputs.catalog)).items() if turns > gpus else ():
            if room is not None and turns > room:
                word, key = WORDS[way]
                message = f"a node has {gpus} GPUs with {turns} {word}, and room for {room} pods on {join_names(names)}"
                remedy = f"write maxPods: {min(turns + 30, 250)}, or fewer {key}"
                yield Finding(pool.origin, ("spec", "partition", way, key), message, remedy)


def _room(pool: Pool, catalog: Catalog, cluster: Cluster) -> int | None:
    """The pods of a node: what the pool says, else what comes with the network."""
    network = cluster.network["plugin"]
    name = f"{network}-{cluster.network['mode']}" if network == "azure" else network
    row = catalog.facts("networks", name)
    return pool.max_pods or (row["maxPods"] if row else None)


RULE = Rule(
    code="SCH018",
    name="more-turns-than-pods",
    severity=Severity.WARNING,
    summary="The GPUs of a node are shared among more pods than the node may have.",
    help="Each turn, client of MPS or instance of MIG is a pod, and the node also runs pods of its own. What is left "
    "over is advertised and never used, so the node looks half empty and nothing more fits.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/utils.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
