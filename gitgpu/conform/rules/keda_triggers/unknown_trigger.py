"""A type of trigger that KEDA does not have."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import triggers
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.templates import is_template
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    for one in triggers(objects):
        known: list[str] = objects.catalog.must("triggers", "keda")["types"]
        if one.type in known or not one.type or is_template(one.type):
            continue
        near = nearest(one.type.replace("_", "-"), known, 0.8)
        place = (*one.pointer, "type")
        if near:
            message = f"KEDA has no trigger of type '{one.type}'"
            repair = Repair(Change.VALUE, place, near)
            yield Finding(one.item, place, message, f"write {near}", repair=repair)


RULE = Rule(
    code="KED016",
    name="unknown-trigger",
    severity=Severity.ERROR,
    summary="A trigger's type is not one of KEDA's, but almost.",
    help="KEDA finds no scaler for the type, so the ScaledObject is never Ready. A type that resembles none is left "
    "alone: a newer KEDA may have it.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/scalers_builder.go",
        "https://keda.sh/docs/2.18/scalers/",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers: [{type: azure-service-bus, metadata: {queueName: prompts, namespace: contoso}}]
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers: [{type: azure-servicebus, metadata: {queueName: prompts, namespace: contoso}}]
""",
)
