"""InfiniBand: the Network Operator for the pools that request it, with one policy for the whole cluster."""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import BY_AKS
from gitgpu.model.software.installed import RDMA_PLUGINS
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.hardware import Fabric
from gitgpu.plan.image import image, image_rows, parts
from gitgpu.plan.placement import daemon_placement

# The names under which the two device plugins of the Network Operator advertise NICs.
NICS = {"shared": "rdma/shared_ib", "sriov": "rdma/ib"}


def fabric(pools: Sequence[PoolPlan], catalog: Catalog) -> Fabric | None:
    """The Network Operator for its pools, which all use the same method; None if there is no such pool.

    With `rdma: managed`, AKS installs the drivers, so gitgpu installs nothing on these nodes.
    """
    wanted_pools = [pool for pool in pools if pool.pool.uses_network_operator]
    if not wanted_pools:
        return None
    method = str(wanted_pools[0].pool.rdma)
    # On its own nodes, the GPU Operator loads nvidia-peermem.
    helped_pools = [pool for pool in wanted_pools if pool.pool.manufacturer == "nvidia" and pool.driver in BY_AKS]
    names = ("doca-driver", RDMA_PLUGINS[method], "ubuntu")
    driver, plugin, shell = (catalog.must("containers", name) for name in names)
    return Fabric(
        chart=chart("network-operator", catalog),
        placement=daemon_placement(wanted_pools),
        shared=method == "shared",
        driver=parts(driver),
        plugin=parts(plugin),
        direct=daemon_placement(helped_pools) if helped_pools else None,
        shell=image(shell),
        rows=image_rows(names, catalog),
    )
