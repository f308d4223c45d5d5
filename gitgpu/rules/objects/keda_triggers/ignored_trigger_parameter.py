"""A parameter of a trigger that KEDA no longer reads."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for trigger in triggers(objects):
        dropped = objects.catalog.must("triggers", "keda")["gone"].get(trigger.type, {})
        for key in trigger.metadata:
            if key in dropped:
                message = f"KEDA no longer reads {key} for a trigger of type {trigger.type}"
                yield Finding(trigger.item, trigger.place(key), message, dropped[key], at_key=True)


RULE = Rule(
    code="KED014",
    name="ignored-trigger-parameter",
    severity=Severity.WARNING,
    summary="The metadata of a trigger has a parameter that KEDA has dropped.",
    help="KEDA 2.12 dropped metricName, and type of cpu and memory triggers became metricType. Many samples still "
    "show both.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/CHANGELOG.md",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/schema/generated/scalers-schema.json",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/autoscale-gpu-workloads-with-keda.md",
    ),
    facts=("triggers/keda",),
    check=_check,
)
