"""AMD's GPUs: AMD's operator for pools with `driver: operator`, the device plugin alone for others that request it.

The driver itself is installed as Microsoft does it, from AMD's package on the node. The operator would build an image
in the cluster and push it to the user's registry, and would need Kernel Module Management and cert-manager for that.
"""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.spec.stack import Stack
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.hardware import AmdOperator, AmdPlugin, Package
from gitgpu.plan.image import image, image_rows
from gitgpu.plan.placement import separate_placements

CHART, DRIVER = "amd-gpu-operator", "amdgpu"


def amd_plugin(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> AmdPlugin | None:
    """AMD's device plugin for the pools that request it; None if there is no such pool."""
    wanted_pools = [pool for pool in pools if pool.pool.device_plugin]
    if not wanted_pools:
        return None
    names = ("amd-device-plugin", "busybox")
    plugin, waiter = (image(catalog.must("containers", name)) for name in names)
    return AmdPlugin(plugin, waiter, separate_placements(wanted_pools, stack), image_rows(names, catalog))


def amd_operator(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> AmdOperator | None:
    """AMD's operator for its pools; None if there is no such pool."""
    wanted_pools = [pool for pool in pools if pool.driver == "operator" and pool.pool.manufacturer == "amd"]
    if not wanted_pools:
        return None
    names = ("ubuntu", "busybox", "amd-device-plugin", "amd-node-labeller", "amd-metrics-exporter")
    placements = separate_placements(wanted_pools, stack)
    installer, waiter, plugin, labeller, exporter = (image(catalog.must("containers", name)) for name in names)
    return AmdOperator(
        chart=chart(CHART, catalog),
        placements=placements,
        tolerations=placements[0].tolerations,
        driver=_driver(catalog),
        installer=installer,
        waiter=waiter,
        plugin=plugin,
        labeller=labeller,
        exporter=exporter if stack.metrics.exporter else "",
        rows=(*catalog.own("packages", DRIVER), *image_rows(names, catalog)),
    )


def _driver(catalog: Catalog) -> Package:
    row = catalog.must("packages", DRIVER)
    release = catalog.must("charts", CHART)["components"]["amdgpu-driver"]
    return Package(row["package"], release, row["repository"], row["key"])
