"""What is kept of an object: what a diagnosis needs, without values that may be secret."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.diagnose.reading.gpu_configs import kept_config
from gitgpu.diagnose.reading.older import as_served
from gitgpu.inventory.secrets import redact, secret_places, without
from gitgpu.model.names.annotations import (
    DO_NOT_DISRUPT_ANNOTATION,
    SAFE_TO_EVICT_ANNOTATION,
    SAFE_VOLUMES_ANNOTATION,
    SCALE_DOWN_DISABLED_ANNOTATION,
)
from gitgpu.model.names.groups import META_GROUP
from gitgpu.model.names.kinds import CONFIG_MAP, NODE, POD, SECRET, group_kind

_METADATA = (
    "name", "namespace", "labels", "ownerReferences", "creationTimestamp", "deletionTimestamp", "uid", "generateName",
)  # fmt: skip
# What keeps a pod or a node from being removed. Other annotations may be anything.
_ANNOTATIONS = (
    DO_NOT_DISRUPT_ANNOTATION,
    SAFE_TO_EVICT_ANNOTATION,
    SAFE_VOLUMES_ANNOTATION,
    SCALE_DOWN_DISABLED_ANNOTATION,
)
_POD = (
    "nodeName", "nodeSelector", "affinity", "tolerations", "topologySpreadConstraints", "volumes", "resourceClaims",
    "schedulingGates", "priority", "priorityClassName", "runtimeClassName", "overhead", "resources", "hostNetwork",
    "schedulerName", "preemptionPolicy",
)  # fmt: skip
_CONTAINER = ("name", "image", "resources", "ports", "restartPolicy")
_POD_STATUS = (
    "phase",
    "startTime",
    "reason",
    "message",
    "conditions",
    "nominatedNodeName",
    "containerStatuses",
    "initContainerStatuses",
)
_NODE_STATUS = ("capacity", "allocatable", "conditions", "nodeInfo")


def kept_body(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The part of an object that a diagnosis reads; None for one without a name.

    Secrets are never read, and of ConfigMaps, whose data may be anything, only configurations of GPU software.
    """
    kind, body = group_kind(body), as_served(body)
    if kind == SECRET or kind[0] == META_GROUP or not text_at(body, "metadata", "name"):
        return None
    if kind == CONFIG_MAP:
        config = kept_config(body)
        return {**config, "metadata": _metadata(body)} if config else None
    if kind == POD:
        return _object(body, _pod_spec(mapping_at(body, "spec")), _POD_STATUS)
    if kind == NODE:
        return _object(body, mapping_at(body, "spec"), _NODE_STATUS)
    kept = without(dict(body), secret_places(body))
    return {**kept, "metadata": _metadata(body), **_status(body, ())} if isinstance(kept, dict) else None


def _object(body: Mapping[str, Any], spec: Mapping[str, Any], status: tuple[str, ...]) -> dict[str, Any]:
    head = {"apiVersion": body["apiVersion"], "kind": body["kind"], "metadata": _metadata(body), "spec": spec}
    return {**head, **_status(body, status)}


def _metadata(body: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata, with the annotations that matter."""
    metadata = mapping_at(body, "metadata")
    kept = {key: metadata[key] for key in _METADATA if key in metadata}
    written = mapping_at(metadata, "annotations")
    held = {key: written[key] for key in _ANNOTATIONS if isinstance(written.get(key), str)}
    return {**kept, "annotations": held} if held else kept


def _status(body: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """The status with these keys (all, if there are none), and with redacted messages."""
    status = body.get("status")
    if not isinstance(status, dict):
        return {}
    kept = {key: status[key] for key in keys if key in status} if keys else dict(status)
    for key in ("conditions", "admissionChecks"):
        if key in kept:
            kept[key] = [_redacted(row) for row in rows(kept, key)]
    if isinstance(kept.get("message"), str):
        kept["message"] = redact(kept["message"])
    for key in ("containerStatuses", "initContainerStatuses"):
        if key in kept:
            kept[key] = [_waiting(container) for container in rows(kept, key)]
    return {"status": kept}


def _redacted(condition: dict[str, Any]) -> dict[str, Any]:
    if "message" not in condition:  # there are many conditions, and this is faster than a copy and `text_at`
        return condition
    message = condition["message"]
    return {**condition, "message": redact(message) if message and isinstance(message, str) else ""}


def _waiting(container: Mapping[str, Any]) -> dict[str, Any]:
    """The state of a container: its name, whether it is ready, and why it waits or has ended."""
    kept: dict[str, Any] = {"name": text_at(container, "name"), "ready": container.get("ready") is True}
    for name in ("state", "lastState"):
        kept[name] = {
            state: {
                "reason": text_at(facts, "reason"),
                "message": redact(text_at(facts, "message")),
                "exitCode": facts.get("exitCode"),
            }
            for state, facts in mapping_at(container, name).items()
        }
    return kept


def _pod_spec(spec: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: spec[key] for key in _POD if key in spec}
    for key in ("containers", "initContainers"):
        if key in spec:
            containers = rows(spec, key)
            kept[key] = [{name: row[name] for name in _CONTAINER if name in row} for row in containers]
    return kept
