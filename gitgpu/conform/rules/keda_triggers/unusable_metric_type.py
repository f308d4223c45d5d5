"""A metricType that its trigger does not have."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import Trigger, triggers
from gitgpu.diagnostic import Severity
from gitgpu.model.templates import is_template

_JOB, _SHARED = "ScaledJob", "AverageValue"
_OF_RESOURCES, _OF_OTHERS = ("Utilization", "AverageValue"), ("AverageValue", "Value")


def _check(objects: Objects) -> Iterator[Finding]:
    for one in triggers(objects):
        given = one.body.get("metricType") or ""
        yield from _of_job(one, given) if one.item.identity.kind == _JOB else _of_object(one, given, objects)


def _of_job(one: Trigger, given: str) -> Iterator[Finding]:
    """KEDA divides what waits by the AverageValue of a trigger; of another type there is none, and no Job is made."""
    if given not in ("", _SHARED) and not is_template(given):
        message = f"a ScaledJob is divided by {_SHARED}; with metricType {given} KEDA makes no Job"
        yield Finding(one.item, (*one.pointer, "metricType"), message, "remove metricType")


def _of_object(one: Trigger, given: str, objects: Objects) -> Iterator[Finding]:
    resource = one.type in objects.catalog.must("triggers", "keda")["resources"]
    allowed = _OF_RESOURCES if resource else _OF_OTHERS
    if given and given not in allowed and not is_template(given):
        message = f"metricType {given} is not for a trigger of type {one.type}"
        yield Finding(one.item, (*one.pointer, "metricType"), message, f"write {' or '.join(allowed)}")
    if not given and resource and "type" not in one.metadata:
        message = f"a trigger of type {one.type} needs a metricType"
        yield Finding(one.item, one.pointer, message, "add metricType: Utilization, or AverageValue")


RULE = Rule(
    code="KED007",
    name="unusable-metric-type",
    severity=Severity.ERROR,
    summary="A trigger has a metricType that KEDA does not take for its type, or lacks one that it needs.",
    help="Utilization is a share of a pod's request, so only cpu and memory have it, and they need a metricType. With "
    "any other value KEDA cannot build the trigger, and the workload is not scaled. For a ScaledJob only AverageValue, "
    "the default, gives a number to divide by.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/cpu_memory_scaler.go",
        "https://github.com/kedacore/keda/blob/68a5b5028f35b22d50597c69819ab32c4e92f21a/pkg/scaling/scaledjob/metrics.go",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: prometheus
    metricType: Utilization
    metadata: {serverAddress: "http://prometheus.monitoring:9090", query: sum(gateway_requests_waiting), threshold: "5"}
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: prometheus
    metricType: AverageValue
    metadata: {serverAddress: "http://prometheus.monitoring:9090", query: sum(gateway_requests_waiting), threshold: "5"}
""",
)
