"""A metricType that the trigger does not support."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCALED_JOB
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import Trigger, triggers
from gitgpu.rules.object_rule import Finding, Rule

_SHARED = "AverageValue"
# Of triggers on CPU and memory, and of all others.
_OF_RESOURCES, _OF_OTHERS = ("Utilization", "AverageValue"), ("AverageValue", "Value")


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        metric_type = trigger.body.get("metricType") or ""
        if trigger.item.identity.kind == SCALED_JOB.kind:
            yield from _job_faults(trigger, metric_type)
        else:
            yield from _object_faults(trigger, metric_type, objects)


def _job_faults(trigger: Trigger, metric_type: str) -> Iterator[Finding]:
    """Findings about types other than AverageValue: KEDA divides the queue by it, and creates no Job without it."""
    if metric_type not in ("", _SHARED) and not is_template(metric_type):
        message = f"a ScaledJob needs metricType {_SHARED}: with {metric_type}, KEDA does not create Jobs"
        yield Finding(trigger.item, (*trigger.pointer, "metricType"), message, "remove metricType")


def _object_faults(trigger: Trigger, metric_type: str, objects: Objects) -> Iterator[Finding]:
    resource = trigger.type in objects.catalog.must("triggers", "keda")["resources"]
    allowed = _OF_RESOURCES if resource else _OF_OTHERS
    if metric_type and metric_type not in allowed and not is_template(metric_type):
        message = f"a trigger of type {trigger.type} does not support metricType {metric_type}"
        yield Finding(trigger.item, (*trigger.pointer, "metricType"), message, f"use {' or '.join(allowed)}")
    # `type` in the metadata is the older form (KED014).
    if not metric_type and resource and "type" not in trigger.metadata:
        message = f"a trigger of type {trigger.type} needs a metricType"
        yield Finding(trigger.item, trigger.pointer, message, "add metricType: Utilization, or AverageValue")


RULE = Rule(
    code="KED007",
    name="unsupported-metric-type",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A trigger has a metricType that its type does not support, or no metricType although one is required.",
    help="Utilization is a percentage of a pod's request, so only cpu and memory triggers support it, and they need "
    "a metricType. With an unsupported value KEDA cannot build the trigger, and the workload is not scaled. A "
    "ScaledJob supports only AverageValue, the default.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/cpu_memory_scaler.go",
        "https://github.com/kedacore/keda/blob/68a5b5028f35b22d50597c69819ab32c4e92f21a/pkg/scaling/scaledjob/metrics.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)
