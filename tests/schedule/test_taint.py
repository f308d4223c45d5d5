"""Taints and tolerations."""

from typing import Any

from gitgpu.schedule.taint import taint_text, tolerates, untolerated_taints
from tests.helping.cases import for_each

GPU = {"key": "sku", "value": "gpu", "effect": "NoSchedule"}
BARE = {"key": "nvidia.com/gpu", "effect": "NoSchedule"}


@for_each(
    ("toleration", "taint", "expected"),
    [
        ({"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}, GPU, True),
        ({"key": "sku", "value": "gpu"}, GPU, True),
        ({"key": "sku", "operator": "Exists"}, GPU, True),
        ({"operator": "Exists"}, GPU, True),
        ({"key": "sku", "value": "cpu"}, GPU, False),
        ({"key": "sku"}, GPU, False),
        ({"key": "sku", "operator": "Exists", "effect": "NoExecute"}, GPU, False),
        ({"key": "nvidia.com/gpu"}, BARE, True),
        ({"key": "nvidia.com/gpu", "value": "true"}, BARE, False),
        ({}, GPU, False),
        ({"key": "age", "operator": "Gt", "value": "5"}, {"key": "age", "value": "10", "effect": "NoExecute"}, True),
        ({"key": "age", "operator": "Lt", "value": "5"}, {"key": "age", "value": "10", "effect": "NoExecute"}, False),
        ({"key": "age", "operator": "Lt", "value": "11"}, {"key": "age", "value": "10", "effect": "NoExecute"}, True),
        ({"key": "age", "operator": "Lt", "value": "10"}, {"key": "age", "value": "10", "effect": "NoExecute"}, False),
        ({"key": "age", "operator": "Gt", "value": "10"}, {"key": "age", "value": "10", "effect": "NoExecute"}, False),
        ({"key": "age", "operator": "Gt", "value": "-1"}, {"key": "age", "value": "0", "effect": "NoExecute"}, True),
        ({"key": "age", "operator": "Gt", "value": "5"}, {"key": "age", "effect": "NoExecute"}, False),
        ({"key": "age", "operator": "Lt", "value": "5"}, {"key": "age", "effect": "NoExecute"}, False),
        ({"key": "age", "operator": "Lt"}, {"key": "age", "value": "10", "effect": "NoExecute"}, False),
        ({"key": "old", "operator": "Gt", "value": "5"}, {"key": "age", "value": "10", "effect": "NoExecute"}, False),
        ({"key": "sku", "operator": "Exists", "effect": ""}, GPU, True),
        ({"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoExecute"}, GPU, False),
        ({"key": "other", "operator": "Exists"}, GPU, False),
        ({"key": "other", "value": "gpu"}, GPU, False),
        ({"operator": "Equal", "value": "gpu"}, GPU, False),
        ({"key": "nvidia.com/gpu", "value": ""}, BARE, True),
        ({"key": "age", "operator": "Gt", "value": "x"}, {"key": "age", "value": "10", "effect": "NoExecute"}, False),
    ],
)
def test_a_toleration_covers_a_taint(toleration: dict[str, Any], taint: dict[str, Any], expected: bool) -> None:
    assert tolerates(toleration, taint) is expected


def test_soft_taints_keep_no_pod_out() -> None:
    soft = {"key": "sku", "effect": "PreferNoSchedule"}
    assert untolerated_taints([GPU, soft], []) == [GPU]
    assert untolerated_taints([GPU, soft], [], effects=("PreferNoSchedule",)) == [soft]
    assert untolerated_taints([GPU, BARE], [{"key": "sku", "value": "gpu"}]) == [BARE]


def test_what_no_toleration_covers_keeps_its_order() -> None:
    last = {"key": "z", "effect": "NoExecute"}
    assert untolerated_taints([last, BARE, GPU], [None, {"key": "nvidia.com/gpu"}]) == [last, GPU]  # type: ignore[list-item]


def test_a_taint_is_written_as_kubectl_writes_it() -> None:
    assert [taint_text(taint) for taint in (GPU, BARE)] == ["sku=gpu:NoSchedule", "nvidia.com/gpu:NoSchedule"]
