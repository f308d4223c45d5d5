"""Converts a ScaledObject, ScaledJob or HorizontalPodAutoscaler to candidates for `scaling`, the likeliest first."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.workloads.normal_scalers import POLLING
from gitgpu.adopt.workloads.triggers import Readings, identities, number, readings
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.names.kinds import (
    CLUSTER_TRIGGER_AUTHENTICATION,
    HORIZONTAL_POD_AUTOSCALER,
    SCALED_JOB,
    SCALED_OBJECT,
    TRIGGER_AUTHENTICATION,
)
from gitgpu.model.software.autoscaling import DEFAULT_MAX_REPLICAS
from gitgpu.model.spec.scaling import AZURE
from gitgpu.model.syntax.duration import duration
from gitgpu.objects.objects import Item, Objects
from gitgpu.plan.adapter import OF_AMD, RULES

_MAX_READINGS = 8  # combinations that are compiled at most, to find an equal scaler: each trigger multiplies them
_FAILURES = 3  # the default of `scaling.fallback.failures`
_KINDS = (SCALED_OBJECT, SCALED_JOB, HORIZONTAL_POD_AUTOSCALER)


class Scaler(NamedTuple):
    """What scales a workload: its object, and the candidates for `scaling`; `reason` says why there are none.

    `elsewhere` says that it scales only on CPU or memory, which is not about GPUs.
    """

    item: Item
    candidates: tuple[Mapping[str, Any], ...]
    reason: str = ""
    elsewhere: bool = False

    @property
    def title(self) -> str:
        """The kind and name of the object, for messages."""
        return f"{self.item.identity.kind} {self.item.identity.name}"


def scalers(objects: Objects, server: str | None) -> Iterator[Scaler]:
    """All scalers, except autoscalers that KEDA creates for a ScaledObject."""
    for group, kind in _KINDS:
        for item in objects.of(group, kind):
            owners = (reach(owner, "kind") for owner in list_at(item.body, "metadata", "ownerReferences"))
            if reach(item.body, "spec") and SCALED_OBJECT.kind not in owners:
                yield scaler(item, objects, server)


def scaler(item: Item, objects: Objects, server: str | None) -> Scaler:
    """One scaler with its candidates."""
    spec = item.body["spec"]
    if item.identity.kind == "HorizontalPodAutoscaler":
        return _autoscaler(item, spec)
    all_readings = [readings(mapping_at(trigger), server, objects.catalog) for trigger in spec["triggers"]]
    reason = next((signal.reason for signal in all_readings if not signal.triggers), "")
    if not all_readings:  # older KEDA releases accept this
        reason = "it has no triggers, so it scales nothing"
    if reason:
        return Scaler(item, (), reason)
    bounds = _bounds(spec, jobs=item.identity.kind == SCALED_JOB.kind) | _identity(item, objects)
    return Scaler(item, tuple(_scaling(bounds, signals) for signals in _combined(all_readings)))


def authentication(item: Item, reference: Mapping[str, Any], objects: Objects) -> Mapping[str, Any] | None:
    """The spec of the TriggerAuthentication that a trigger of an object names; None if it was not read."""
    kind, name = str(reference.get("kind") or TRIGGER_AUTHENTICATION.kind), str(reference.get("name") or "")
    for candidate in objects.by_name(KEDA_GROUP, kind, name):
        if kind == CLUSTER_TRIGGER_AUTHENTICATION.kind or candidate.identity.namespace == item.identity.namespace:
            return mapping_at(candidate.body, "spec")
    return None


def refers_to(item: Item, authentication: Item) -> bool:
    """Whether a trigger of an object uses this TriggerAuthentication or ClusterTriggerAuthentication."""
    kind, namespace, name = authentication.identity[1:]
    for trigger in item.body["spec"].get("triggers") or ():
        reference = mapping_at(trigger, "authenticationRef")
        if (str(reference.get("kind") or TRIGGER_AUTHENTICATION.kind), reference.get("name")) == (kind, name):
            return kind == CLUSTER_TRIGGER_AUTHENTICATION.kind or namespace == item.identity.namespace
    return False


def _combined(all_readings: Sequence[Readings]) -> Iterator[tuple[Mapping[str, Any], ...]]:
    return islice(product(*(signal.triggers for signal in all_readings)), _MAX_READINGS)


def _scaling(bounds: Mapping[str, Any], triggers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The `scaling` of these triggers. A single trigger on a metric or a query needs no list."""
    first = triggers[0]
    if len(triggers) > 1 or first.keys() & set(AZURE):
        return {**_first(bounds), "triggers": [dict(trigger) for trigger in triggers], **bounds}
    single = {"metric": "query", **first} if "query" in first else dict(first)
    return {**_first(bounds), **single, **bounds}


def _first(bounds: Mapping[str, Any]) -> dict[str, Any]:
    return {key: bounds[key] for key in ("engine", "identity") if key in bounds}


def _bounds(spec: Mapping[str, Any], *, jobs: bool) -> dict[str, Any]:
    """The numbers of replicas, the times and the behavior in `scaling`, without defaults."""
    minimum, maximum = spec.get("minReplicaCount") or 0, spec.get("maxReplicaCount")
    default = 0 if jobs else 1
    bounds: dict[str, Any] = {} if minimum == default else {"min": minimum}
    if spec.get("idleReplicaCount") is not None:
        bounds["idle"] = spec["idleReplicaCount"]
    bounds["max"] = DEFAULT_MAX_REPLICAS if maximum is None else maximum
    if spec.get("cooldownPeriod") is not None:
        bounds["cooldown"] = duration(spec["cooldownPeriod"])
    if spec.get("pollingInterval") not in (None, POLLING):
        bounds["pollingInterval"] = duration(spec["pollingInterval"])
    behavior = reach(spec, "advanced", "horizontalPodAutoscalerConfig", "behavior")
    if behavior:
        bounds["behavior"] = behavior
    fallback = mapping_at(spec, "fallback")
    if fallback:
        failures, replicas = fallback.get("failureThreshold"), fallback.get("replicas")
        keys = {"failures": failures, "replicas": replicas}
        bounds["fallback"] = {"replicas": replicas} if failures == _FAILURES else keys
    return bounds


def _identity(item: Item, objects: Objects) -> dict[str, Any]:
    """The identity for triggers in Azure; the identity for Prometheus triggers is in the stack."""
    for trigger in item.body["spec"]["triggers"]:
        reference = mapping_at(trigger, "authenticationRef")
        spec = authentication(item, reference, objects) if reference else None
        if spec and trigger.get("type") != "prometheus":
            identity = next(identities(spec), "")
            return {"identity": identity} if identity else {}
    return {}


def _autoscaler(item: Item, spec: Mapping[str, Any]) -> Scaler:
    """An autoscaler on GPU metrics, under the names that gitgpu gives to them in Prometheus Adapter."""
    metrics = [mapping_at(metric) for metric in spec.get("metrics") or ()]
    kinds = {metric.get("type") for metric in metrics}
    if kinds <= {"Resource", "ContainerResource"}:
        return Scaler(item, (), "scales on CPU or memory", elsewhere=True)
    names = {rule.name: metric for metric, rule in (*OF_AMD.items(), *RULES.items())}
    triggers = []
    for metric in metrics:
        pods = mapping_at(metric, "pods")
        name = str(reach(pods, "metric", "name") or "")
        target = number(reach(pods, "target", "averageValue"))
        if name not in names or target is None:
            supported = ", ".join(sorted(names))
            what = name or f"a metric of type {metric.get('type')}"
            return Scaler(item, (), f"it scales on {what}; with engine: hpa the metrics are {supported}")
        triggers.append({"metric": names[name], "target": target})
    return Scaler(item, (_scaling({"engine": "hpa", **_bounds_of_autoscaler(spec)}, triggers),))


def _bounds_of_autoscaler(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of replicas, and the cooldown or behavior of a HorizontalPodAutoscaler, without defaults."""
    minimum, bounds = spec.get("minReplicas"), dict[str, Any]()
    if minimum not in (None, 1):
        bounds["min"] = minimum
    bounds["max"] = spec.get("maxReplicas")
    behavior = mapping_at(spec, "behavior")
    window = reach(behavior, "scaleDown", "stabilizationWindowSeconds")
    if behavior == {"scaleDown": {"stabilizationWindowSeconds": window}}:
        bounds["cooldown"] = duration(window)
    elif behavior:
        bounds["behavior"] = behavior
    return bounds
