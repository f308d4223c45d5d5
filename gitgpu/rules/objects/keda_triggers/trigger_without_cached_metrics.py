"""Cached metrics on a trigger that does not support them."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        cached = trigger.body.get("useCachedMetrics") is True
        if cached and trigger.type in objects.catalog.must("triggers", "keda")["uncached"]:
            place = (*trigger.pointer, "useCachedMetrics")
            message = f"a trigger of type {trigger.type} does not support useCachedMetrics"
            repair = Repair(Change.VALUE, place, "false")
            yield Finding(trigger.item, place, message, "remove useCachedMetrics", repair=repair)


RULE = Rule(
    code="KED011",
    name="trigger-without-cached-metrics",
    severity=Severity.ERROR,
    rejects=True,
    summary="A cpu, memory or cron trigger has useCachedMetrics.",
    help="KEDA does not query an external system for these triggers, so there is nothing to cache, and its admission "
    "webhook rejects the object.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaletriggers_types.go",
    ),
    facts=("triggers/keda",),
    check=_check,
    fixable=True,
)
