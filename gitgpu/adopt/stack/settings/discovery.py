"""Whether GPU Feature Discovery labels the nodes whose driver AKS installs."""

from collections.abc import Iterator

from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import DISCOVERY, part_in
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.owned_software import owned_software
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.kinds import CLUSTER_POLICY
from gitgpu.model.names.labels import MANAGED_BY_LABEL
from gitgpu.objects.gitops.chart_values import effective_value
from gitgpu.objects.workload.pods import pods


def infer(view: View) -> Iterator[Evidence]:
    """`gfd` if a DaemonSet or the chart of the device plugin runs it. The one in the GPU Operator does not count."""
    path = ("discovery",)
    if owned := owned_software(view, DISCOVERY):
        yield Evidence(path, "none", owned.reason, *owned.place)
        return
    for chart in installed_charts(view, "node-feature-discovery"):
        if reason := why_chart_stays(chart, view):
            yield Evidence(path, "none", reason, chart.observed, chart.pointer)
            return
    for chart in installed_charts(view, "nvidia-device-plugin"):
        if chart.release and effective_value(chart.release, view.objects, "gfd", "enabled") is True:
            place = chart.release.place("gfd", "enabled")
            yield Evidence(path, "gfd", f"{chart.title} sets gfd.enabled: true", chart.observed, place)
    for pod in pods(view.objects):
        operated = pod.labels.get(MANAGED_BY_LABEL) == "gpu-operator"
        owners = pod.item.body.get("metadata", {}).get("ownerReferences") or ()
        if not pod.is_daemon or operated or any(owner.get("kind") == CLUSTER_POLICY.kind for owner in owners):
            continue
        for place, container in pod.containers():
            if part_in(container) == DISCOVERY:
                reason = f"DaemonSet {pod.item.identity.name} runs GPU Feature Discovery"
                yield Evidence(path, "gfd", reason, view.original(pod.item), place)
                break
