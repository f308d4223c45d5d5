"""How pods ask for GPUs: by count, or by claim where NVIDIA's DRA driver runs."""

from collections.abc import Iterator

from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import installed
from gitgpu.adopt.stack.view import View
from gitgpu.conform.gitops.chart_values import effective_value

CHART = "dra-driver-nvidia-gpu"


def infer(view: View) -> Iterator[Evidence]:
    """`dra` where the DRA driver's chart runs and serves GPUs."""
    for chart in installed(view, CHART):
        release = chart.release
        serves = release is None or effective_value(release, view.objects, "resources", "gpus", "enabled") is not False
        if serves:
            yield Evidence(("allocation",), "dra", f"{chart.title} serves GPUs by claim", chart.observed, chart.pointer)
