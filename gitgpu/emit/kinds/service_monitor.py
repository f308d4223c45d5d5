"""The scrape object, in the API group of the scraper: each scraper reads only its own.

With honorLabels, `namespace` and `pod` still refer to the pod that uses the GPU, not to the exporter.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.scrape import GROUPS, limits
from gitgpu.model.names.kinds import SERVICE_MONITOR
from gitgpu.model.spec.stack import Metrics
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.monitoring import Monitor


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One ServiceMonitor for each target."""
    for monitor in plan.monitors:
        yield Manifest(plan.cluster.name, Layer.MONITORING, _body(monitor, plan.cluster.stack.metrics), plan.mark)


def _body(monitor: Monitor, metrics: Metrics) -> Body:
    meta = {"name": monitor.name, "namespace": monitor.namespace, "labels": dict(metrics.labels)}
    return {
        "apiVersion": GROUPS[metrics.scrape],
        "kind": SERVICE_MONITOR.kind,
        "metadata": meta,
        "spec": {
            "selector": {"matchLabels": dict(monitor.selector)},
            "namespaceSelector": {"matchNames": [monitor.namespace]},
            "endpoints": [{"port": monitor.port, "interval": metrics.interval, "honorLabels": True}],
            **limits(metrics),
        },
    }


EMITTER = Emitter(SERVICE_MONITOR.kind, emit)
