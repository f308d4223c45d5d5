"""How Prometheus Adapter is installed."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.view import View
from gitgpu.objects.workload.autoscalers import autoscalers

_PATH = ("adapter",)


def infer(view: View) -> Iterator[Evidence]:
    """`helm` if its chart runs; `none` if it was not read, but an autoscaler reads metrics of pods."""
    for chart in installed_charts(view, "prometheus-adapter"):
        if reason := why_chart_stays(chart, view):
            yield Evidence(_PATH, "none", reason, chart.observed, chart.pointer)
            return
        yield Evidence(_PATH, "helm", f"{chart.title} serves pod metrics", chart.observed, chart.pointer)
    for item in autoscalers(view.objects):
        metrics = reach(item.body, "spec", "metrics") or ()
        if any(reach(metric, "type") == "Pods" for metric in metrics):
            reason = (
                f"HorizontalPodAutoscaler {item.identity.name} reads pod metrics, but nothing in the input "
                "installs Prometheus Adapter"
            )
            yield Evidence(_PATH, "none", reason, view.original(item), ("spec", "metrics"))
            return
