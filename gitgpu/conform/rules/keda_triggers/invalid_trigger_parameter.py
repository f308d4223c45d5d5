"""A trigger with parameters that KEDA cannot use."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.node.label_requirements import same_but_for_case
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import Trigger, triggers
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.templates import is_template

BAD = """
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
"""

_BOOLEANS = {
    "1",
    "t",
    "T",
    "true",
    "TRUE",
    "True",
    "0",
    "f",
    "F",
    "false",
    "FALSE",
    "False",
}  # the values that Go's strconv.ParseBool accepts
# The decimal numbers that Go's strconv.ParseFloat accepts.
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        facts = objects.catalog.must("triggers", "keda")
        yield from _missing(trigger, facts)
        yield from _invalid_values(trigger, facts)


def _missing(trigger: Trigger, facts: Mapping[str, Any]) -> Iterator[Finding]:
    for key in facts["needs"].get(trigger.type, ()):
        # KEDA takes the value of KEYFromEnv from a variable of the container.
        if trigger.metadata.get(key, "") == "" and f"{key}FromEnv" not in trigger.metadata:
            closest = same_but_for_case(key, tuple(trigger.metadata))
            message = f"a trigger of type {trigger.type} needs {key}" + (
                f"; names are case-sensitive: '{closest}' is ignored" if closest else ""
            )
            place = (*trigger.pointer, "metadata")
            if closest or key in trigger.metadata:
                place = trigger.place(closest or key)
            yield Finding(trigger.item, place, message, f"add {key} to its metadata", at_key=bool(closest))


def _invalid_values(trigger: Trigger, facts: Mapping[str, Any]) -> Iterator[Finding]:
    for key in facts["numbers"].get(trigger.type, ()):
        value = trigger.metadata.get(key) or "0"
        if not _NUMBER.match(value.strip()) and not is_template(value):
            remedy = 'use a number as a string, such as "80"'
            yield Finding(trigger.item, trigger.place(key), f"{key} '{value}' is not a number", remedy)
    for key in facts["truths"].get(trigger.type, ()):
        value = trigger.metadata.get(key) or "true"
        if value not in _BOOLEANS and not is_template(value):
            yield Finding(
                trigger.item, trigger.place(key), f"{key} '{value}' is not a boolean", 'use "true" or "false"'
            )


RULE = Rule(
    code="KED015",
    name="invalid-trigger-parameter",
    severity=Severity.ERROR,
    summary="A trigger has no value for a required parameter, or text where KEDA needs a number or a boolean.",
    help="The CRD accepts any metadata. KEDA parses it when it builds the trigger. If that fails, the ScaledObject "
    "is not Ready and nothing scales. Parameter names are case-sensitive, and a number cannot have a percent sign.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/schema/generated/scalers-schema.json",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/cron_scaler.go",
    ),
    check=_check,
    bad=BAD,
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
    variants=(
        BAD.replace("serveraddress", "serverAddress").replace(
            'threshold: "80%"', 'threshold: "80"\n      ignoreNullValues: "no"'
        ),
    ),
)
