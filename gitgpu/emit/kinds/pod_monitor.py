"""The scrape object for KAITO's vLLM. KAITO's Services have no labels, so the pods are scraped."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.scrape import GROUPS, limits
from gitgpu.model.names.kinds import POD_MONITOR
from gitgpu.model.spec.stack import Metrics
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.models import ModelPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One PodMonitor for each served model, in its namespace."""
    metrics = plan.cluster.stack.metrics
    if metrics.scrape == "none":
        return
    for model in plan.serving.models:
        if model.model.task == "inference":
            yield Manifest(plan.cluster.name, Layer.MODELS, _body(model, metrics), model.model.origin.mark)


def _body(model: ModelPlan, metrics: Metrics) -> Body:
    meta = {"name": model.model.name, "namespace": model.model.namespace, "labels": dict(metrics.labels)}
    return {
        "apiVersion": GROUPS[metrics.scrape],
        "kind": POD_MONITOR.kind,
        "metadata": meta,
        "spec": {
            "selector": {"matchLabels": dict(model.pods)},
            "podMetricsEndpoints": [{"portNumber": model.port, "path": "/metrics", "interval": metrics.interval}],
            **limits(metrics),
        },
    }


EMITTER = Emitter(POD_MONITOR.kind, emit)
