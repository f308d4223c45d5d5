"""A node needs room for as many pods as its GPUs are shared among."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.spelling import count_text, join_names

SYSTEM_PODS = 30  # pods for which the remedy leaves room: those of AKS, and daemons
MAX_PODS = 250  # maxPods that AKS allows
WORDS = {"timeSlicing": ("replicas", "replicas"), "mps": ("MPS clients", "replicas"), "mig": ("instances", "profiles")}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose largest nodes share their GPUs among more pods than the node can run."""
    for pool, clusters in pools_with_clusters(inputs):
        gpus = max((sku.gpus or 0 for sku in pool.skus), default=0)
        shares, method = gpus * pool.shares, pool.sharing.way or "mig"
        if shares <= gpus:  # the GPUs are not shared
            continue
        for room, names in group_clusters(clusters, partial(_room, pool, inputs.catalog)).items():
            if room is not None and shares > room:
                word, key = WORDS[method]
                has = f"{count_text(gpus, 'GPU')} with {shares} {word}"
                message = f"a node has {has}, but runs at most {room} pods on {join_names(names)}"
                remedy = f"set maxPods: {min(shares + SYSTEM_PODS, MAX_PODS)}, or reduce {key}"
                yield Finding(pool.origin, ("spec", "partition", method, key), message, remedy)


def _room(pool: Pool, catalog: Catalog, cluster: Cluster) -> int | None:
    """The most pods of a node: maxPods of the pool, or else the default of the network plugin."""
    network = cluster.network["plugin"]
    # mode is a setting of the azure plugin.
    name = f"{network}-{cluster.network['mode']}" if network == "azure" else network
    row = catalog.facts("networks", name)
    return pool.max_pods or (row["maxPods"] if row else None)


RULE = Rule(
    code="SCH018",
    name="more-shares-than-max-pods",
    severity=Severity.WARNING,
    summary="The GPUs of a node are shared among more pods than the node can run.",
    help="Each replica, MPS client or MIG instance needs a pod, and the node also runs system pods. The rest is "
    "advertised but never used: the node looks half empty, and no more pods fit.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/utils.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    facts=("networks", "networks/*"),
    check=_check,
)
