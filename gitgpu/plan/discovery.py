"""Who makes labels of what is found on a node: Node Feature Discovery, which three operators bring, and one must.

Of several the Network Operator's it is: it labels by GPU as the GPU Operator's does, and does not call the NIC of
accelerated networking, which the others' find too, InfiniBand. Where no operator brings it, GPU Feature Discovery needs
its master and no worker: it says what it finds of its node in the same kind of object that a worker would write.
"""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.gpus import DevicePlugin
from gitgpu.plan.decided.hardware import Discovery
from gitgpu.plan.placement import reach
from gitgpu.plan.software import chart

CHART = "node-feature-discovery"


def discovery(
    pools: Sequence[PoolPlan], charts: Sequence[Chart], plugin: DevicePlugin | None, catalog: Catalog
) -> Discovery | None:
    """The one of the operators' charts that brings it, with the nodes of all, or its own; None if no pool needs it."""
    if not charts:
        return Discovery(CHART, (), reach([]), chart(CHART, catalog)) if plugin and plugin.discovery else None
    first, *others = (installed.release for installed in charts)
    operated = reach(pool for pool in pools if pool.pool.rdma or pool.driver == "operator")
    return Discovery(first, tuple(others), operated, None)
