"""A trigger type that KEDA does not have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        types: list[str] = objects.catalog.must("triggers", "keda")["types"]
        if trigger.type in types or is_template(trigger.type):
            continue
        closest = nearest(trigger.type.replace("_", "-"), types, 0.8)  # one slip in five letters
        place = (*trigger.pointer, "type")
        if closest:
            message = f"unknown KEDA trigger type '{trigger.type}'"
            repair = Repair(Change.VALUE, place, closest)
            yield Finding(trigger.item, place, message, f"use {closest}", repair=repair)


RULE = Rule(
    code="KED016",
    name="unknown-trigger-type",
    severity=Severity.ERROR,
    never_ready=True,
    summary="The type of a trigger is close to a KEDA trigger type but does not match it.",
    help="KEDA has no scaler for the type, so the ScaledObject is never Ready. gitgpu reports only types that are "
    "close to a known type: a newer KEDA may have others.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/scalers_builder.go",
        "https://keda.sh/docs/2.18/scalers/",
    ),
    facts=("triggers/keda",),
    check=_check,
    fixable=True,
)
