"""A field that the CRD in the pinned chart does not have."""

import re
from collections.abc import Iterator
from typing import Any

from gitgpu.conform.gitops.chart_values import chart_row
from gitgpu.conform.gitops.releases import Release, releases
from gitgpu.conform.objects import Item, Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import KEDA
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.syntax.version import version
from gitgpu.source import Pointer

_CHART = "keda"  # the only chart whose CRDs lack fields of the kind, according to the catalog
# An exact version: with a range, it is not known which one is installed.
_EXACT = re.compile(r"v?[0-9]+\.[0-9]+\.[0-9]+")


BAD = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: keda, namespace: keda}
spec:
  interval: 1h
  chart: {spec: {chart: keda, version: 2.20.2, sourceRef: {kind: HelmRepository, name: kedacore}}}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledJob
metadata: {name: render, namespace: batch}
spec:
  jobTargetRef:
    template: {spec: {restartPolicy: Never, containers: [{name: render, image: "contoso.azurecr.io/render:1"}]}}
  rollout: {strategy: gradual}
  triggers:
  - type: prometheus
    metricType: AverageValue
    metadata: {serverAddress: "http://prometheus.monitoring:9090", query: sum(frames_waiting), threshold: "1"}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects, _CHART):
        facts = chart_row(release, objects)
        for field in facts.get("definitions", {}).get("undeclared", ()):
            if _lacks(release, field, facts):
                yield from _uses(release, field, objects)


def _lacks(release: Release, field: Facts, facts: Facts) -> bool:
    """Whether this version of the chart installs a CRD without the field. Newer versions are unknown."""
    installs = release.value("crds", "install")
    if not release.whole or installs is False or not _EXACT.fullmatch(release.version):
        return False
    is_catalogued = version(release.version) <= version(facts["version"])
    return is_catalogued and release.version.removeprefix("v") not in field["declared"]


def _uses(release: Release, field: Facts, objects: Objects) -> Iterator[Finding]:
    path = field["field"].split(".")
    for item in objects.of(KEDA, field["kind"]):
        for place in _places(item, path):
            message = f"the CRD of {field['kind']} in chart {_CHART} {release.version} has no field {path[-1]}"
            yield Finding(item, place, message, f"remove {path[-1]}, because AverageValue is the default", at_key=True)


def _places(item: Item, path: list[str]) -> list[Pointer]:
    """Every place of a field, in each item of the lists on its path."""
    places: list[tuple[Pointer, Any]] = [((), item.body)]
    for key in path:
        below: list[tuple[Pointer, Any]] = []
        for pointer, value in places:
            if isinstance(value, dict) and key in value:
                below += _items((*pointer, key), value[key])
        places = below
    return [pointer for pointer, _ in places]


def _items(pointer: Pointer, value: Any) -> list[tuple[Pointer, Any]]:
    if not isinstance(value, list):
        return [(pointer, value)]
    return [((*pointer, index), entry) for index, entry in enumerate(value)]


RULE = Rule(
    code="KED062",
    name="field-not-in-chart-definition",
    severity=Severity.ERROR,
    summary="A ScaledJob has metricType in a trigger, and the CRD in the KEDA chart does not have this field.",
    help="The chart has its own copy of the KEDA CRDs, and in most versions the ScaledJob has no metricType (2.14.0, "
    "2.20.0 and 2.20.1 have it). The API server rejects unknown fields with server-side apply and with strict "
    "validation. You do not need the field: AverageValue is the default, and the only value with which KEDA creates "
    "Jobs.",
    sources=(
        "https://github.com/kedacore/charts/blob/1444d00d90d7668cf7f53f270777d039371d90d0/keda/templates/crds/crd-scaledjobs.yaml",
        "https://github.com/kedacore/keda/blob/68a5b5028f35b22d50597c69819ab32c4e92f21a/pkg/scaling/scaledjob/metrics.go",
        "https://github.com/kedacore/keda/blob/68a5b5028f35b22d50597c69819ab32c4e92f21a/pkg/scalers/scaler.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("    metricType: AverageValue\n", ""),
)
