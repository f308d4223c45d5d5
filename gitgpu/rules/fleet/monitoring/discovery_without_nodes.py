"""GPU Feature Discovery without nodes to run on."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import has_our_plugin
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Places that set it, if none of the clusters to which they apply has a pool for it."""
    by_place: dict[object, list[Cluster]] = {}
    for cluster in inputs.clusters:
        if cluster.stack.discovery != "gfd":
            continue
        origin, where = stack_place(cluster, "discovery")
        by_place.setdefault((origin.ref, where), []).append(cluster)
    for clusters in by_place.values():
        if not any(_has_nodes(inputs, cluster) for cluster in clusters):
            yield _finding(clusters)


def _finding(clusters: Sequence[Cluster]) -> Finding:
    names = join_names([cluster.name for cluster in clusters])
    message = f"GPU Feature Discovery is not installed on {names}: no pool has nodes for it"
    remedy = "remove discovery, or set driver: aks on a pool whose pods request GPUs by number"
    return Finding(*stack_place(clusters[0], "discovery"), message, remedy)


def _has_nodes(inputs: Inputs, cluster: Cluster) -> bool:
    return any(has_our_plugin(cluster, pool) for pool in inputs.pools_on(cluster))


RULE = Rule(
    code="DSC001",
    name="discovery-without-nodes",
    severity=Severity.WARNING,
    summary="GPU Feature Discovery is enabled on a cluster where gitgpu installs no device plugin.",
    help="GPU Feature Discovery labels nodes with what the device plugin advertises, so gitgpu installs both with "
    "driver: aks. The GPU Operator has its own discovery; AKS managed GPU nodes, claimed GPUs and AMD GPUs get none "
    "from gitgpu.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/templates/daemonset-gfd.yml",
        "https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/values.yaml",
    ),
    check=_check,
)
