"""A trigger whose query gives more than one series."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.queries import DCGM, asked
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.promql import AGGREGATIONS, Tokens, operands, selectors, shape

_OF_MANY = (*DCGM, "vllm:")  # one series for each GPU, or for each server


_KEEPING = {
    *("abs", "avg_over_time", "ceil", "clamp", "clamp_max", "clamp_min", "delta", "deriv", "floor", "idelta"),
    *("increase", "irate", "last_over_time", "max_over_time", "min_over_time", "rate", "round", "sum_over_time"),
}  # functions that give one value for every series


def _check(objects: Objects) -> Iterator[Finding]:
    for query in asked(objects):
        why = _many(query.tokens)
        if why:
            remedy = "aggregate into one number, such as sum(...) or max(...) over all of it"
            yield Finding(query.item, query.pointer, f"KEDA takes a single series, and {why}", remedy)


def _many(given: Tokens) -> str:
    parts = operands(given)
    if parts is None:
        return ""
    if len(parts) > 1:
        return next((why for part in parts if (why := _many(part))), "")
    one = shape(given)
    if one is None:
        return _selected(given)
    if one.name in AGGREGATIONS:
        kept = [label for label in one.by if not _pinned(label, one.inner)]
        return f"'{one.name} by ({', '.join(kept)})' gives one for each {' and '.join(kept)}" if kept else ""
    return _many(one.inner) if one.name in _KEEPING else ""


def _selected(given: Tokens) -> str:
    found = selectors(given)
    if len(found) == 1 and found[0].metric.startswith(_OF_MANY):
        each = "GPU" if found[0].metric.startswith(DCGM) else "server"
        return f"'{found[0].metric}' without an aggregation has one for each {each}"
    return ""


def _pinned(label: str, given: Tokens) -> bool:
    """Does every selector ask for one value of the label?"""
    return all(any((one.label, one.operator) == (label, "=") for one in found.matchers) for found in selectors(given))


RULE = Rule(
    code="KED018",
    name="query-of-many-series",
    severity=Severity.WARNING,
    summary="The query of a prometheus trigger gives a series for each GPU, pod or other label value.",
    help="As soon as the answer has more than one element KEDA reports an error for the trigger, and nothing is "
    "scaled. With a single GPU or pod it works, which is why it is found late.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://keda.sh/docs/2.18/scalers/prometheus/",
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
    metadata:
      serverAddress: http://prometheus.monitoring:9090
      query: sum by (pod) (rate(gateway_requests_total{service="chat"}[5m]))
      threshold: "5"
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: prometheus
    metadata:
      serverAddress: http://prometheus.monitoring:9090
      query: sum(rate(gateway_requests_total{service="chat"}[5m]))
      threshold: "5"
""",
)
