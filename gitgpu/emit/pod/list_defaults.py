"""Defaults that the CRD of KEDA's ScaledJob has inside lists of its pods.

Argo CD compares lists item by item: a default that the API server adds there would be a difference forever. The paths
are those of config/crd/bases/keda.sh_scaledjobs.yaml in kedacore/keda at 68a5b5028f35 (v2.20.2). Empty names of
references are omitted, because a reference without a name is not valid.
"""

from collections.abc import Mapping
from typing import Any

from gitgpu.emit.emitter import Body

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_OF_CONTAINERS: Mapping[tuple[str, ...], Any] = {
    ("ports", "*", "protocol"): "TCP",
    **{(probe, "grpc", "service"): "" for probe in _PROBES},
    ("env", "*", "valueFrom", "fileKeyRef", "optional"): False,
}
_OF_VOLUMES: Mapping[tuple[str, ...], Any] = {
    ("azureDisk", "fsType"): "ext4",
    ("azureDisk", "readOnly"): False,
    ("iscsi", "iscsiInterface"): "default",
    ("rbd", "keyring"): "/etc/ceph/keyring",
    ("rbd", "pool"): "rbd",
    ("rbd", "user"): "admin",
    ("scaleIO", "fsType"): "xfs",
    ("scaleIO", "storageMode"): "ThinProvisioned",
}
_DEFAULTS: Mapping[tuple[str, ...], Any] = {
    **{("containers", "*", *path): value for path, value in _OF_CONTAINERS.items()},
    **{("initContainers", "*", *path): value for path, value in _OF_CONTAINERS.items()},
    **{("volumes", "*", *path): value for path, value in _OF_VOLUMES.items()},
}


def with_list_defaults(job: Body) -> Body:
    """The spec of a Job with these defaults written in its pods."""
    pod = job["template"]["spec"]
    for path, value in _DEFAULTS.items():
        pod = _written(pod, path, value)
    return {**job, "template": {**job["template"], "spec": pod}}


def without_list_defaults(pod: Body) -> Body:
    """The spec of a pod without these defaults: it is unknown whether they were written or added."""
    for path, value in _DEFAULTS.items():
        pod = _removed(pod, path, value)
    return pod


def _written(value: Any, path: tuple[str, ...], default: Any) -> Any:
    """The value with a default at a path, if the mapping that has the last key exists."""
    key, *rest = path
    if key == "*":
        return [_written(item, tuple(rest), default) for item in value] if isinstance(value, list) else value
    if not isinstance(value, dict):
        return value
    if not rest:
        return value if key in value else {**value, key: default}
    return {**value, key: _written(value[key], tuple(rest), default)} if key in value else value


def _removed(value: Any, path: tuple[str, ...], default: Any) -> Any:
    """The value without a key at a path that has the default."""
    key, *rest = path
    if key == "*":
        return [_removed(item, tuple(rest), default) for item in value] if isinstance(value, list) else value
    if not isinstance(value, dict) or key not in value:
        return value
    if rest:
        return {**value, key: _removed(value[key], tuple(rest), default)}
    return {kept: item for kept, item in value.items() if kept != key or item != default}
