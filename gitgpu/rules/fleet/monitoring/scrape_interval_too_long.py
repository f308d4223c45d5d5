"""A scrape interval longer than Prometheus looks back for a value."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.duration import seconds
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule

LOOKBACK = "5m"  # the default of Prometheus' --query.lookback-delta


def _check(inputs: Inputs) -> Iterator[Finding]:
    """One finding for each place that sets the interval, regardless of how many clusters take it from the defaults."""
    findings: dict[object, Finding] = {}
    for cluster in inputs.clusters:
        metrics = cluster.stack.metrics
        if metrics.scrape != "none" and seconds(metrics.interval) >= seconds(LOOKBACK):
            origin, where = stack_place(cluster, "metrics", "interval")
            message = f"GPUs are scraped every {metrics.interval}, but Prometheus looks back only {LOOKBACK}"
            remedy = "set interval: 2m or less; 30s is the default"
            findings[origin.ref, where] = Finding(origin, where, message, remedy)
    yield from findings.values()


RULE = Rule(
    code="MET003",
    name="scrape-interval-too-long",
    severity=Severity.WARNING,
    summary="The scrape interval of GPU metrics is so long that they disappear between scrapes.",
    help="An instant query takes the latest value of the last five minutes. Between scrapes that are farther apart "
    "there is no value: charts have gaps, alerts resolve, and scalers find no value.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/6dd98681cf4e5535807777625dd341577b5c4706/docs/querying/basics.md",
    ),
    check=_check,
)
