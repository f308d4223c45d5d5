"""A target written as a ratio for a metric in percent."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.gpu_units import measured_field
from gitgpu.model.metrics.promql import read_query
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that scale to their maximum as soon as a GPU is used."""
    for workload, _, signal in signals(inputs):
        if not 0 < signal.target < 1:
            continue
        fields = inputs.catalog.must("dcgm", "fields")["percentages"]
        row = inputs.catalog.facts("metrics", signal.metric)
        percent_metric = signal.metric if row and row["unit"] == "percent" else ""
        # A sum of percentages exceeds such a target all the sooner.
        name = percent_metric or (measured_field(read_query(signal.query), fields, sums=True) if signal.query else "")
        if name:
            message = f"{name} ranges from 0 to 100, but the target {signal.target:g} is less than 1%"
            remedy = f"set the target in percent: {signal.target * 100:g}"
            yield Finding(workload.origin, (*signal.place, "target"), message, remedy)


RULE = Rule(
    code="SCL030",
    name="percentage-as-ratio",
    twin="MON025",
    severity=Severity.WARNING,
    summary="The target of a metric in percent is less than 1, as if the metric were a ratio.",
    help="gpu-utilization, gpu-memory and tensor-activity range from 0 to 100. With a target of 0.7 the workload "
    "scales to its maximum replicas as soon as a GPU is used at all, and does not scale down while it is.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    facts=("dcgm/fields", "metrics"),
    check=_check,
)
