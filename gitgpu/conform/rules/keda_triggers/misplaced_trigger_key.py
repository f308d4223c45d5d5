"""A key of a trigger that stands among its parameters."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import triggers
from gitgpu.diagnostic import Severity

_KEYS = ("authenticationRef", "metricType", "useCachedMetrics")
_ANYTHING = ("external", "external-push")  # a scaler of one's own reads what it likes


def _check(objects: Objects) -> Iterator[Finding]:
    for one in triggers(objects):
        for key in _KEYS if one.type not in _ANYTHING else ():
            if key in one.metadata:
                message = f"{key} is a key of the trigger; in its metadata KEDA passes over it"
                yield Finding(one.item, one.place(key), message, "move it one level up, beside type", at_key=True)


RULE = Rule(
    code="KED037",
    name="misplaced-trigger-key",
    severity=Severity.WARNING,
    summary="A trigger has metricType, useCachedMetrics or authenticationRef in its metadata.",
    help="The metadata holds the parameters of the scaler, and KEDA does not look at others there. A metricType of "
    "Value is then AverageValue, the default, and the value is divided by the number of replicas.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaletriggers_types.go",
        "https://github.com/kedacore/keda/issues/3669",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: metrics-api
    metadata: {url: "http://chat.serving.svc/load", valueLocation: tasks, targetValue: "5", metricType: Value}
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: metrics-api
    metricType: Value
    metadata: {url: "http://chat.serving.svc/load", valueLocation: tasks, targetValue: "5"}
""",
)
