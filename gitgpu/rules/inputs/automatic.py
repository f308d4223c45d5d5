"""What gitgpu would run on the nodes of an AKS Automatic cluster, and AKS refuses."""

from collections.abc import Iterator

from gitgpu.model.driver_owner import BY_AKS, driver_on, is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import OPERATORS
from gitgpu.model.software.names import DRA_DRIVER, NAMESPACE

_NETWORK_OPERATOR = "network-operator"


def refused_software(inputs: Inputs, cluster: Cluster, pool: Pool) -> dict[str, str]:
    """What gitgpu installs for the GPUs of a pool and AKS refuses, in words, by namespace; {} if the cluster takes all.

    All of it mounts paths of the node, or is privileged.
    """
    if not cluster.is_automatic or pool.windows:
        return {}
    wanted: dict[str, list[str]] = {}
    for chart, words in _software(cluster, pool):
        namespace = inputs.catalog_for(cluster).must("charts", chart)["namespace"] if chart else NAMESPACE
        if namespace not in cluster.excluded:
            wanted.setdefault(namespace, []).append(words)
    return {namespace: " and ".join(words) for namespace, words in wanted.items()}


def refused_fabric(inputs: Inputs, cluster: Cluster, pool: Pool) -> dict[str, str]:
    """What gitgpu installs for the InfiniBand of a pool and AKS refuses, in the same form."""
    namespace = str(inputs.catalog_for(cluster).must("charts", _NETWORK_OPERATOR)["namespace"])
    installs = cluster.is_automatic and pool.rdma not in (None, "managed")
    return {namespace: "the Network Operator"} if installs and namespace not in cluster.excluded else {}


def _software(cluster: Cluster, pool: Pool) -> Iterator[tuple[str, str]]:
    """The chart, or "" for DaemonSets of gitgpu, and what it is in words."""
    driver = driver_on(cluster, pool)
    if driver == "operator":
        yield OPERATORS[pool.manufacturer or "nvidia"].chart, "the operator for the GPUs"
    if cluster.stack.health == "npd" and driver not in BY_AKS and pool.manufacturer == "nvidia":
        yield "", "the detector of GPU problems"
    if is_claimed(cluster, pool) and driver != "managed":
        yield DRA_DRIVER, "the DRA driver"
    elif driver == "aks" and pool.manufacturer != "amd":
        yield "", "the device plugin"
    if pool.device_plugin:
        yield "", "the device plugin"
    if driver == "aks" and cluster.stack.metrics.exporter:
        yield "", "the exporter of GPU metrics"
