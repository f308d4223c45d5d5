"""The outcome of each field of an object, compared with the object that the spec emits."""

from typing import Any

import pytest

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.field_outcomes import GeneratedObject, field_fates
from tests.adopt.clusters import observed
from tests.adopt.test_recorded_imports import CATALOG

AGENTS, KARPENTER, CLASS = "ManagedClustersAgentPool", "NodePool", "AKSNodeClass"
EMPTY_TAINTS: Any = {"template": {"spec": {"taints": []}}}


def expiring(time: str) -> Any:
    """A NodePool whose nodes expire."""
    return {"template": {"spec": {"expireAfter": time}}}


def fates(kind: str, spec: Any, ours: Any) -> list[tuple[str, Fate, str]]:
    """Each field in the spec of an object, its fate, and the reason."""
    body = {"apiVersion": "x/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    made = GeneratedObject({**body, "spec": ours}, CATALOG.must("edits", kind.lower()), {})
    outcomes = (outcome for outcome, _ in field_fates(observed(body), made, CATALOG))
    return [
        (".".join(map(str, each.pointer[1:])), each.fate, each.reason) for each in outcomes if each.pointer[0] == "spec"
    ]


@pytest.mark.parametrize(
    ("kind", "spec", "ours", "reason"),
    [
        (KARPENTER, {"weight": 5}, {"weight": 5}, ""),
        (KARPENTER, {"weight": None}, {}, ""),
        (KARPENTER, {"weight": None}, {"weight": 5}, "not set"),
        (KARPENTER, {"weight": []}, {}, "not set"),
        (KARPENTER, {"weight": False}, {}, "not set"),
        (KARPENTER, {"weight": True}, {}, None),
        (KARPENTER, {"weight": 0}, {}, None),
        (KARPENTER, EMPTY_TAINTS, {}, None),  # part of Karpenter's hash
        (KARPENTER, expiring("24h"), expiring("1440m"), ""),
        (KARPENTER, expiring("24h"), expiring("25h"), None),
        (AGENTS, {"vmSize": "standard_nc6"}, {"vmSize": "Standard_NC6"}, "size names in Azure are not case-sensitive"),
        (AGENTS, {"vmSize": "Standard_NC6"}, {"vmSize": "Standard_NC8"}, None),
        (AGENTS, {"mode": "user"}, {"mode": "User"}, None),
        (AGENTS, {"owner": {"name": "a"}}, {"owner": {"armId": "b"}}, "the cluster that the pool is in"),
        (AGENTS, {"count": 3}, {"enableAutoScaling": True}, "chosen by AKS"),
        (AGENTS, {"count": 3}, {"count": 2}, None),
        (AGENTS, {"nodeTaints": ["a=b:NoSchedule"]}, {"scaleSetPriority": "Spot"}, None),
        (AGENTS, {"nodeTaints": ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"]},
         {"scaleSetPriority": "Spot"}, "AKS adds the taint of spot nodes itself"),
        (AGENTS, {"nodeTaints": ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"]}, {}, None),
        (CLASS, {"gpu": {"mode": "Driver"}}, {}, "a default"),
    ],
)  # fmt: skip
def test_the_fate_of_a_field(kind: str, spec: Any, ours: Any, reason: str | None) -> None:
    [(_, fate, why)] = fates(kind, spec, ours)
    assert fate is (Fate.INEXPRESSIBLE if reason is None else Fate.ADOPTED)
    assert reason is None or why == reason


@pytest.mark.parametrize("kind", [AGENTS, KARPENTER, CLASS])
def test_a_default_that_is_not_emitted_is_one_value_of_one_field(kind: str) -> None:
    for entry in CATALOG.must("edits", kind.lower())["unwritten"]:
        _, *path = entry["field"].split(".")
        [(_, _, why)] = fates(kind, nested(path, entry["value"]), {})
        assert why in ("a default", "")
        [(_, fate, _)] = fates(kind, nested(path, f"another {entry['value']}"), {})
        assert fate is Fate.INEXPRESSIBLE
        [(_, fate, _)] = fates(kind, nested([*path[:-1], "unheard"], f"{entry['value']}x"[:-1] or "x"), {})
        assert fate is Fate.INEXPRESSIBLE


def nested(path: list[str], value: Any) -> Any:
    """A value below mappings with these keys."""
    for key in reversed(path):
        value = {key: value}
    return value
