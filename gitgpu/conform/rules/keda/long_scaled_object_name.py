"""A ScaledObject whose name leaves no room for that of its HorizontalPodAutoscaler."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import HPA_NAME, hpa_name, scaled_objects
from gitgpu.diagnostic import Severity

_MOST = 63  # characters of a label value


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        own, made = item.identity.name, hpa_name(item)
        given = reach(item.body, *HPA_NAME)
        if len(own) > _MOST:
            message = f"the name has {len(own)} characters, and a label that holds it takes {_MOST}"
            yield Finding(item, ("metadata", "name"), message, f"use at most {_MOST} characters")
        elif len(made) > _MOST:
            place = HPA_NAME if given else ("metadata", "name")
            message = (
                f"the name of its HorizontalPodAutoscaler, {made}, has {len(made)} characters; {_MOST} are allowed"
            )
            room = _MOST if given else _MOST - len(made) + len(own)
            remedy = f"use at most {room} characters"
            name_it = ", or name it shorter in spec.advanced.horizontalPodAutoscalerConfig.name"
            yield Finding(item, place, message, remedy if given else remedy + name_it)


RULE = Rule(
    code="KED003",
    name="long-scaled-object-name",
    severity=Severity.ERROR,
    summary="The name of a ScaledObject, or the name of the HorizontalPodAutoscaler made from it, is too long.",
    help="KEDA puts the name into a label and, with keda-hpa- before it, gives it to a HorizontalPodAutoscaler; both "
    "may have 63 characters, so 54 are left unless the autoscaler has a name of its own.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: multilingual-instruction-tuned-chat-completion-frontend, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers: [{type: azure-queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: multilingual-instruction-tuned-chat-completion-frontend, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  advanced: {horizontalPodAutoscalerConfig: {name: chat}}
  triggers: [{type: azure-queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
)
