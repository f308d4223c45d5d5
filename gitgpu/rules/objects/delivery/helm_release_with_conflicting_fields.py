"""Fields of a HelmRelease that are mutually exclusive, or that another one requires."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import HELM_RELEASE, OCI_REPOSITORY
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# Fields of chart.spec that belong to a HelmChart, each with the value that its default gives it in any case.
_OF_HELM_CHART = {
    "chart": None,
    "sourceRef": None,
    "version": "*",
    "reconcileStrategy": "ChartVersion",
    "valuesFiles": None,
    "ignoreMissingValuesFiles": None,
}


def _check(objects: Objects) -> Iterator[Finding]:
    patched = objects.patched_names(*HELM_RELEASE)
    for item in objects.of(*HELM_RELEASE):
        if item.identity.name in patched:
            continue
        spec = mapping_at(item.body, "spec")
        for fault in (*_chart_faults(spec), *_oci_faults(mapping_at(spec, "chart")), *_strategy_faults(spec)):
            yield Finding(item, *fault)


def _chart_faults(spec: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    if "chart" in spec and "chartRef" in spec:
        yield ("spec", "chartRef"), "chart and chartRef are both set", "remove one of them"
    if "chart" not in spec and "chartRef" not in spec:
        yield ("spec",), "neither chart nor chartRef is set", "add the chart to install, or a chartRef to its source"


def _oci_faults(chart: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    place, fields, kind = ("spec", "chart", "spec"), mapping_at(chart, "spec"), OCI_REPOSITORY.kind
    if text_at(chart, "kind") != kind:
        if "url" in fields:
            yield (
                (*place, "url"),
                f"chart.spec.url is only for kind: {kind}",
                f"set kind: {kind} in chart, or remove url",
            )
        for field in ("chart", "sourceRef") if chart else ():
            if field not in fields:
                yield place, f"the chart has no {field}", f"add {field}, or set kind: {kind} in chart, and a url"
        return
    if not fields.get("url"):
        yield place, f"a chart of kind {kind} has no url", "add the url of the chart, such as oci://REGISTRY/CHART"
    for field, default in _OF_HELM_CHART.items():
        if field in fields and fields[field] != default:
            yield (*place, field), f"a chart of kind {kind} cannot have {field}", f"remove {field}"


def _strategy_faults(spec: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    for action in ("install", "upgrade"):
        strategy = mapping_at(spec, action, "strategy")
        if "retryInterval" in strategy and text_at(strategy, "name") == "RemediateOnFailure":
            message = f"retryInterval of {action}.strategy needs name: RetryOnFailure"
            yield ("spec", action, "strategy", "retryInterval"), message, "set name: RetryOnFailure, or remove it"


RULE = Rule(
    code="GIT025",
    name="helm-release-with-conflicting-fields",
    severity=Severity.ERROR,
    rejects=True,
    summary="Fields of a Flux HelmRelease conflict or are missing, such as both or none of chart and chartRef.",
    help="The API server rejects the HelmRelease: CEL rules of its CRD forbid these combinations.",
    sources=(
        "https://github.com/fluxcd/helm-controller/blob/0f61a8607a62be64638f2f912d9487e653960a6e/api/v2/helmrelease_types.go",
        "https://pkg.go.dev/github.com/fluxcd/helm-controller/api@v1.7.1/v2",
    ),
    check=_check,
)
