"""What turns the hardware of a node into labels: Node Feature Discovery, which three operators include.

If the nodes of software are selected by labels, it is a release of its own, whichever operators there are. Inside an
operator it would move to another release whenever a pool brings or takes away an operator. Its labels could vanish
meanwhile, and the GPU Operator would remove its operands, drivers included, from the nodes.

If they are selected by pools, it is the one in an operator's chart. Of several, the Network Operator's is used: it
labels GPUs as the GPU Operator's does, and its rule for InfiniBand does not match the NIC of accelerated networking, as
those of the others do.

Without an operator, GPU Feature Discovery needs the master and no worker, because it writes the same kind of object
about its node as a worker would.
"""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.software.names import NODE_FEATURE_DISCOVERY
from gitgpu.model.spec.stack import Stack
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.hardware import Discovery
from gitgpu.plan.placement import daemon_placement


def discovery(
    pools: Sequence[PoolPlan], charts: Sequence[Chart], stack: Stack, catalog: Catalog, *, labels_gpus: bool
) -> Discovery | None:
    """The chart that installs it, for the nodes of all operators; None if no pool needs it.

    `charts` are those of the operators; `labels_gpus` says whether GPU Feature Discovery runs on other nodes.
    """
    operators = tuple(installed.release for installed in charts)
    operated = daemon_placement(pool for pool in pools if pool.pool.uses_network_operator or pool.driver == "operator")
    nics = tuple(catalog.must("devices", "rdma")["nics"])
    if operators and stack.node_selection == "pools":
        return Discovery(operators[0], operators[1:], operated, None, nics)
    if not (operators or labels_gpus):
        return None
    return Discovery(NODE_FEATURE_DISCOVERY, operators, operated, chart(NODE_FEATURE_DISCOVERY, catalog), nics)
