"""An average that is divided by the number of replicas."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.levels import level
from gitgpu.model.names.kinds import SCALED_OBJECT
from gitgpu.objects.monitoring.queries import trigger_queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_SUMMABLE = ("avg(...)", "max(...)", "min(...)", "quantile(...)")


def _check(objects: Objects) -> Iterator[Finding]:
    for query in trigger_queries(objects):
        trigger = query.trigger
        # A ScaledJob always uses AverageValue to get the number of Jobs (KED007).
        if trigger is None or trigger.item.identity.kind != SCALED_OBJECT.kind:
            continue
        # With a formula, its own metricType counts. A single replica divides by one.
        spec = trigger.item.body["spec"]
        if reach(spec, "advanced", "scalingModifiers", "formula") or spec.get("maxReplicaCount") == 1:
            continue
        is_divided = (trigger.body.get("metricType") or "AverageValue") == "AverageValue"  # KEDA's default
        what = level(query.parts, objects.catalog) if is_divided else ""
        if what:
            message = f"{what} is also divided by the number of replicas, because metricType is AverageValue"
            place = (*trigger.pointer, "metricType") if trigger.body.get("metricType") else query.pointer
            yield Finding(query.item, place, message, _remedy(what))


def _remedy(what: str) -> str:
    other = f", or sum(...) instead of {what}" if what in _SUMMABLE else ""
    return f"set metricType: Value{other}"


RULE = Rule(
    code="KED020",
    name="averaged-twice",
    twin="SCL021",
    severity=Severity.WARNING,
    summary="The query of a trigger is an average, a quantile or a latency, and its metricType is AverageValue.",
    help="AverageValue, the default, divides the result by the number of replicas before it is compared with the "
    "threshold. Two replicas at 90% then look like 45%, and ten like 9%; a latency of 4 seconds looks like 2 with two "
    "replicas. avg(...) and quantiles of histograms are reported for any metric, max, min and quantile for shares of a "
    "GPU or a cache.",
    sources=(
        "https://keda.sh/docs/2.18/reference/scaledobject-spec/",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    facts=("series/*",),
    check=_check,
)
