"""InfiniBand: the Network Operator for the pools that request it, with one policy for the whole cluster."""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import BY_AKS
from gitgpu.model.names.labels import OUR_INFINIBAND_LABEL
from gitgpu.model.software.installed import RDMA_PLUGINS
from gitgpu.model.spec.stack import Stack
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.daemon_placement import DaemonPlacement
from gitgpu.plan.decided.hardware import Fabric
from gitgpu.plan.decided.nodes import Nodes
from gitgpu.plan.image import image, image_rows, parts
from gitgpu.plan.placement import EVERY_TAINT, daemon_placement, nodes, separate_placements

# The names under which the two device plugins of the Network Operator advertise NICs.
NICS = {"shared": "rdma/shared_ib", "sriov": "rdma/ib"}


def fabric(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> Fabric | None:
    """The Network Operator for its pools, which all use the same method; None if there is no such pool.

    With `rdma: managed`, AKS installs the drivers, so gitgpu installs nothing on these nodes.
    """
    wanted_pools = [pool for pool in pools if pool.pool.uses_network_operator]
    if not wanted_pools:
        return None
    by_label = stack.node_selection == "labels"
    method = str(wanted_pools[0].pool.rdma)
    # On its own nodes, the GPU Operator loads nvidia-peermem.
    helped_pools = [pool for pool in wanted_pools if pool.pool.manufacturer == "nvidia" and pool.driver in BY_AKS]
    names = ("doca-driver", RDMA_PLUGINS[method], "ubuntu")
    driver, plugin, shell = (catalog.must("containers", name) for name in names)
    return Fabric(
        chart=chart("network-operator", catalog),
        placement=_labelled_placement(pools, wanted_pools) if by_label else daemon_placement(wanted_pools),
        shared=method == "shared",
        driver=parts(driver),
        plugin=parts(plugin),
        direct=separate_placements(helped_pools, stack) if helped_pools else (),
        shell=image(shell),
        rows=image_rows(names, catalog),
    )


def _labelled_placement(pools: Sequence[PoolPlan], wanted_pools: Sequence[PoolPlan]) -> DaemonPlacement:
    """The nodes with the label. It is also on those of an operator's pool that has such NICs and does not use them.

    Only these are excluded by name: on the nodes of other pools, Node Feature Discovery does not run.
    """
    names = {pool.name for pool in wanted_pools}
    unused = (pool for pool in pools if pool.driver == "operator" and pool.name not in names and _may_have_nics(pool))
    return DaemonPlacement((Nodes(OUR_INFINIBAND_LABEL, ("true",), nodes(unused)),), EVERY_TAINT)


def _may_have_nics(pool: PoolPlan) -> bool:
    return any(sku.row["rdma"] is not False for sku in pool.pool.skus)
