"""How pods request GPUs: by count, or by claim if NVIDIA's DRA driver runs."""

from collections.abc import Iterator

from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.view import View
from gitgpu.objects.gitops.chart_values import effective_value

CHART = "dra-driver-nvidia-gpu"


def infer(view: View) -> Iterator[Evidence]:
    """`dra` if the chart of the DRA driver runs and serves GPUs."""
    for chart in installed_charts(view, CHART):
        release = chart.release
        serves = release is None or effective_value(release, view.objects, "resources", "gpus", "enabled") is not False
        if serves:
            yield Evidence(("allocation",), "dra", f"{chart.title} serves GPUs by claim", chart.observed, chart.pointer)
