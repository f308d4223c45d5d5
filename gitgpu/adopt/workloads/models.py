"""Converts KAITO's Workspaces, InferenceSets and RAGEngines to GpuWorkloads that generate the same objects."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.adoption import SpecDocument
from gitgpu.emit.kinds.kaito_model import SCALE
from gitgpu.model.names.kinds import INFERENCE_SET, RAG_ENGINE
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.model.syntax.duration import duration
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.kaito_models import Model, models


class Served(NamedTuple):
    """A model, and the document that may generate it; `reason` says why there is none."""

    item: Item
    document: SpecDocument | None
    reason: str = ""


def served_models(objects: Objects, pools: Mapping[str, SpecDocument]) -> Iterator[Served]:
    """Each model. `pools` are the GpuPools by the name of their NodePool or node pool."""
    for model in models(objects):
        spec = _spec(model)
        names = _pools(model, pools)
        if not names:
            reason = "its label selector and its size do not match an adopted pool"
            yield Served(model.item, None, reason)
        elif not spec:
            yield Served(model.item, None, "a GpuWorkload supports only inference, tuning and RAG with a KAITO preset")
        else:
            name, namespace = model.item.identity.name, model.item.identity.namespace or "default"
            yield Served(model.item, SpecDocument("GpuWorkload", name, {"pools": names, **spec}, namespace))


def same_model(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """The different fields of two KAITO objects, by pointer; a count of 1 is KAITO's default."""
    left, right = _plain(first), _plain(second)
    return sorted(path for path in {**left, **right} if left.get(path) != right.get(path))


def _plain(body: Mapping[str, Any]) -> dict[str, str]:
    kept = {key: body[key] for key in ("kind", "spec", "resource", "inference", "tuning") if key in body}
    notes = mapping_at(body, "metadata", "annotations")
    kept["annotations"] = {key: value for key, value in notes.items() if key.startswith(SCALE)}
    leaves = dict(_leaves(kept, ""))
    defaults = {"resource.count": "1", "spec.replicas": "1", "spec.nodeCountLimit": "1"}
    return {path: value for path, value in leaves.items() if defaults.get(path) != value}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif value not in (None, [], ""):
        yield path, json.dumps(value, sort_keys=True) if isinstance(value, list) else str(value)


def _pools(model: Model, pools: Mapping[str, SpecDocument]) -> list[str]:
    """The pools that the model's selector names; else the first one of its size, whose nodes are like the add-on's."""
    labels = mapping_at(model.selector, "matchLabels")
    named = [str(labels[key]) for key in (NODEPOOL_LABEL, AGENTPOOL_LABEL) if key in labels]
    if named:
        return [pools[name].name for name in named if name in pools]
    sized_documents = (document for document in pools.values() if model.size in _texts(document.spec.get("sku")))
    return [document.name for document in sized_documents][:1]


def _texts(value: Any) -> Sequence[str]:
    """One text or several, as a list."""
    return [value] if isinstance(value, str) else list(map(str, value or ()))


def _spec(model: Model) -> dict[str, Any]:
    """The keys of a GpuWorkload for the task of a model; {} if the model uses no preset."""
    if model.kind == RAG_ENGINE.kind:
        return _rag(mapping_at(model.item.body, "spec"))
    if model.tuning:
        return {"tuning": _tuning(model.tuning)}
    inference = model.inference
    if not inference or not reach(inference, "preset", "name"):
        return {}
    secret = reach(inference, "preset", "presetOptions", "modelAccessSecret")
    adapters = [_adapter(mapping_at(adapter)) for adapter in list_at(inference, "adapters")]
    parts = {
        "preset": reach(inference, "preset", "name"),
        "accessSecret": secret,
        "config": inference.get("config"),
        "adapters": adapters,
        **_replicas(model),
    }
    return {"inference": _kept(parts)}


def _replicas(model: Model) -> dict[str, Any]:
    """`replicas`, or `scaling` from the annotations of KAITO's scaler; KAITO's defaults are omitted."""
    notes = mapping_at(model.item.body, "metadata", "annotations")
    if notes.get(f"{SCALE}/auto-provision") != "true":
        count = reach(model.item.body, "spec", "replicas") if model.kind == INFERENCE_SET.kind else None
        return {"replicas": count} if count not in (None, 1) else {}
    metrics = _listed_json(notes.get(f"{SCALE}/metrics"))
    parts = {"waiting": reach(metrics[0], "upthreshold") if len(metrics) == 1 else None}
    minimum, maximum = (notes.get(f"{SCALE}/{key}-replicas") for key in ("min", "max"))
    if minimum not in (None, "1"):
        parts["min"] = _number(minimum)
    if maximum:
        parts["max"] = _number(maximum)
    cooldown = whole_number(str(notes.get(f"{SCALE}/scaledowncooldown")))
    if cooldown is not None:
        parts["cooldown"] = duration(cooldown)
    return {"scaling": _kept(parts)}


def _listed_json(text: Any) -> list[Any]:
    """The list in a JSON text; empty if the text is not a list."""
    try:
        return list_at(json.loads(str(text)))
    except (ValueError, RecursionError):
        return []


def _number(text: Any) -> Any:
    """A number as a number; anything else as it is written, for the schema to report."""
    number = whole_number(str(text))
    return text if number is None else number


def _adapter(adapter: Mapping[str, Any]) -> dict[str, Any]:
    source = mapping_at(adapter, "source")
    return _kept(
        {"name": source.get("name"), "image": source.get("image"), "pullSecrets": source.get("imagePullSecrets")}
    )


def _tuning(tuning: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of `tuning`; qlora, the default method, is omitted."""
    given, output = mapping_at(tuning, "input"), mapping_at(tuning, "output")
    method = tuning.get("method")
    data = {"urls": given.get("urls"), "image": given.get("image"), "pullSecrets": given.get("imagePullSecrets")}
    return _kept(
        {
            "preset": reach(tuning, "preset", "name"),
            "method": None if method == "qlora" else method,
            "config": tuning.get("config"),
            "input": _kept(data),
            "output": _kept({"image": output.get("image"), "pushSecret": output.get("imagePushSecret")}),
        }
    )


def _rag(spec: Mapping[str, Any]) -> dict[str, Any]:
    model = reach(spec, "embedding", "local", "modelID")
    service = mapping_at(spec, "inferenceService")
    parts = {"url": service.get("url"), "contextWindow": service.get("contextWindowSize")}
    language_model = _kept({**parts, "accessSecret": service.get("accessSecret")})
    claim = reach(spec, "storage", "persistentVolume", "persistentVolumeClaim")
    return {"rag": _kept({"embedding": {"model": model}, "service": language_model, "claim": claim})} if model else {}


def _kept(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in parts.items() if value not in (None, [], {}, "")}
