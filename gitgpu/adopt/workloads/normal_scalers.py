"""Scalers in a normal form, which is equal for the same meaning: with defaults written out and references resolved."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from gitgpu.access import mapping_at, reach
from gitgpu.adopt.workloads.triggers import is_false, number
from gitgpu.model.software.autoscaling import DEFAULT_MAX_REPLICAS
from gitgpu.model.syntax.boolean import GO_BOOLEANS

Spec: TypeAlias = Mapping[str, Any]
Resolve: TypeAlias = Callable[[Mapping[str, Any]], Any]

_COOLDOWN, POLLING, _SUCCESSFUL, _FAILED = 300, 30, 100, 100  # KEDA's own defaults, from its CRDs and code
_DEFAULTS = {  # KEDA's defaults for the metadata of triggers
    "ignoreNullValues": "true",
    "unsafeSsl": "false",
    "activationThreshold": "0",
    "activationMessageCount": "0",
    "activationQueueLength": "0",
    "activationTargetValue": "0",
    "queueLengthStrategy": "all",
    "cloud": "AzurePublicCloud",
    "metricAggregationInterval": "0:5:0",
}
_BOOLEANS = ("ignoreNullValues", "unsafeSsl")
_IGNORED = ("metricName",)  # KEDA 2.12 and later do not read it
_NUMBERS = (
    "threshold",
    "messageCount",
    "queueLength",
    "targetValue",
    *(key for key in _DEFAULTS if key.startswith("activation")),
)


def scaled_object(spec: Spec, resolve: Resolve) -> dict[str, Any]:
    """A ScaledObject's spec, with KEDA's own key names."""
    return {
        "scaleTargetRef": _target(spec),
        "minReplicaCount": spec.get("minReplicaCount") or 0,
        "idleReplicaCount": spec.get("idleReplicaCount"),
        **_common(spec, resolve),
        "cooldownPeriod": _else(spec.get("cooldownPeriod"), _COOLDOWN),
        "initialCooldownPeriod": spec.get("initialCooldownPeriod") or 0,
        "fallback": _fallback(spec.get("fallback")),
        "advanced": _bare(spec.get("advanced")),
    }


def scaled_job(spec: Spec, resolve: Resolve) -> dict[str, Any]:
    """A ScaledJob's spec without its Job and its rollout: gitgpu sets a gradual rollout, which keeps running Jobs."""
    return {
        "minReplicaCount": spec.get("minReplicaCount") or 0,
        **_common(spec, resolve),
        "successfulJobsHistoryLimit": _else(spec.get("successfulJobsHistoryLimit"), _SUCCESSFUL),
        "failedJobsHistoryLimit": _else(spec.get("failedJobsHistoryLimit"), _FAILED),
        "envSourceContainerName": spec.get("envSourceContainerName") or "",
        "scalingStrategy": _bare(spec.get("scalingStrategy")),
    }


def autoscaler(spec: Spec, _: Resolve) -> dict[str, Any]:
    """A HorizontalPodAutoscaler's spec."""
    return {
        "scaleTargetRef": _target(spec),
        "minReplicas": _else(spec.get("minReplicas"), 1),
        "maxReplicas": spec.get("maxReplicas"),
        "metrics": [_metric(mapping_at(metric)) for metric in spec.get("metrics") or ()],
        "behavior": _bare(spec.get("behavior")),
    }


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """The different fields of two normal forms."""
    return [key for key, value in first.items() if value != second.get(key)]


def _common(spec: Spec, resolve: Resolve) -> dict[str, Any]:
    return {
        "maxReplicaCount": _else(spec.get("maxReplicaCount"), DEFAULT_MAX_REPLICAS),
        "pollingInterval": _else(spec.get("pollingInterval"), POLLING),
        "triggers": [_trigger(mapping_at(trigger), resolve) for trigger in spec.get("triggers") or ()],
    }


def _target(spec: Spec) -> tuple[str, str]:
    reference = spec.get("scaleTargetRef") or {}
    return reference.get("kind") or "Deployment", reference.get("name") or ""


def _trigger(trigger: Spec, resolve: Resolve) -> dict[str, Any]:
    """A trigger with its numbers as numbers, without metadata that are defaults."""
    read = {key: value for key, value in (trigger.get("metadata") or {}).items() if key not in _IGNORED}
    booleans = (key for key in _BOOLEANS if str(read.get(key)) in GO_BOOLEANS)
    read |= {key: "false" if is_false(read[key]) else "true" for key in booleans}
    metadata = {key: str(value) for key, value in read.items() if str(value).lower() != _DEFAULTS.get(key, "").lower()}
    numbers = {key: number(value) for key, value in metadata.items() if key in _NUMBERS}
    texts = {key: " ".join(value.split()) for key, value in metadata.items() if key not in _NUMBERS}
    return {
        "type": trigger.get("type"),
        "metricType": trigger.get("metricType") or "AverageValue",
        "metadata": texts | numbers,
        "authentication": resolve(trigger.get("authenticationRef") or {}),
        "useCachedMetrics": bool(trigger.get("useCachedMetrics")),
    }


def _fallback(spec: Any) -> Any:
    return {**spec, "behavior": spec.get("behavior") or "static"} if spec else None


def _metric(metric: Spec) -> Any:
    """The name and target of a metric of pods; other metrics as they are."""
    pods = mapping_at(metric, "pods") if metric.get("type") == "Pods" else {}
    value = reach(pods, "target", "averageValue")
    if not value:
        return dict(metric)
    return metric.get("type"), reach(pods, "metric", "name"), str(value)


def _bare(value: Any) -> Any:
    """The value without null, false and empty parts; None if nothing is left."""
    if not isinstance(value, dict):
        return value
    parts = {key: _bare(inner) for key, inner in value.items()}
    return {key: inner for key, inner in parts.items() if inner not in (None, False, {}, [])} or None


def _else(value: Any, default: Any) -> Any:
    return default if value is None else value
