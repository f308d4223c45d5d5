"""A trigger whose parameters KEDA cannot use."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import Trigger, triggers
from gitgpu.diagnostic import Severity
from gitgpu.model.templates import is_template

_TRUTHS = {"1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"}  # of Go's ParseBool
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    for one in triggers(objects):
        facts = objects.catalog.must("triggers", "keda")
        yield from _missing(one, facts)
        yield from _values(one, facts)


def _missing(one: Trigger, facts: Mapping[str, Any]) -> Iterator[Finding]:
    for key in facts["needs"].get(one.type, ()):
        if one.metadata.get(key, "") == "" and f"{key}FromEnv" not in one.metadata:
            near = next((given for given in one.metadata if given.lower() == key.lower() and given != key), "")
            message = f"a trigger of type {one.type} needs {key}" + (f"; '{near}' is not it" if near else "")
            place = one.place(near) if near else one.place(key) if key in one.metadata else (*one.pointer, "metadata")
            yield Finding(one.item, place, message, f"add {key} to its metadata", at_key=bool(near))


def _values(one: Trigger, facts: Mapping[str, Any]) -> Iterator[Finding]:
    for key in facts["numbers"].get(one.type, ()):
        value = one.metadata.get(key) or "0"
        if not _NUMBER.match(value.strip()) and not is_template(value):
            remedy = 'write a plain number as text, such as "80"'
            yield Finding(one.item, one.place(key), f"{key} '{value}' is no number", remedy)
    for key in facts["truths"].get(one.type, ()):
        value = one.metadata.get(key) or "true"
        if value not in _TRUTHS and not is_template(value):
            yield Finding(
                one.item, one.place(key), f"{key} '{value}' is neither true nor false", 'write "true" or "false"'
            )


RULE = Rule(
    code="KED015",
    name="incomplete-trigger",
    severity=Severity.ERROR,
    summary="A trigger lacks a parameter of its type, or has text where KEDA reads a number or a truth value.",
    help="The CRD takes any metadata. KEDA reads it when it builds the trigger; when that fails the ScaledObject is "
    "not Ready and nothing is scaled. Names of parameters are case-sensitive, and percent signs are no numbers.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/schema/generated/scalers-schema.json",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/cron_scaler.go",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: prometheus
    metadata:
      serveraddress: http://prometheus.monitoring:9090
      query: sum(gateway_requests_waiting)
      threshold: "80%"
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: prometheus
    metadata:
      serverAddress: http://prometheus.monitoring:9090
      query: sum(gateway_requests_waiting)
      threshold: "80"
""",
)
