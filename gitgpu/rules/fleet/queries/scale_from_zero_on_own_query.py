"""A workload that scales to zero on a query about what its own pods report."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.queries._own_metrics import own_query, stuck_at_zero
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each query of workloads that no other signal can scale up from zero either."""
    for workload, scaling in stuck_at_zero(inputs):
        key = "min" if scaling.idle is None else "idle"
        for signal in scaling.signals:
            if sources := own_query(signal, inputs.catalog):
                message = (
                    f"only {join_names(sources)} report what the query reads: with {key}: 0 it never scales up again"
                )
                instead = "set min: 1" if key == "min" else "remove idle"
                remedy = f"{instead}, or query something that exists without the pods, such as the queue of a gateway"
                yield Finding(workload.origin, (*signal.place, "query"), message, remedy)


RULE = Rule(
    code="SCL022",
    name="scale-from-zero-on-own-query",
    severity=Severity.WARNING,
    summary="A workload scales to zero on a query for metrics that only its own pods report.",
    help="Such a series ends with the last pod, KEDA reads the empty result as 0, and the workload never scales up "
    "again. Requests that arrive meanwhile reach no pod that could count them. A second trigger that works without "
    "pods is enough.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://github.com/vllm-project/vllm/blob/f7e3a0879e633f9924d477b85a3775cb1ae2a2e5/docs/design/metrics.md",
    ),
    check=_check,
)
