"""An InferenceSet with metrics that keda-kaito-scaler cannot read."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.load.parse.quick import parse_quickly
from gitgpu.load.text import Text
from gitgpu.model.names.kinds import INFERENCE_SET
from gitgpu.model.names.prefixes import KAITO_SCALER_PREFIX
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_TYPES = ("gauge", "histogram")  # those that keda-kaito-scaler reads
_EXAMPLE = '- {name: "vllm:num_requests_waiting", type: gauge, upthreshold: 10, downthreshold: 1}'


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, INFERENCE_SET.kind):
        annotations = reach(model.item.body, "metadata", "annotations") or {}
        text = annotations.get(f"{KAITO_SCALER_PREFIX}metrics", "")
        # Without this annotation, nothing reads the metrics.
        if annotations.get(f"{KAITO_SCALER_PREFIX}auto-provision") != "true" or is_template(text):
            continue
        key = "metrics" if text else "auto-provision"
        place: Pointer = ("metadata", "annotations", f"{KAITO_SCALER_PREFIX}{key}")
        for fault in _faults(text):
            yield Finding(model.item, place, fault, f"set {KAITO_SCALER_PREFIX}metrics to a list such as {_EXAMPLE}")


def _faults(text: str) -> Iterator[str]:
    """The faults of a list of metrics, which is YAML or JSON."""
    if not text:
        yield "autoscaling is enabled, but the metrics annotation is missing"
        return
    parsed, syntax = parse_quickly(Text("metrics", text, "metrics"), as_json=False)
    listed = parsed[0].data if len(parsed) == 1 and not syntax else None
    if not isinstance(listed, list) or not listed:
        yield "the metrics annotation is not a list"
        return
    for number, metric in enumerate(listed, 1):
        yield from (f"metric {number} {fault}" for fault in _metric_faults(mapping_at(metric)))


def _metric_faults(metric: Mapping[str, Any]) -> Iterator[str]:
    up, down = metric.get("upthreshold"), metric.get("downthreshold")
    if not metric.get("name"):
        yield "has no name"
    if metric.get("type") not in _TYPES:
        yield "needs type gauge or histogram"
    if not isinstance(up, int | float) or not isinstance(down, int | float):
        yield "needs upthreshold and downthreshold"
    elif down > up:
        yield f"has a downthreshold of {down}, which is greater than the upthreshold of {up}"


RULE = Rule(
    code="KAI062",
    name="invalid-inference-set-metrics",
    severity=Severity.WARNING,
    summary="An InferenceSet enables autoscaling with keda-kaito-scaler, but its metrics are missing or not valid.",
    help="keda-kaito-scaler needs a list of metrics with two thresholds each. It no longer reads metricName and "
    "threshold of earlier releases. Without a valid list it creates no ScaledObject and only logs it.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/pkg/scaledobject/provisioner.go",
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/README.md",
    ),
    check=_check,
)
