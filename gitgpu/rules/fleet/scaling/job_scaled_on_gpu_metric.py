"""A Job that scales on a GPU metric, which says nothing about waiting work."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import gpu_signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Jobs that are created depending on how busy the GPUs of running Jobs are."""
    for workload, signal, _ in gpu_signals(inputs):
        if workload.job is not None:
            message = f"{signal.metric} measures running Jobs, not waiting work"
            remedy = "scale on a queue with serviceBus or storageQueue, or on a query"
            place = (*signal.place, "metric") if "triggers" in signal.place else ("spec", "scaling")
            yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL067",
    name="job-scaled-on-gpu-metric",
    severity=Severity.ERROR,
    summary="A Job scales on a GPU metric.",
    help="KEDA divides what a trigger counts by its target, and creates that many Jobs. Busy GPUs would create more "
    "Jobs for as long as Jobs run, and without a Job there is no metric at all.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/executor/scale_jobs.go",
    ),
    facts=("metrics",),
    check=_check,
)
