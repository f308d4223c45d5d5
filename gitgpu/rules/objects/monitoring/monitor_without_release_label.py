"""A monitor or alert rule that the Prometheus of kube-prometheus-stack does not select."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import MONITORING_GROUP
from gitgpu.model.names.kinds import (
    APPLICATION,
    HELM_RELEASE,
    POD_MONITOR,
    PROMETHEUS_RULE,
    SCRAPE_CONFIG,
    SERVICE_MONITOR,
)
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_CHART = "kube-prometheus-stack"
_KINDS = {  # the selector of each kind in the values
    POD_MONITOR.kind: "podMonitorSelector",
    PROMETHEUS_RULE.kind: "ruleSelector",
    SCRAPE_CONFIG.kind: "scrapeConfigSelector",
    SERVICE_MONITOR.kind: "serviceMonitorSelector",
}
_READERS = ("alloy", "k8s-monitoring", "opentelemetry", "victoria-metrics", "thanos")  # other readers of these objects


def _check(objects: Objects) -> Iterator[Finding]:
    stacks = list(releases(objects, _CHART))
    # Of several releases, any may select the objects.
    if len(stacks) != 1 or not stacks[0].whole or _has_other_reader(objects):
        return
    release, name = stacks[0], _release_name(stacks[0])
    if not name:
        return
    for kind, selector in _KINDS.items():
        # Otherwise the values select other labels, or every object.
        if not _selects_its_own(release, selector):
            continue
        for item in objects.of(MONITORING_GROUP, kind):
            labels: Mapping[str, Any] = reach(item.body, "metadata", "labels") or {}
            is_patched = item.identity.name in objects.patched_names(MONITORING_GROUP, kind)
            if labels.get("release") != name and not is_patched:
                selected = f"the Prometheus of release {name} selects the label release: {name}"
                message = f"{selected}, but this {kind} does not have it"
                remedy = (
                    f"add the label, or set prometheus.prometheusSpec.{selector}NilUsesHelmValues: false in its values"
                )
                yield Finding(item, ("metadata",), message, remedy)


def _selects_its_own(release: Release, selector: str) -> bool:
    spec = mapping_at(release.value("prometheus", "prometheusSpec"))
    labelled = spec.get(f"{selector}NilUsesHelmValues", True)  # the chart's default
    return (
        not spec.get(selector) and labelled not in (False, None) and release.value("prometheus", "enabled") is not False
    )


def _has_other_reader(objects: Objects) -> bool:
    kinds = {identity.kind for identity in objects.present if identity.group == MONITORING_GROUP}
    if not kinds.isdisjoint({"Prometheus", "PrometheusAgent", "ThanosRuler"}):
        return True
    charts = [release.chart for release in releases(objects)]
    return any(word in chart for word, chart in product(_READERS, charts))


def _release_name(release: Release) -> str:
    """The name of the Helm release; "" if the object does not determine it."""
    item = release.item
    spec = reach(item.body, "spec") or {}
    if item.identity.kind == APPLICATION.kind:
        helm = reach(item.body, *release.pointer[:-1]) or {}
        return str(helm.get("releaseName") or item.identity.name)
    if item.identity.kind != HELM_RELEASE.kind:
        return ""
    target = spec.get("targetNamespace")
    return str(spec.get("releaseName") or (f"{target}-{item.identity.name}" if target else item.identity.name))


RULE = Rule(
    code="MON022",
    name="monitor-without-release-label",
    severity=Severity.WARNING,
    summary="A monitor or rule lacks the label that the Prometheus of kube-prometheus-stack selects.",
    help="By default the Prometheus of the chart reads only objects whose label release has the name of the Helm "
    "release. It ignores others: nothing is scraped or evaluated.",
    sources=(
        "https://github.com/prometheus-community/helm-charts/issues/430",
        "https://github.com/prometheus-operator/prometheus-operator/issues/3636",
        "https://github.com/prometheus-community/helm-charts/blob/cf408a290aec489277a94450bb3511432477a53a/charts/kube-prometheus-stack/templates/prometheus/prometheus.yaml",
    ),
    check=_check,
)
