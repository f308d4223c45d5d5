"""The Service of a served model: KAITO creates a Service for each replica, but not for an InferenceSet."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.kinds import INFERENCE_SET
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.models import ModelPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One Service for each InferenceSet, over all its replicas; KAITO creates the Service of a Workspace."""
    for model in plan.serving.models:
        if model.kind == INFERENCE_SET.kind:
            yield Manifest(plan.cluster.name, Layer.MODELS, _body(model), model.model.origin.mark)


def _body(model: ModelPlan) -> Body:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": model.model.name, "namespace": model.model.namespace},
        "spec": {"selector": dict(model.pods), "ports": [{"name": "http", "port": 80, "targetPort": model.port}]},
    }


EMITTER = Emitter("model service", emit)
