"""The Service of a served model: KAITO gives each replica one of its own, and an InferenceSet none."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.models import ModelPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One Service an InferenceSet, over all its replicas; a Workspace has one of its name."""
    for one in plan.serving.models:
        if one.kind == "InferenceSet":
            yield Manifest(plan.cluster.name, Layer.MODELS, _body(one), one.model.origin.mark)


def _body(one: ModelPlan) -> Body:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": one.model.name, "namespace": one.model.namespace},
        "spec": {"selector": dict(one.pods), "ports": [{"name": "http", "port": 80, "targetPort": one.port}]},
    }


EMITTER = Emitter("model service", emit)
