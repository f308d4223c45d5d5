"""The GPU Operator's pools on a cluster use RDMA on all nodes, or on none."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import separates_rdma_drivers
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of the GPU Operator without rdma, if other pools of the cluster have it."""
    for cluster in inputs.clusters:
        if separates_rdma_drivers(cluster, inputs.catalog_for(cluster)):
            continue
        # AMD GPUs have an operator of their own.
        nvidia = [pool for pool in inputs.pools_on(cluster) if pool.manufacturer == "nvidia"]
        pools = [pool for pool in nvidia if driver_on(cluster, pool) == "operator"]
        direct = [pool for pool in pools if pool.rdma]
        for pool in pools:
            if direct and not pool.rdma:
                names = [f"{other.name} ({other.origin.span(('spec', 'rdma'))})" for other in direct]
                message = (
                    f"the driver pods of this pool also wait for an RDMA driver on {cluster.name}, "
                    f"because of pool {join_names(names)}"
                )
                yield Finding(pool.origin, place(pool, ("spec", "clusters")), message, "set driver: aks")


RULE = Rule(
    code="RDM004",
    name="operator-pools-with-and-without-rdma",
    severity=Severity.WARNING,
    summary="The GPU Operator serves pools with rdma and pools without it on one cluster.",
    help="The operator has one setting for all its driver pods. With GPUDirect RDMA, each has a container that waits "
    "for the driver of the NICs. On a node without that driver, the container restarts indefinitely and the pod "
    "never becomes ready, although the GPUs work. With stack.nodeSelection: labels and no values for the driver, "
    "GPU Operator v26.7.0 and newer has a separate driver for each pool with rdma.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-driver/0500_daemonset.yaml",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-rdma.rst",
    ),
    facts=("charts/gpu-operator",),
    check=_check,
)
