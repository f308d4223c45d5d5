"""What queues workloads: Kueue from its chart, or the managed extension of AKS."""

from collections.abc import Iterator

from gitgpu.access import text_at
from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import installed_charts, workload
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.groups import KUEUE_GROUP
from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.queues.flavors import MANAGED_PREFIX

_CHART = "kueue"
_CONTROLLER = "kueue-controller-manager"
_PATH = ("queues",)


def infer(view: View) -> Iterator[Evidence]:
    """Evidence from the extension and the objects that it generates, then from releases of the chart."""
    if view.cluster.azure.addons.get(_CHART):
        yield Evidence(_PATH, "aks", "Azure reports the managed Kueue extension", view.bare)
        return
    for observed in view.cluster.objects:
        group, _ = group_kind(observed.body)
        if group == KUEUE_GROUP and text_at(observed.body, "metadata", "name").startswith(MANAGED_PREFIX):
            yield Evidence(_PATH, "aks", f"the Kueue extension of AKS generates {observed.name}", observed)
            return
    for chart in installed_charts(view, _CHART):
        if reason := why_chart_stays(chart, view):
            yield Evidence(_PATH, "none", reason, chart.observed, chart.pointer)
            return
        yield Evidence(_PATH, "kueue", f"{chart.title} queues workloads", chart.observed, chart.pointer)
        return
    if controller := workload(view, _CONTROLLER):
        reason = f"{controller.name} runs Kueue, but is not part of its chart: it stays as it is"
        yield Evidence(_PATH, "none", reason, controller)
