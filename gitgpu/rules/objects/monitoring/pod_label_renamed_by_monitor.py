"""A query by pod with a label that the monitors rename."""

from collections.abc import Iterator
from itertools import product

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.promql import Matcher
from gitgpu.objects.monitoring.monitors import chart_monitors, endpoints
from gitgpu.objects.monitoring.queries import Query, queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_LABELS = ("pod", "container")
_RELABELINGS = ("relabelings", "metricRelabelings")
_EXPORTED = "exported_"  # added by Prometheus to a label of the target that it sets itself


def _check(objects: Objects) -> Iterator[Finding]:
    monitors = [endpoint.body for endpoint in endpoints(objects) if endpoint.of_dcgm]
    monitors += [settings for _, _, settings in chart_monitors(objects)]
    honored = {settings.get("honorLabels") is True for settings in monitors}
    if len(honored) != 1 or any(settings.get(key) for settings, key in product(monitors, _RELABELINGS)):
        return  # no monitor, monitors that differ, or relabelings
    (honors,) = honored
    for query in queries(objects):
        wrong = next((matcher for matcher in query.dcgm_matchers if _lost(matcher, honors)), None)
        if wrong:
            yield _finding(query, wrong, honors)


def _lost(match: Matcher, honors: bool) -> bool:
    plain = match.label.removeprefix(_EXPORTED)
    renamed = match.label.startswith(_EXPORTED)
    # A query for the exporter's own pods is right without honorLabels.
    return plain in _LABELS and renamed == honors and "dcgm" not in match.value


def _finding(query: Query, wrong: Matcher, honors: bool) -> Finding:
    if honors:
        message = f"no series has the label '{wrong.label}', because the monitors have honorLabels: true"
        remedy = f"use {wrong.label.removeprefix(_EXPORTED)} instead of {wrong.label}"
    else:
        message = (
            f"the label '{wrong.label}' contains the exporter's own pod, because the monitors do not set honorLabels"
        )
        remedy = f"set honorLabels: true in the monitor, or {_EXPORTED}{wrong.label} in the query"
    return Finding(query.item, query.pointer, message, remedy)


RULE = Rule(
    code="MON006",
    name="pod-label-renamed-by-monitor",
    severity=Severity.WARNING,
    summary="A query selects DCGM metrics by pod or container with a label name that the monitors do not keep.",
    help="The exporter sets pod and container to the workload that uses the GPU, and Prometheus sets them to the "
    "exporter. Without honorLabels: true, the labels of the exporter are renamed to exported_pod and "
    "exported_container.",
    sources=(
        "https://prometheus.io/docs/prometheus/latest/configuration/configuration/#scrape_config",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/values.yaml",
    ),
    facts=("exporters",),
    check=_check,
)
