"""Who looks what hardware a node has: Node Feature Discovery, which three operators bring along, and one must.

Of several the Network Operator's it is: it labels by GPU as the GPU Operator's does, and does not call the NIC of
accelerated networking, which the others' find too, InfiniBand.
"""

from collections.abc import Sequence

from gitgpu.plan.decision import Operator, PoolPlan
from gitgpu.plan.hardware import AmdOperator, Discovery, Fabric
from gitgpu.plan.placement import reach


def discovery(
    pools: Sequence[PoolPlan], fabric: Fabric | None, operator: Operator | None, amd: AmdOperator | None
) -> Discovery | None:
    """The one that brings it, with the nodes of all; None when nobody needs it."""
    found = [one for one in (fabric, operator, amd) if one]
    if not found:
        return None
    first, *others = (one.chart.release for one in found)
    return Discovery(first, tuple(others), reach(one for one in pools if one.pool.rdma or one.driver == "operator"))
