"""Converts a KEDA trigger to a trigger of `scaling`: the inverse of what gitgpu emits."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.spec.scaling import AZURE, VALUE
from gitgpu.model.syntax.boolean import GO_BOOLEANS
from gitgpu.model.syntax.duration import duration

_METRICS = {
    "gpu-utilization": ("DCGM_FI_DEV_GPU_UTIL", "gpu_gfx_activity"),
    "gpu-memory": ("DCGM_FI_DEV_FB_USED", "gpu_used_vram"),
    "tensor-activity": ("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",),
}  # the metrics of the spec, and the metric names in their queries
# Hours, minutes and seconds, with optional days in front: 1.02:30:00.
_CLOCK = re.compile(r"(?:(\d+)\.)?(\d+):(\d+):(\d+)")
_RESOURCE = "/subscriptions/{subscription}/resourceGroups/{group}/providers/{uri}"


class Readings(NamedTuple):
    """The ways to express a trigger in the spec, the likeliest first; `reason` says why there is none."""

    triggers: tuple[Mapping[str, Any], ...]
    reason: str = ""


def readings(trigger: Mapping[str, Any], server: str | None, catalog: Catalog) -> Readings:
    """The ways to express a trigger in the spec. `server` is the Prometheus of the stack."""
    sources = catalog.must("triggers", "keda")["sources"]
    kind, metadata = str(trigger.get("type")), trigger.get("metadata") or {}
    for name, row in sources.items():
        if row["type"] != kind:
            continue
        target = number(metadata.get(row["target"]))
        if target is None:
            return Readings((), f"its {kind} trigger has no number as {row['target']}")
        values: dict[str, Any] = {"target": target}
        activation = number(metadata.get(row["activation"]))
        if activation:
            values["activation"] = activation
        undivided = {"metricType": VALUE} if trigger.get("metricType") == VALUE else {}
        if name == "prometheus":
            return _prometheus(metadata, values, undivided, server)
        spec = _azure_settings(name, {key: metadata.get(keda) for key, keda in row["keys"].items()})
        return Readings(
            ({name: spec, **values, **undivided},) if spec else (), f"scaling.{name} cannot express its trigger"
        )
    supported = ", ".join(sorted(["prometheus", *{sources[name]["type"] for name in AZURE}]))
    return Readings((), f"scaling does not support the trigger type {kind}; it supports {supported}")


def _prometheus(
    metadata: Mapping[str, Any], values: Mapping[str, Any], undivided: Mapping[str, str], server: str | None
) -> Readings:
    """The metrics of the spec whose names are in the query of a trigger, then the query itself."""
    query, address = str(metadata.get("query") or ""), str(metadata.get("serverAddress") or "")
    if address != (server or ""):
        other = f"the Prometheus of the stack is {server}" if server else "the stack does not set a Prometheus"
        return Readings((), f"its trigger queries {address}, but {other}")
    triggers: list[Mapping[str, Any]] = []
    for metric, names in _METRICS.items():
        if any(name in query for name in names):
            triggers.append({"metric": metric, **values})
    strict = {"ignoreNullValues": False} if is_false(metadata.get("ignoreNullValues")) else {}
    return Readings((*triggers, {"query": query, **values, **undivided, **strict}))


def _azure_settings(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a queue, a topic or a metric in the spec; {} if something is missing."""
    values = {key: str(value) for key, value in settings.items() if value not in (None, "")}
    if name == "azureMonitor":
        parts = {key: values.pop(key, "") for key in ("subscription", "group", "uri")}
        if not all(parts.values()):
            return {}
        values["resource"] = _RESOURCE.format(**parts)
    interval = values.pop("interval", "")
    if interval:
        values["window"] = window(interval)
    if "topic" in values:
        topic = {"name": values.pop("topic"), "subscription": values.pop("subscription", "")}
        return {**values, "topic": topic}
    return values


def window(clock: str) -> str:
    """An interval in KEDA's notation (hours, minutes and seconds), in the notation of the spec."""
    match = _CLOCK.fullmatch(clock)
    parts = match.groups() if match else ("0", "0", "0", "0")
    days, hours, minutes, seconds = (int(part or 0) for part in parts)
    return duration(((days * 24 + hours) * 60 + minutes) * 60 + seconds)


def number(value: Any) -> int | float | None:
    """The number in a text, as an integer if it is whole; None if the text is not a number."""
    try:
        amount = float(str(value))
    except ValueError:
        return None
    return int(amount) if amount.is_integer() else amount


def is_false(value: Any) -> bool:
    """Whether a text is one that KEDA reads as false."""
    return str(value) in GO_BOOLEANS and str(value)[0] in "0fF"


def identities(spec: Mapping[str, Any]) -> Iterator[str]:
    """The managed identity that a TriggerAuthentication uses; nothing for other authentication."""
    pod = spec.get("podIdentity") or {}
    if pod.get("provider") == "azure-workload" and pod.get("identityId"):
        yield str(pod["identityId"])
