"""Software that is available as an AKS add-on and as a chart: evidence for which of the two runs."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import by_aks, installed_charts, workload
from gitgpu.adopt.stack.view import View


class Addon(NamedTuple):
    """Software that is available as an AKS add-on and as a chart.

    `key` is its key in the stack and in `Azure.addons`, `title` the name of the add-on in a sentence. `chart` is a
    catalog row, `controller` the name of its Deployment.
    """

    key: str
    name: str
    title: str
    chart: str
    controller: str


def installers(view: View, addon: Addon) -> Iterator[Evidence]:
    """Evidence from the add-ons that Azure reports, then from releases, then from the controller."""
    path = (addon.key,)
    if view.cluster.azure.addons.get(addon.key):
        yield Evidence(path, "addon", f"Azure reports that {addon.title} is on", view.bare)
    for chart in installed_charts(view, addon.chart):
        if reason := why_chart_stays(chart, view):
            yield Evidence(path, "none", reason, chart.observed, chart.pointer)
            return
        yield Evidence(path, "helm", f"{chart.title} runs {addon.name}", chart.observed, chart.pointer)
    controller = workload(view, addon.controller)
    if controller and by_aks(controller):
        yield Evidence(path, "addon", f"{controller.name} is part of the AKS add-on", controller)
    elif controller:
        reason = f"{controller.name} runs {addon.name}, but is not part of the add-on or the chart: it stays as it is"
        yield Evidence(path, "none", reason, controller)


def is_unseen(view: View, addon: Addon) -> bool:
    """Whether nothing that was read shows if it runs, and how it is installed."""
    is_recorded = view.cluster.azure.addons.get(addon.key) is not None
    return not is_recorded and not installed_charts(view, addon.chart) and workload(view, addon.controller) is None
