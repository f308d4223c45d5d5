"""A workload with two scalers."""

from collections import defaultdict
from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCALED_OBJECT
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import TARGET, Target, autoscalers, hpa_name, scaled_objects, target
from gitgpu.rules.object_rule import Finding, Rule

_OWNERSHIP = "validations.keda.sh/hpa-ownership"  # an annotation of an HPA
_TRANSFER = "scaledobject.keda.sh/transfer-hpa-ownership"  # an annotation of a ScaledObject


def _check(objects: Objects) -> Iterator[Finding]:
    scalers: dict[tuple[Target, str], list[Item]] = defaultdict(list)
    # Autoscalers first: `_agreed` reads the annotation that an autoscaler has for the ScaledObjects after it.
    for item in (*autoscalers(objects), *scaled_objects(objects)):
        if target(item).name:
            scalers[target(item), objects.application_key(item)].append(item)
    for (workload, _), items in scalers.items():
        for item in items[1:]:
            if item.identity != items[0].identity and not _agreed(item, items[0]):  # CNF008 reports a repeated object
                message = f"{_named(items[0])} already scales {workload.kind} '{workload.name}'"
                yield Finding(item, (*TARGET, "name"), message, _remedy(item, items[0]))


def _remedy(item: Item, other: Item) -> str:
    """Which scaler to keep. A ScaledObject can take the HorizontalPodAutoscaler over, so that there always is one."""
    if item.identity.kind == other.identity.kind:
        return "move all metrics or triggers to one scaler, and remove the other"
    name = other.identity.name
    return (
        f"move its metrics to the {item.identity.kind}, and remove it; for a change without a gap, first set "
        f'advanced.horizontalPodAutoscalerConfig.name: {name} and the annotation {_TRANSFER}: "true" here'
    )


def _named(item: Item) -> str:
    return f"{item.identity.kind} '{item.identity.name}'"


def _agreed(item: Item, other: Item) -> bool:
    """Whether KEDA ignores the other scaler, or owns it."""
    notes = reach(other.body, "metadata", "annotations") or {}
    if item.identity.kind == SCALED_OBJECT.kind and other.identity.kind != SCALED_OBJECT.kind:
        # KEDA's webhook skips an HPA with this annotation, and a ScaledObject may take over the HPA that it names.
        return notes.get(_OWNERSHIP) == "false" or hpa_name(item) == other.identity.name
    return False


RULE = Rule(
    code="KED001",
    name="duplicate-target",
    twin="SCL010",
    severity=Severity.ERROR,
    rejects=True,
    summary="Two ScaledObjects, two HorizontalPodAutoscalers, or one of each scale the same workload.",
    help="KEDA's admission webhook rejects the second scaler of a workload. Without the webhook, the HPA controller "
    "finds that two autoscalers select the same pods, reports AmbiguousSelector, and scales neither.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
        "https://github.com/kubernetes/kubernetes/pull/112011",
        "https://learn.microsoft.com/azure/aks/keda-about",
    ),
    check=_check,
)
