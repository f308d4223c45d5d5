"""Two triggers with the same name."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Identity, Objects
from gitgpu.objects.workload.autoscalers import triggers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    seen: set[tuple[Identity, str]] = set()
    for trigger in triggers(objects):
        name = trigger.body.get("name")
        if name and (trigger.item.identity, name) in seen:
            message = f"duplicate trigger name '{name}' in the {trigger.item.identity.kind}"
            yield Finding(trigger.item, (*trigger.pointer, "name"), message, "give each trigger a unique name, or none")
        elif name:
            seen.add((trigger.item.identity, name))


RULE = Rule(
    code="KED009",
    name="duplicate-trigger-name",
    severity=Severity.ERROR,
    rejects=True,
    summary="Two triggers of a ScaledObject or ScaledJob have the same name.",
    help="Formulas and metrics refer to triggers by name, so KEDA's admission webhook rejects duplicate names.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaletriggers_types.go",
    ),
    check=_check,
)
