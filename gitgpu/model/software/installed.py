"""Which charts and images gitgpu installs on a cluster, by name; tests compare it with the output."""

from collections.abc import Iterator

from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.driver_owner import AKS_DRA, BY_AKS, driver_on, has_our_plugin, is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs

RDMA_PLUGINS = {"shared": "rdma-shared-device-plugin", "sriov": "sriov-device-plugin"}
SAMPLES = {"nvidia": "cuda-sample", "amd": "rocm-terminal"}


def installed_software(inputs: Inputs, cluster: Cluster) -> tuple[str, ...]:
    """The names of the charts and images, sorted. A name of both, such as dcgm-exporter, stands for the image."""
    parts = (
        _beside_aks_driver,
        _operator_software,
        _fabric_software,
        _discovery_software,
        _claim_software,
        _scaling_software,
        _kaito_software,
        _care_software,
    )
    names: set[str] = set()
    for part in parts:
        names.update(part(inputs, cluster))
    return tuple(sorted(names))


def unknown_versions(inputs: Inputs, cluster: Cluster) -> list[str]:
    """The installed charts and images that a cluster pins to a version that the catalog does not have."""
    unknown_names = [name for name in cluster.stack.versions if not inputs.knows_version(cluster, name)]
    installed = installed_software(inputs, cluster) if unknown_names else ()
    return [name for name in unknown_names if name in installed]


def _beside_aks_driver(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    pools, stack = inputs.pools_on(cluster), cluster.stack
    if any(driver_on(cluster, pool) == "aks" and not pool.windows for pool in pools) and stack.metrics.exporter:
        yield "dcgm-exporter"
    if any(has_our_plugin(cluster, pool) for pool in pools):
        yield "nvidia-device-plugin"
    if any(pool.device_plugin for pool in pools):
        yield from ("amd-device-plugin", "busybox")


def _operator_software(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    makers = {pool.manufacturer for pool in inputs.pools_on(cluster) if driver_on(cluster, pool) == "operator"}
    if "nvidia" in makers:
        yield "gpu-operator"
    if "amd" in makers:
        yield from ("amd-gpu-operator", "ubuntu", "busybox", "amd-device-plugin", "amd-node-labeller")
        if cluster.stack.metrics.exporter:
            yield "amd-metrics-exporter"


def _fabric_software(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    wanted_pools = [pool for pool in inputs.pools_on(cluster) if pool.uses_network_operator]
    if wanted_pools:
        yield from ("network-operator", "doca-driver", RDMA_PLUGINS[str(wanted_pools[0].rdma)])
    if any(pool.manufacturer == "nvidia" and driver_on(cluster, pool) in BY_AKS for pool in wanted_pools):
        yield "ubuntu"


def _discovery_software(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    pools, stack = inputs.pools_on(cluster), cluster.stack
    if any(pool.uses_network_operator or driver_on(cluster, pool) == "operator" for pool in pools):
        is_own = stack.node_selection == "labels"  # else it is part of an operator's chart
    else:
        is_own = stack.discovery == "gfd" and any(has_our_plugin(cluster, pool) for pool in pools)
    if is_own:
        yield "node-feature-discovery"


def _claim_software(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    claimed = any(is_claimed(cluster, pool) for pool in inputs.pools_on(cluster))
    if claimed and cluster.stack.allocation != AKS_DRA:
        yield "dra-driver-nvidia-gpu"


def _scaling_software(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    if cluster.stack.keda == "helm":
        yield "keda"
    if cluster.stack.queues == "kueue":
        yield "kueue"
    here = {pool.name for pool in inputs.pools_on(cluster)}
    placed_workloads = (workload for workload in inputs.workloads_on(cluster) if not here.isdisjoint(workload.pools))
    by_hpa = any(workload.scaling and workload.scaling.engine == "hpa" for workload in placed_workloads)
    if by_hpa and cluster.stack.adapter == "helm":
        yield "prometheus-adapter"


def _kaito_software(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    if cluster.stack.kaito != "helm":
        return
    yield "kaito-workspace"
    pools = {pool.name: pool for pool in inputs.pools_on(cluster)}
    for model in inputs.models_on(cluster):
        here = [pools[name] for name in pools if name in model.pools]
        if not here:
            continue
        if model.task == "rag":
            yield "kaito-ragengine"
        if "scaling" in model.settings:
            yield "keda-kaito-scaler"
        if not (bounds(here[0]).minimum or here[0].retire):
            yield "pause"


def _care_software(inputs: Inputs, cluster: Cluster) -> Iterator[str]:
    pools = inputs.pools_on(cluster)
    if cluster.stack.health == "npd" and any(_is_detected(cluster, pool) for pool in pools):
        yield "node-problem-detector"
    if cluster.stack.verify:
        yield from (SAMPLES[pool.manufacturer] for pool in pools if pool.provable and not pool.retire)


def _is_detected(cluster: Cluster, pool: Pool) -> bool:
    return pool.manufacturer == "nvidia" and not pool.windows and driver_on(cluster, pool) not in BY_AKS
