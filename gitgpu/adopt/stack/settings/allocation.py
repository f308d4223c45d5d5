"""How pods request GPUs: by count, or by claim if NVIDIA's DRA driver runs."""

from collections.abc import Iterator

from gitgpu.access import text_at
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.model.driver_owner import AKS_DRA
from gitgpu.model.software.names import DRA_DRIVER
from gitgpu.objects.gitops.chart_values import effective_value


def infer(view: View) -> Iterator[Evidence]:
    """`dra` if the chart of the DRA driver runs and serves GPUs, `aks-dra` if AKS runs it on its node pools."""
    yield from _by_aks(view)
    for chart in installed_charts(view, DRA_DRIVER):
        if why_chart_stays(chart, view):
            return  # it stays with its owner
        release = chart.release
        serves = release is None or effective_value(release, view.objects, "resources", "gpus", "enabled") is not False
        if serves:
            yield Evidence(("allocation",), "dra", f"{chart.title} serves GPUs by claim", chart.observed, chart.pointer)


def _by_aks(view: View) -> Iterator[Evidence]:
    """The mode of each node pool whose GPUs AKS manages. The stack has one value for all of them."""
    modes = {nodes.pool.name: _mode(nodes) for nodes in view.pools if view.drivers.get(nodes.pool.name) == "managed"}
    for nodes in view.pools:
        if modes.get(nodes.pool.name) == "DRA":
            reason, place = "its gpuProfile.nvidia.driverMode is DRA", ("spec", "gpuProfile", "nvidia", "driverMode")
            found = Evidence(("allocation",), AKS_DRA, reason, nodes.nodes, place)
            others = [name for name, mode in modes.items() if mode != "DRA"]
            why = f"{reason}, but not that of {', '.join(others)}: the cluster has one value for stack.allocation"
            yield found._replace(fate=Fate.INEXPRESSIBLE, reason=why) if others else found


def _mode(nodes: PoolNodes) -> str:
    return text_at(nodes.agent.spec, "gpuProfile", "nvidia", "driverMode") if nodes.agent else ""
