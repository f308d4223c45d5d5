"""AMD's GPUs: AMD's operator for the pools whose driver is the operator's.

The driver itself comes by Microsoft's way, AMD's package on the node. The operator would build an image on the cluster,
push it to a registry of the author's, and need Kernel Module Management and cert-manager for that.
"""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.stack import Stack
from gitgpu.plan.decision import PoolPlan
from gitgpu.plan.hardware import AmdOperator
from gitgpu.plan.image import image
from gitgpu.plan.placement import reach
from gitgpu.plan.software import chart

CHART = "amd-gpu-operator"


def amd_operator(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> AmdOperator | None:
    """AMD's operator for its pools, None when there is no such pool."""
    wanted = [one for one in pools if one.driver == "operator" and one.pool.manufacturer == "amd"]
    if not wanted:
        return None
    names = ("ubuntu", "busybox", "amd-device-plugin", "amd-node-labeller", "amd-metrics-exporter")
    installer, waiter, plugin, labeller, exporter = (image(catalog.must("containers", name)) for name in names)
    return AmdOperator(
        chart=chart(CHART, catalog),
        reach=reach(wanted),
        driver=catalog.must("charts", CHART)["components"]["amdgpu-driver"],
        installer=installer,
        waiter=waiter,
        plugin=plugin,
        labeller=labeller,
        exporter=exporter if stack.metrics.exporter else "",
        rows=tuple(row for name in names for row in catalog.own("containers", name)),
    )
