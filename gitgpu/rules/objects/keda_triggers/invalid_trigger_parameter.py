"""A trigger with parameters that KEDA cannot use."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.boolean import GO_BOOLEANS
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.node.label_values import same_but_for_case
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import Trigger, triggers
from gitgpu.objects.workload.trigger_parameters import authentication, is_given
from gitgpu.rules.object_rule import Finding, Rule

# The decimal numbers that Go's strconv.ParseFloat accepts.
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        facts = objects.catalog.must("triggers", "keda")
        given = authentication(trigger, objects)
        for keys in _needed(trigger, facts):
            if not any(is_given(trigger, key, facts, given) for key in keys):
                yield _missing(trigger, keys)
        yield from _invalid_values(trigger, facts)


def _needed(trigger: Trigger, facts: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    """The parameters that the type requires: one of each list."""
    for key in facts["needs"].get(trigger.type, ()):
        yield (key,)
    yield from facts["choices"].get(trigger.type, ())
    # A formula has its own target.
    modifiers = reach(trigger.item.body, "spec", "advanced", "scalingModifiers") or {}
    if trigger.type in facts["targetRequired"] and not any(modifiers.values()):
        yield (facts["targets"][trigger.type],)


def _missing(trigger: Trigger, keys: Sequence[str]) -> Finding:
    key = next((key for key in keys if key in trigger.metadata), keys[0])
    closest = same_but_for_case(key, tuple(trigger.metadata))
    needed = " or ".join(keys)
    message = f"a trigger of type {trigger.type} needs {needed}"
    if closest:
        message += f"; names are case-sensitive: '{closest}' is ignored"
    place = (*trigger.pointer, "metadata")
    if closest or key in trigger.metadata:
        place = trigger.place(closest or key)
    return Finding(trigger.item, place, message, f"add {needed} to its metadata", at_key=bool(closest))


def _invalid_values(trigger: Trigger, facts: Mapping[str, Any]) -> Iterator[Finding]:
    for key in facts["numbers"].get(trigger.type, ()):
        value = trigger.metadata.get(key) or "0"
        if not _NUMBER.match(value.strip()) and not is_template(value):
            remedy = 'use a number as a string, such as "80"'
            yield Finding(trigger.item, trigger.place(key), f"{key} '{value}' is not a number", remedy)
    for key in facts["truths"].get(trigger.type, ()):
        value = trigger.metadata.get(key) or "true"
        if value not in GO_BOOLEANS and not is_template(value):
            yield Finding(
                trigger.item, trigger.place(key), f"{key} '{value}' is not a boolean", 'use "true" or "false"'
            )


RULE = Rule(
    code="KED015",
    name="invalid-trigger-parameter",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A trigger has no value for a required parameter, or text where KEDA needs a number or a boolean.",
    help="The CRD accepts any metadata. KEDA parses it when it builds the trigger. If that fails, the ScaledObject "
    "is not Ready and nothing scales. Parameter names are case-sensitive, and a number cannot have a percent sign.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/schema/generated/scalers-schema.json",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/cron_scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/scalersconfig/typed_config.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)
