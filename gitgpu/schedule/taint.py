"""Taints and tolerations, as kube-scheduler and Karpenter compare them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

# Both keep a pod off the node. NoExecute also evicts, which does not matter before the pod runs.
HARD = ("NoSchedule", "NoExecute")


def tolerates(toleration: Mapping[str, Any], taint: Mapping[str, Any]) -> bool:
    """Whether a toleration matches a taint. Exists without a key matches every taint, no effect every effect."""
    if toleration.get("effect") and toleration["effect"] != taint.get("effect"):
        return False
    if toleration.get("key") and toleration["key"] != taint.get("key"):
        return False
    if toleration.get("operator") == "Exists":
        return True
    if toleration.get("operator") in ("Gt", "Lt"):
        return _compared(toleration, taint)
    # An empty key without Exists is invalid, and tolerates nothing.
    return bool(toleration.get("key")) and (toleration.get("value") or "") == (taint.get("value") or "")


def taint_text(taint: Mapping[str, Any]) -> str:
    """A taint as kubectl writes it."""
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint.get('key')}{value}:{taint.get('effect')}"


def _compared(toleration: Mapping[str, Any], taint: Mapping[str, Any]) -> bool:
    """Karpenter compares integers, even if the cluster's Kubernetes version does not do so yet."""
    try:
        bound, value = int(toleration.get("value") or ""), int(taint.get("value") or "")
    except ValueError:
        return False
    return value > bound if toleration["operator"] == "Gt" else value < bound


def untolerated_taints(
    taints: Iterable[Mapping[str, Any]], tolerations: Iterable[Mapping[str, Any]], effects: Collection[str] = HARD
) -> list[Mapping[str, Any]]:
    """The taints with one of these effects that no toleration matches."""
    written_tolerations = [toleration for toleration in tolerations if toleration]
    effective = (taint for taint in taints if taint.get("effect") in effects)
    return [taint for taint in effective if not _is_tolerated(taint, written_tolerations)]


def _is_tolerated(taint: Mapping[str, Any], tolerations: Iterable[Mapping[str, Any]]) -> bool:
    return any(tolerates(toleration, taint) for toleration in tolerations)
