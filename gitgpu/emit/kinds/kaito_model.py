"""KAITO's Workspace, InferenceSet and RAGEngine, each with the fields where that kind has them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.kinds import INFERENCE_SET, RAG_ENGINE, WORKSPACE
from gitgpu.model.syntax.duration import seconds
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.models import ModelPlan

SCALE = "scaledobject.kaito.sh"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One object for each model."""
    for model in plan.serving.models:
        meta = {"name": model.model.name, "namespace": model.model.namespace, **_annotations(model)}
        body = {
            "apiVersion": f"kaito.sh/{model.version}",
            "kind": model.kind,
            "metadata": meta,
            **_SPELL[model.kind](model),
        }
        yield Manifest(plan.cluster.name, Layer.MODELS, body, model.model.origin.mark)


def _workspace(model: ModelPlan) -> Body:
    """A Workspace has no spec."""
    task = _inference(model.model.settings) if model.model.task == "inference" else _tuning(model.model.settings)
    return {"resource": _nodes(model), model.model.task: task}


def _inference_set(model: ModelPlan) -> Body:
    """Without `replicas` if a scaler sets them."""
    settings = model.model.settings
    spec: Body = {} if "scaling" in settings else {"replicas": settings.get("replicas", 1)}
    spec["labelSelector"] = {"matchLabels": dict(model.selector)}
    spec["template"] = {"inference": _inference(settings)}
    return {"spec": spec}


def _rag_engine(model: ModelPlan) -> Body:
    settings = model.model.settings
    spec: Body = {"compute": _nodes(model), "embedding": {"local": {"modelID": settings["embedding"]["model"]}}}
    if "claim" in settings:
        spec["storage"] = {"persistentVolume": {"persistentVolumeClaim": settings["claim"]}}
    if "service" in settings:
        spec["inferenceService"] = _kept(
            settings["service"], url="url", contextWindow="contextWindowSize", accessSecret="accessSecret"
        )
    return {"spec": spec}


def _nodes(model: ModelPlan) -> Body:
    size = {"instanceType": model.size} if model.size else {}
    return {**size, "labelSelector": {"matchLabels": dict(model.selector)}}


def _inference(settings: Mapping[str, Any]) -> Body:
    preset: Body = {"name": settings["preset"]}
    if "accessSecret" in settings:
        preset["presetOptions"] = {"modelAccessSecret": settings["accessSecret"]}
    inference: Body = {"preset": preset, **_kept(settings, config="config")}
    if adapters := settings.get("adapters"):
        sources = [_kept(adapter, name="name", image="image", pullSecrets="imagePullSecrets") for adapter in adapters]
        inference["adapters"] = [{"source": source} for source in sources]
    return inference


def _tuning(settings: Mapping[str, Any]) -> Body:
    return {
        "preset": {"name": settings["preset"]},
        "method": settings["method"],
        **_kept(settings, config="config"),
        "input": _kept(settings["input"], urls="urls", image="image", pullSecrets="imagePullSecrets"),
        "output": _kept(settings["output"], image="image", pushSecret="imagePushSecret"),
    }


def _annotations(model: ModelPlan) -> Body:
    """The annotations from which keda-kaito-scaler creates a ScaledObject. With one threshold it would oscillate."""
    scaling = model.model.settings.get("scaling")
    if not scaling:
        return {}
    up = scaling["waiting"]
    # A tenth, as in KAITO's own tests (.github/workflows/aikit.yaml: 10 and 1).
    metric = {"name": "vllm:num_requests_waiting", "type": "gauge", "upthreshold": up, "downthreshold": up / 10}
    annotations = {
        f"{SCALE}/auto-provision": "true",
        f"{SCALE}/min-replicas": str(scaling["min"]),
        f"{SCALE}/max-replicas": str(scaling["max"]),
        f"{SCALE}/metrics": json.dumps([metric]),
    }
    if "cooldown" in scaling:
        annotations[f"{SCALE}/scaledowncooldown"] = str(seconds(scaling["cooldown"]))
    return {"annotations": annotations}


def _kept(settings: Mapping[str, Any], **names: str) -> Body:
    """The keys that are set, under KAITO's names."""
    return {name: settings[key] for key, name in names.items() if key in settings}


_SPELL = {WORKSPACE.kind: _workspace, INFERENCE_SET.kind: _inference_set, RAG_ENGINE.kind: _rag_engine}
EMITTER = Emitter("KAITO", emit)
