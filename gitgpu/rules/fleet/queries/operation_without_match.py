"""A query with an operation whose two sides never have the same labels."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.matching import unmatched_operators
from gitgpu.model.metrics.promql import read_query
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import queries


def _check(inputs: Inputs) -> Iterator[Finding]:
    for workload, query, place in queries(inputs):
        for operator in dict.fromkeys(unmatched_operators(read_query(query))):
            message = f"'{operator}' never returns anything: only one of its sides has the label gpu"
            remedy = (
                "add on(...) with the labels that both sides have, and group_left or group_right; or use scalar(...)"
            )
            yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL074",
    name="operation-without-match",
    twin="MON093",
    severity=Severity.WARNING,
    summary="The query that a workload scales on combines series of GPUs with series without the label gpu.",
    help="Prometheus combines only series whose labels are all equal, unless on() or ignoring() names the labels to "
    "compare. The result is always empty, which KEDA reads as 0.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/2d9efc5a8a8c419248233e6223f9c526add0908d/docs/querying/operators.md",
    ),
    check=_check,
)
