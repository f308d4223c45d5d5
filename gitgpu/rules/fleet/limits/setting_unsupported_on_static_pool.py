"""A pool with replicas has a fixed number of nodes."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

FIELDS: Mapping[Pointer, str] = {
    ("weight",): "remove it; the pool keeps its nodes whether or not pods are pending",
    ("limits", "gpus"): "remove it; replicas limits the GPUs",
    ("limits", "cpu"): "remove it; replicas limits the vCPUs",
    ("limits", "memory"): "remove it; replicas limits the memory",
    ("limits", "resources"): "remove it; replicas limits the resources",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Static pools with settings that the API server rejects, or with limits too small for their nodes."""
    for pool in inputs.nodepools:
        if pool.objects.replicas is None:
            continue
        replicas, maximum = pool.objects.replicas, pool.objects.most_nodes
        for path, remedy in FIELDS.items():
            if pool.origin.holds(("spec", *path)):
                message = f"{'.'.join(map(str, path))} cannot be set on a pool with replicas"
                yield Finding(pool.origin, ("spec", *path), message, remedy)
        if maximum is not None and maximum < replicas:
            message = f"limits.nodes is {maximum}, but the pool has {replicas} replicas"
            yield Finding(*pool_place(pool, "limits", "nodes"), message, f"set nodes: {replicas} or more")
        if pool.retire:
            message = "a pool with replicas cannot retire, because Karpenter keeps its number of nodes"
            yield Finding(pool.origin, ("spec", "retire"), message, "remove it, and set replicas: 0 to drain its nodes")


RULE = Rule(
    code="SKU019",
    name="setting-unsupported-on-static-pool",
    twin="NPL003",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool with replicas has settings that apply only to a pool that scales with its pods.",
    help="Karpenter keeps a static NodePool at its replicas. The API server rejects a weight and all limits but nodes "
    "on it, and Karpenter never has more nodes than that limit.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/designs/static-capacity.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/1f4670348a3e4087157696c034ccaaa0c993131a/articles/aks/node-auto-provisioning-node-pools.md",
    ),
    check=_check,
)
