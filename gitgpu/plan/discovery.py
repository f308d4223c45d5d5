"""What turns the hardware of a node into labels: Node Feature Discovery, which three operators include.

Of several, the Network Operator's is used: it labels GPUs as the GPU Operator's does, and its rule for InfiniBand does
not match the NIC of accelerated networking, as those of the others do. If no operator includes it, GPU Feature
Discovery needs its master and no worker, because it writes the same kind of object about its node as a worker would.
"""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.gpus import DevicePlugin
from gitgpu.plan.decided.hardware import Discovery
from gitgpu.plan.placement import daemon_placement

CHART = "node-feature-discovery"


def discovery(
    pools: Sequence[PoolPlan], charts: Sequence[Chart], plugin: DevicePlugin | None, catalog: Catalog
) -> Discovery | None:
    """The operator chart that installs it, for the nodes of all operators, or its own; None if no pool needs it."""
    if not charts:
        if not (plugin and plugin.discovery):
            return None
        return Discovery(CHART, (), daemon_placement([]), chart(CHART, catalog))
    first, *others = (installed.release for installed in charts)
    operated = daemon_placement(pool for pool in pools if pool.pool.uses_network_operator or pool.driver == "operator")
    return Discovery(first, tuple(others), operated, None)
