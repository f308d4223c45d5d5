"""A field of a trigger that is in its metadata."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule

_KEYS = ("authenticationRef", "metricType", "useCachedMetrics")  # fields of the trigger itself
_CUSTOM = ("external", "external-push")  # a custom scaler defines its own parameters


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        if trigger.type in _CUSTOM:
            continue
        for key in _KEYS:
            if key in trigger.metadata:
                message = f"KEDA ignores {key} in the metadata of a trigger"
                yield Finding(
                    trigger.item, trigger.place(key), message, "move it one level up, next to type", at_key=True
                )


RULE = Rule(
    code="KED037",
    name="misplaced-trigger-field",
    severity=Severity.WARNING,
    summary="A trigger has metricType, useCachedMetrics or authenticationRef in its metadata.",
    help="The metadata contains the parameters of the scaler, and KEDA ignores other keys there. A metricType of Value "
    "then has the default, AverageValue, and the value is divided by the number of replicas.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaletriggers_types.go",
        "https://github.com/kedacore/keda/issues/3669",
    ),
    check=_check,
)
