"""A fallback that is never used."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import of_item, scaled_objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        fallback = item.body["spec"].get("fallback")
        if not fallback:
            continue
        modifiers = reach(item.body, "spec", "advanced", "scalingModifiers") or {}
        resources = objects.catalog.must("triggers", "keda")["resources"]
        types = [trigger.type for trigger in of_item(item)]
        # With scaling modifiers, the fallback replaces the result of the formula.
        if not any(modifiers.values()) and all(kind in resources for kind in types):
            message = "the fallback needs a trigger other than cpu and memory"
            yield Finding(item, ("spec", "fallback"), message, "remove the fallback")
        if fallback.get("behavior") == "scalingModifiers" and not modifiers.get("formula"):
            message = "fallback behavior scalingModifiers needs a formula"
            remedy = "add spec.advanced.scalingModifiers.formula, or set behavior: static"
            yield Finding(item, ("spec", "fallback", "behavior"), message, remedy)


RULE = Rule(
    code="KED010",
    name="unused-fallback",
    severity=Severity.ERROR,
    rejects=True,
    summary="A ScaledObject has a fallback but no trigger or formula that can use it.",
    help="Kubernetes measures CPU and memory itself, so KEDA cannot replace these values, and its admission webhook "
    "rejects the fallback.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_types.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)
