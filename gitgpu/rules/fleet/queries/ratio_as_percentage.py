"""A target above 1 for a query that gives a ratio."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.gpu_units import measured_field
from gitgpu.model.metrics.promql import read_query
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a query for ratios that never reaches its target."""
    for workload, _, signal in signals(inputs):
        if not signal.query or signal.target <= 1:
            continue
        # A sum of ratios may exceed 1, so sums are omitted.
        if name := measured_field(read_query(signal.query), inputs.catalog.must("dcgm", "fields")["ratios"]):
            message = f"{name} ranges from 0 to 1 and never reaches the target {signal.target:g}"
            remedy = "set the target as a ratio, such as 0.7 for 70%, or multiply the query by 100"
            yield Finding(workload.origin, (*signal.place, "target"), message, remedy)


RULE = Rule(
    code="SCL031",
    name="ratio-as-percentage",
    twin="MON015",
    severity=Severity.WARNING,
    summary="The target of a query for a DCGM profiling metric, which ranges from 0 to 1, is greater than 1.",
    help="DCGM_FI_DEV_GPU_UTIL is a percentage; the DCGM_FI_PROF_ fields for activity and occupancy are ratios. The "
    "number of replicas follows the metric divided by the target, so the workload never scales up. A sum is not "
    "reported.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
        "https://docs.nvidia.com/datacenter/dcgm/latest/user-guide/feature-overview.html",
    ),
    facts=("dcgm/fields",),
    check=_check,
)
