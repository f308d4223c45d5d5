"""If the drivers follow the ClusterPolicy, the operator's nodes on a cluster should have one operating system."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import OPERATOR
from gitgpu.model.software.node_images import release
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    odd: dict[tuple[str, str, str], list[str]] = {}
    by_policy = {cluster.name for cluster in inputs.clusters if _by_policy(inputs, cluster)}
    for cluster, systems in _systems(inputs).items():
        if cluster not in by_policy:
            continue  # its drivers are NVIDIADriver objects: any number of operating systems
        # The most frequent one is expected, so that the fewest pools have to change.
        [(most_common, _)] = Counter(systems.values()).most_common(1)
        for name, system in systems.items():
            if system != most_common:
                odd.setdefault((name, system, most_common), []).append(cluster)
    origins = {(pool.name, cluster.name): pool.origin for cluster, pool in inputs.placements()}
    for (name, system, most_common), clusters in odd.items():
        message = (
            f"the GPU Operator of {join_names(clusters)} runs on {system} in this pool and on {most_common} in others"
        )
        remedy = f"set an image.family with {most_common}"
        yield Finding(origins[name, clusters[0]], ("spec", "image", "family"), message, remedy)


def _by_policy(inputs: Inputs, cluster: Cluster) -> bool:
    """Whether the drivers follow the ClusterPolicy. Values of the chart can say otherwise."""
    if cluster.stack.allocation == "dra" and cluster.stack.node_selection == "pools":
        return True
    row = inputs.catalog_for(cluster).must("charts", OPERATOR)
    has_branch = any(pool.branch for pool in inputs.pools_on(cluster) if driver_on(cluster, pool) == "operator")
    is_set = any("nvidiaDriverCRD" in str(layer.values.get(OPERATOR)) for layer in cluster.values)
    return not (row.get("fallbackDriver") or has_branch or is_set)


def _systems(inputs: Inputs) -> dict[str, dict[str, str]]:
    """The operating system of the operator's nodes, by cluster and by pool."""
    systems: dict[str, dict[str, str]] = {}
    for pool, clusters in pools_with_clusters(inputs):
        for system, names in group_clusters(clusters, partial(_system, pool, inputs.catalog)).items():
            if not system:
                continue
            for name in names:
                systems.setdefault(name, {})[pool.name] = system
    return systems


def _system(pool: Pool, catalog: Catalog, cluster: Cluster) -> str:
    """The operating system of the nodes; "" if the GPU Operator does not install the driver, or it is unknown."""
    by_operator = driver_on(cluster, pool) == "operator" and pool.manufacturer == "nvidia"
    image = release(pool, cluster.kubernetes, catalog) if by_operator else None
    return str(image["os"]) if image else ""


RULE = Rule(
    code="DRV009",
    name="operator-on-several-os",
    twin="STK009",
    severity=Severity.WARNING,
    summary="The drivers of a GPU Operator follow its ClusterPolicy, and its nodes have different operating systems.",
    help="A ClusterPolicy supports one operating system. Nodes with a different OS may wait for a driver that is "
    "never built for them. With allocation: dra and nodeSelection: pools, and before v26.7.0 without a "
    "driverBranch, the drivers follow the ClusterPolicy. Otherwise, they are separate NVIDIADriver objects, which "
    "support any number.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-driver-configuration.rst",
    ),
    facts=("images/*",),
    check=_check,
)
