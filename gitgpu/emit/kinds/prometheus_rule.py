"""The alert rules, for the operator of a cluster's own Prometheus.

Azure managed Prometheus reads no such object: its rule group is a resource of Azure, and a page.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.layers import rules
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.scrape import home
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import Alert

NAME = "gitgpu-gpus"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One PrometheusRule with one group, beside the first scrape object."""
    if rules(plan):
        labels = dict(plan.cluster.stack.metrics.labels)
        body = {
            "apiVersion": "monitoring.coreos.com/v1",
            "kind": "PrometheusRule",
            "metadata": {"name": NAME, "namespace": home(plan), "labels": labels},
            "spec": {"groups": [{"name": NAME, "rules": [_rule(one) for one in plan.alerts]}]},
        }
        rows = tuple(dict.fromkeys(row for one in plan.alerts for row in one.rows))
        yield Manifest(plan.cluster.name, Layer.MONITORING, body, plan.mark, rows=rows)


def _rule(one: Alert) -> Body:
    if not one.severity:
        return {"record": one.name, "expr": one.expr}
    return {
        "alert": one.name,
        "expr": one.expr,
        **({"for": one.wait} if one.wait else {}),
        "labels": {"severity": one.severity},
        "annotations": {"summary": one.summary, "description": one.description},
    }


EMITTER = Emitter("PrometheusRule", emit)
