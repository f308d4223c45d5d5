"""Without its opt-out label, the GPU Operator also manages nodes with AKS's driver on which its discovery runs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import BY_AKS, driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with rdma, AKS's driver and no opt-out label, on clusters with pools of the GPU Operator."""
    for pool, clusters in pools_with_clusters(inputs):
        # The operator manages the nodes on which Node Feature Discovery finds an NVIDIA GPU. gitgpu runs its worker
        # only on the pools of operators and on pools with rdma, so all others need no label.
        if not pool.uses_network_operator or pool.manufacturer != "nvidia" or _opts_out(pool):
            continue
        by_aks = [cluster for cluster in clusters if driver_on(cluster, pool) in BY_AKS]
        if names := [cluster.name for cluster in by_aks if _has_operator(inputs, cluster)]:
            message = f"the GPU Operator on {join_names(names)} also manages these nodes, whose driver AKS installs"
            key = ("operatorOptOut",) if not pool.operator_opt_out else ("labels", DEPLOY_OPERANDS_LABEL)
            yield Finding(*pool_place(pool, *key), message, "remove it, or set driver: operator")


def _opts_out(pool: Pool) -> bool:
    return pool.operator_opt_out and DEPLOY_OPERANDS_LABEL not in pool.objects.unwanted_labels


def _has_operator(inputs: Inputs, cluster: Cluster) -> bool:
    cluster_pools = inputs.pools_on(cluster)
    return any(driver_on(cluster, pool) == "operator" and pool.manufacturer == "nvidia" for pool in cluster_pools)


RULE = Rule(
    code="DRV019",
    name="operator-on-pools-of-aks-driver",
    severity=Severity.WARNING,
    summary="The GPU Operator manages nodes whose driver AKS installs, because they do not opt out.",
    help="The operator manages every node on which Node Feature Discovery finds an NVIDIA GPU, and pools with rdma "
    "need this discovery for their NICs. Without the label nvidia.com/gpu.deploy.operands=false, the operator installs "
    "a second device plugin, and the kubelet uses the one that registered last.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/state_manager.go",
        "https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/values.yaml",
    ),
    check=_check,
)
