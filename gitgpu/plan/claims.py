"""Devices by ResourceClaim: the driver that serves claims for GPUs, and what a workload claims."""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Workload
from gitgpu.model.software.names import DRA_DRIVER
from gitgpu.model.spec.stack import Stack
from gitgpu.model.team_quotas import device_class
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.claims import GPUS, NICS, Claim, DraDriver
from gitgpu.plan.decided.cluster import PoolPlan, WorkloadPlan
from gitgpu.plan.decided.daemon_placement import DaemonPlacement
from gitgpu.plan.decided.nodes import Nodes
from gitgpu.plan.driver import BY_CLAIM
from gitgpu.plan.placement import daemon_placement, join, labelled_nodes, placements


def dra_driver(
    pools: Sequence[PoolPlan], workloads: Sequence[WorkloadPlan], stack: Stack, catalog: Catalog
) -> DraDriver | None:
    """NVIDIA's DRA driver for the pools whose GPUs are claimed; None if there is no such pool, or AKS installs it.

    Rules ensure that either AKS or the GPU Operator installs the GPU driver of all these pools.
    """
    wanted_pools = [pool for pool in pools if pool.claimed and pool.driver != "managed"]
    if not wanted_pools:
        return None
    by_operator = wanted_pools[0].driver == "operator"
    dra_chart, operator_chart = (catalog.must("charts", name) for name in (DRA_DRIVER, "gpu-operator"))
    return DraDriver(
        chart=chart(DRA_DRIVER, catalog),
        placement=_placement(wanted_pools, pools, stack),
        root=operator_chart["driverRoot"] if by_operator else dra_chart["defaults"]["nvidiaDriverRoot"],
        labels=BY_CLAIM if by_operator else {},
        compute_domains=any(workload.claim and workload.claim.channel for workload in workloads),
    )


def _placement(wanted: Sequence[PoolPlan], every: Sequence[PoolPlan], stack: Stack) -> DaemonPlacement:
    if stack.node_selection == "pools":
        return daemon_placement(wanted)
    [(label, value)] = BY_CLAIM.items()
    by_label = Nodes(label, (value,)) if wanted[0].driver == "operator" else labelled_nodes()
    return join(placements(wanted, every, by_label))


def claim(workload: Workload, pools: Sequence[PoolPlan], catalog: Catalog) -> Claim | None:
    """What each pod of a workload claims; None if pods request the GPUs of these pools by count."""
    # DRA005 ensures that pods get the GPUs of all these pools in the same way.
    if not pools[0].claimed:
        return None
    channel = f"{workload.name}-channel" if workload.compute_domain else ""
    # A template never changes, so its name contains the count: another count is another template.
    return claim_of_any(workload.name, workload.gpus, catalog)._replace(channel=channel)


def claim_of_any(name: str, gpus: int, catalog: Catalog) -> Claim:
    """A claim for this number of any GPUs."""
    return Claim(f"{name}-gpus-{gpus}", GPUS, device_class(catalog), gpus)


def nic_claim(workload: Workload, pools: Sequence[PoolPlan], stack: Stack) -> Claim | None:
    """The InfiniBand NICs that each pod claims; None if it requests none, or those of these pools by count."""
    # Rules ensure that the pools are alike in this, and that the stack names the class.
    if not workload.rdma or not pools[0].pool.has_managed_nics:
        return None
    return Claim(f"{workload.name}-nics-{workload.rdma}", NICS, stack.rdma_device_class or "", workload.rdma)
