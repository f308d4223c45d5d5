"""An operation whose two sides never have the same labels."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.matching import unmatched_operators
from gitgpu.objects.monitoring.queries import queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for query in queries(objects):
        for operator in dict.fromkeys(unmatched_operators(query.parts)):
            message = f"'{operator}' never returns anything: only one of its sides has the label gpu"
            remedy = (
                "add on(...) with the labels that both sides have, and group_left or group_right; or use scalar(...)"
            )
            yield Finding(query.item, query.pointer, message, remedy)


RULE = Rule(
    code="MON093",
    name="operation-without-match",
    twin="SCL074",
    severity=Severity.WARNING,
    summary="An operation in a query combines series of GPUs with series without the label gpu, and has no on().",
    help="Prometheus combines only series whose labels are all equal, unless on() or ignoring() names the labels to "
    "compare. The series of a GPU have the label gpu; an aggregation without it, and metrics of Kubernetes and of "
    "nodes, do not. The result is always empty: an alert never fires, and KEDA reads 0.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/2d9efc5a8a8c419248233e6223f9c526add0908d/docs/querying/operators.md",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/rendermetrics/render_metrics.go",
    ),
    check=_check,
)
