"""A fallback that KEDA accepts but never applies, or not as written."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.software.autoscaling import DEFAULT_MAX_REPLICAS
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import of_item, scaled_objects
from gitgpu.rules.object_rule import Finding, Rule

_PLACE = ("spec", "fallback")
_COUNTED = ("", "static")  # the behaviors that use `replicas` as written


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        fallback = item.body["spec"].get("fallback")
        if fallback:
            yield from _never_applied(item, objects)
            if (fallback.get("behavior") or "") in _COUNTED:
                yield from _out_of_bounds(item, fallback.get("replicas"))


def _never_applied(item: Item, objects: Objects) -> Iterator[Finding]:
    modifiers = reach(item.body, "spec", "advanced", "scalingModifiers") or {}
    target = str(modifiers.get("target") or "")
    if target and not target.isdigit() and not is_template(target):
        message = f"the fallback is never applied: target '{target}' of scalingModifiers is not a whole number"
        yield Finding(item, _PLACE, message, "use a whole number as target, or remove the fallback")
    types = [trigger.type for trigger in of_item(item)]
    resources = objects.catalog.must("triggers", "keda")["resources"]
    # KED010 reports triggers on CPU and memory only.
    if "cron" in types and all(kind == "cron" or kind in resources for kind in types):
        message = "the fallback is never used: a cron trigger reads nothing that could fail"
        yield Finding(item, _PLACE, message, "remove the fallback, or add a trigger that reads a metric")


def _out_of_bounds(item: Item, replicas: int | None) -> Iterator[Finding]:
    spec = item.body["spec"]
    lowest, highest = spec.get("minReplicaCount") or 0, spec.get("maxReplicaCount") or DEFAULT_MAX_REPLICAS
    if replicas is None or lowest <= replicas <= highest or lowest > highest:
        return
    key, bound = ("maxReplicaCount", highest) if replicas > highest else ("minReplicaCount", lowest)
    side = "above" if replicas > highest else "below"
    message = f"a fallback of {replicas} is {side} {key}: {bound}, which applies instead"
    yield Finding(item, (*_PLACE, "replicas"), message, f"set replicas: {bound}, or change {key}")


RULE = Rule(
    code="KED064",
    name="fallback-without-effect",
    twin="SCL064",
    severity=Severity.WARNING,
    summary="A fallback is never applied, or has more replicas than the maximum or fewer than the minimum.",
    help="KEDA uses the fallback if a trigger fails, which cron triggers never do. With scalingModifiers, it applies "
    "the fallback only if their target is a whole number. It passes the number to the HorizontalPodAutoscaler as a "
    "metric, which stays between the minimum and the maximum.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/fallback/fallback.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/cron_scaler.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)
