"""The software that turns nodes into GPU nodes: device plugin, GPU Operator, KEDA."""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.duration import seconds
from gitgpu.model.fleet import Sharing, Stack
from gitgpu.plan.chart import Chart
from gitgpu.plan.decision import DevicePlugin, Operator, PoolPlan
from gitgpu.plan.driver import sharing
from gitgpu.plan.image import image
from gitgpu.plan.metrics import counters
from gitgpu.plan.placement import reach


def device_plugin(pools: Sequence[PoolPlan], catalog: Catalog) -> DevicePlugin | None:
    """The NVIDIA device plugin for the pools whose driver AKS installs, None when there is no such pool.

    Where pods claim GPUs there is none: two that hand out a GPU do not know of each other.
    """
    wanted = [one for one in pools if one.driver == "aks" and not one.claimed]
    if not wanted:
        return None
    row = catalog.must("containers", "nvidia-device-plugin")
    own = catalog.own("containers", "nvidia-device-plugin")
    pinned = any(one.pool.kubelet.get("cpuManagerPolicy") == "static" for one in wanted)
    served = [one for one in wanted if one.pool.sharing.way == "mps"]
    return DevicePlugin(image(row), reach(wanted), _sharing(wanted), reach(served) if served else None, pinned, own)


def operator(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> Operator | None:
    """NVIDIA's GPU Operator for its pools, None when there is no such pool."""
    wanted = [one for one in pools if one.driver == "operator" and one.pool.manufacturer == "nvidia"]
    if not wanted:
        return None
    profiling = all(one.profiling for one in wanted)
    fields = counters(stack.metrics, profiling, catalog) if stack.metrics.exporter else ()
    interval = 1000 * seconds(stack.metrics.interval)
    claimed, direct = any(one.claimed for one in wanted), any(one.pool.rdma for one in wanted)
    where, ways = reach(wanted), _sharing(wanted)
    return Operator(chart("gpu-operator", catalog), where, claimed, ways, fields, interval, direct)


def keda(stack: Stack, catalog: Catalog) -> Chart | None:
    """KEDA's chart, None when AKS brings KEDA or nobody does."""
    return chart("keda", catalog) if stack.keda == "helm" else None


def _sharing(pools: Sequence[PoolPlan]) -> dict[str, Sharing]:
    return dict(sorted({"default": Sharing(), **{sharing(one.pool): one.pool.sharing for one in pools}}.items()))


def chart(name: str, catalog: Catalog) -> Chart:
    """A chart of the catalog, pinned."""
    row = catalog.must("charts", name)
    return Chart(
        release=name,
        name=row["chart"],
        repository=row["repository"],
        oci=row["type"] == "oci",
        version=row["version"],
        namespace=row["namespace"],
        rows=catalog.own("charts", name),
        definitions="foreignDefinitions" not in row,
    )
