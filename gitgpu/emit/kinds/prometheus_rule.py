"""The alert rules for a cluster's own Prometheus Operator.

Azure managed Prometheus does not read this object: its rule groups are Azure resources, which a page contains.
"""

from collections.abc import Iterator
from itertools import chain

from gitgpu.emit.delivery.layers import rules
from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.scrape import home
from gitgpu.model.names.groups import MONITORING_V1
from gitgpu.model.names.kinds import PROMETHEUS_RULE
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import Alert

NAME = "gitgpu-gpus"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One PrometheusRule with one group, in the namespace of the first scrape object."""
    if rules(plan):
        labels = dict(plan.cluster.stack.metrics.labels)
        body = {
            "apiVersion": MONITORING_V1,
            "kind": PROMETHEUS_RULE.kind,
            "metadata": {"name": NAME, "namespace": home(plan), "labels": labels},
            "spec": {"groups": [{"name": NAME, "rules": [_rule(alert) for alert in plan.alerts]}]},
        }
        rows = tuple(dict.fromkeys(chain.from_iterable(alert.rows for alert in plan.alerts)))
        yield Manifest(plan.cluster.name, Layer.MONITORING, body, plan.mark, rows=rows)


def _rule(alert: Alert) -> Body:
    if not alert.severity:
        return {"record": alert.name, "expr": alert.expr}
    wait = {"for": alert.wait} if alert.wait else {}
    return {
        "alert": alert.name,
        "expr": alert.expr,
        **wait,
        "labels": {"severity": alert.severity},
        "annotations": {"summary": alert.summary, "description": alert.description},
    }


EMITTER = Emitter(PROMETHEUS_RULE.kind, emit)
