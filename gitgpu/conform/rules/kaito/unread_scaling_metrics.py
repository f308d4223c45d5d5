"""An InferenceSet whose metrics keda-kaito-scaler cannot read."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.kaito_models import models
from gitgpu.diagnostic import Severity
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.model.templates import is_template
from gitgpu.source import Pointer

_PREFIX = "scaledobject.kaito.sh/"
_TYPES = ("gauge", "histogram")
_EXAMPLE = '- {name: "vllm:num_requests_waiting", type: gauge, upthreshold: 10, downthreshold: 1}'


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, "InferenceSet"):
        given = reach(model.item.body, "metadata", "annotations") or {}
        told = given.get(f"{_PREFIX}metrics", "")
        if given.get(f"{_PREFIX}auto-provision") != "true" or is_template(told):
            continue
        key = "metrics" if told else "auto-provision"
        place: Pointer = ("metadata", "annotations", f"{_PREFIX}{key}")
        for fault in _faults(told):
            yield Finding(model.item, place, fault, f"write {_PREFIX}metrics as a list, such as {_EXAMPLE}")


def _faults(told: str) -> Iterator[str]:
    """What is wrong with a list of metrics; the text may be YAML or JSON."""
    if not told:
        yield "it is to be scaled, and there are no metrics"
        return
    parsed, syntax = parse(Text("metrics", told, "metrics"))
    listed = parsed[0].data if len(parsed) == 1 and not syntax else None
    if not isinstance(listed, list) or not listed:
        yield "the metrics are no list"
        return
    for at, one in enumerate(listed):
        yield from (f"metric {at + 1} {fault}" for fault in _of(one if isinstance(one, dict) else {}))


def _of(one: Mapping[str, Any]) -> Iterator[str]:
    up, down = one.get("upthreshold"), one.get("downthreshold")
    if not one.get("name"):
        yield "has no name"
    if one.get("type") not in _TYPES:
        yield "has no type of gauge or histogram"
    if not isinstance(up, int | float) or not isinstance(down, int | float):
        yield "has no upthreshold or no downthreshold"
    elif down > up:
        yield f"goes down below {down} and up above {up}"


RULE = Rule(
    code="KAI062",
    name="unread-scaling-metrics",
    severity=Severity.WARNING,
    summary="An InferenceSet asks keda-kaito-scaler to scale it by metrics that the scaler cannot read.",
    help="The scaler takes a list of metrics with two thresholds each; metricName and threshold of former releases are "
    "not read any more. Without a list that it can read it makes no ScaledObject, and says so in its log alone.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/pkg/scaledobject/provisioner.go",
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/README.md",
    ),
    check=_check,
    bad="""
apiVersion: kaito.sh/v1beta1
kind: InferenceSet
metadata:
  name: phi-4
  namespace: serving
  annotations:
    scaledobject.kaito.sh/auto-provision: "true"
    scaledobject.kaito.sh/max-replicas: "4"
    scaledobject.kaito.sh/metricName: vllm:num_requests_waiting
    scaledobject.kaito.sh/threshold: "10"
spec:
  labelSelector: {matchLabels: {apps: phi-4}}
  template:
    resource: {instanceType: Standard_NC24ads_A100_v4}
    inference: {preset: {name: phi-4}}
""",
    good="""
apiVersion: kaito.sh/v1beta1
kind: InferenceSet
metadata:
  name: phi-4
  namespace: serving
  annotations:
    scaledobject.kaito.sh/auto-provision: "true"
    scaledobject.kaito.sh/max-replicas: "4"
    scaledobject.kaito.sh/metrics: |
      - {name: "vllm:num_requests_waiting", type: gauge, upthreshold: 10, downthreshold: 1}
spec:
  labelSelector: {matchLabels: {apps: phi-4}}
  template:
    resource: {instanceType: Standard_NC24ads_A100_v4}
    inference: {preset: {name: phi-4}}
""",
)
