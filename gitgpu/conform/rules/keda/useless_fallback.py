"""A fallback that nothing could use."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import of_item, scaled_objects
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        fallback = item.body["spec"].get("fallback")
        if not fallback:
            continue
        modifiers = reach(item.body, "spec", "advanced", "scalingModifiers") or {}
        resources = objects.catalog.must("triggers", "keda")["resources"]
        types = [one.type for one in of_item(item)]
        if not any(modifiers.values()) and all(one in resources for one in types):
            message = "a fallback needs a trigger that is neither cpu nor memory, and there is none"
            yield Finding(item, ("spec", "fallback"), message, "remove the fallback")
        if fallback.get("behavior") == "scalingModifiers" and not modifiers.get("formula"):
            message = "the fallback leaves the answer to scalingModifiers, and these have no formula"
            remedy = "add spec.advanced.scalingModifiers.formula, or write behavior: static"
            yield Finding(item, ("spec", "fallback", "behavior"), message, remedy)


RULE = Rule(
    code="KED010",
    name="useless-fallback",
    severity=Severity.ERROR,
    summary="A ScaledObject has a fallback, and no trigger or formula that could fall back.",
    help="CPU and memory are measured by Kubernetes itself, and KEDA cannot answer in its place; it refuses this.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_types.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 1
  fallback: {failureThreshold: 3, replicas: 4}
  triggers: [{type: cpu, metricType: AverageValue, metadata: {value: "2"}}]
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  minReplicaCount: 1
  fallback: {failureThreshold: 3, replicas: 4}
  triggers: [{type: azure-queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
)
