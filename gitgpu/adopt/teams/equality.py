"""Whether two objects of Kueue or Kubernetes say the same, in any form."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gitgpu.access import list_at, mapping_at, rows, text_at
from gitgpu.model.names.kinds import (
    CLUSTER_QUEUE,
    LOCAL_QUEUE,
    PRIORITY_CLASS,
    PROVISIONING_REQUEST_CONFIG,
    RESOURCE_FLAVOR,
    RESOURCE_QUOTA,
)
from gitgpu.model.names.labels import NAMESPACE_LABEL
from gitgpu.model.syntax.quantity import quantity

# The defaults in the CRDs of Kueue 0.17.8 to 0.19.2, and those of Kubernetes 1.37.
_NEVER = {"policy": "Never"}
_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    CLUSTER_QUEUE.kind: {
        "flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "TryNextFlavor"},
        "namespaceSelector": None,
        "preemption": {
            "borrowWithinCohort": _NEVER,
            "reclaimWithinCohort": "Never",
            "withinClusterQueue": "Never",
        },
        "queueingStrategy": "BestEffortFIFO",
        "stopPolicy": "None",
    },
    LOCAL_QUEUE.kind: {"stopPolicy": "None"},
    PROVISIONING_REQUEST_CONFIG.kind: {
        "retryStrategy": {"backoffBaseSeconds": 60, "backoffLimitCount": 3, "backoffMaxSeconds": 1800}
    },
    PRIORITY_CLASS.kind: {"globalDefault": False, "preemptionPolicy": "PreemptLowerPriority"},
}
_HEAD = ("apiVersion", "kind", "metadata", "spec", "status")
_RENAMED = {"cohort": "cohortName", "parent": "parentName"}  # from v1beta1 to v1beta2


def difference(running: Mapping[str, Any], generated: Mapping[str, Any]) -> list[str]:
    """The fields below spec, and other fields, in which two objects of a kind do not say the same."""
    was, now = (meaning(body) for body in (running, generated))
    return [key for key in sorted(was.keys() | now.keys()) if was.get(key) != now.get(key)]


def meaning(body: Mapping[str, Any]) -> dict[str, Any]:
    """What an object says: its fields with defaults, and without the order of what has none."""
    kind = str(body.get("kind"))
    spec = {_RENAMED.get(key, key): value for key, value in mapping_at(body, "spec").items() if value is not None}
    fields = {**spec, **{key: value for key, value in body.items() if key not in _HEAD and value is not None}}
    defaults = _DEFAULTS.get(kind, {})
    said = {**defaults, **fields}
    for key, default in defaults.items():
        if isinstance(default, dict) and isinstance(said[key], Mapping):
            said[key] = {**default, **said[key]}
    if kind == CLUSTER_QUEUE.kind:
        said["namespaceSelector"] = _selector(said["namespaceSelector"])
        said["resourceGroups"] = sorted((_group(group) for group in rows(spec, "resourceGroups")), key=str)
        said["fairSharing"] = {key: _exact(value) for key, value in mapping_at(spec, "fairSharing").items()}
        said["preemption"] = {**said["preemption"], **_borrowing(said["preemption"])}
    if kind == RESOURCE_FLAVOR.kind:
        for key in ("nodeTaints", "tolerations"):
            said[key] = sorted((dict(row) for row in rows(spec, key)), key=str)
    if kind == RESOURCE_QUOTA.kind:
        said["hard"] = {key: _exact(value) for key, value in mapping_at(spec, "hard").items()}
    return said


def _borrowing(preemption: Mapping[str, Any]) -> dict[str, Any]:
    return {"borrowWithinCohort": {**_NEVER, **mapping_at(preemption, "borrowWithinCohort")}}


def amount(written: Any) -> Decimal | None:
    """A quantity; None if there is none, or it cannot be read."""
    try:
        return None if written is None else quantity(written)
    except (TypeError, ValueError):
        return None


def _exact(written: Any) -> Any:
    read = amount(written)
    return written if read is None else read


def namespaces_of(selector: Any) -> list[str]:
    """The namespaces that a selector names; [] if it selects by anything else."""
    labels = mapping_at(selector, "matchLabels")
    expressions = list(rows(selector, "matchExpressions")) if isinstance(selector, Mapping) else []
    names = [{str(value)} for key, value in labels.items() if key == NAMESPACE_LABEL]
    names += [
        set(map(str, list_at(row, "values")))
        for row in expressions
        if (row.get("key"), row.get("operator")) == (NAMESPACE_LABEL, "In")
    ]
    if len(names) != 1 or len(labels) + len(expressions) != 1:
        return []
    return sorted(names[0])


def _selector(selector: Any) -> Any:
    """The namespaces that it names, or the selector as it is."""
    return namespaces_of(selector) or selector


def _group(group: Mapping[str, Any]) -> Any:
    flavors = [(text_at(flavor, "name"), _amounts(flavor)) for flavor in rows(group, "flavors")]
    return sorted(map(str, list_at(group, "coveredResources"))), flavors


def _amounts(flavor: Mapping[str, Any]) -> dict[str, Any]:
    """The amounts of a flavor by resource."""
    return {
        text_at(row, "name"): {key: _exact(value) for key, value in row.items() if key != "name" and value is not None}
        for row in rows(flavor, "resources")
    }
