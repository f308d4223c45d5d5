"""The effect of changes on the nodes of a pool: budgets, limits, fixed sizes, unreadable fields."""

from collections.abc import Mapping
from itertools import product
from typing import Any

from syrupy.assertion import SnapshotAssertion

from tests.compare.sides import AGENTS, CLASS, POOL, REMOVED, edited, pool_between

SPEC = "spec/template/spec"
IMAGE = {"spec/imageFamily": "AzureLinux"}
NIGHTS = {"schedule": "0 22 * * *", "duration": "8h"}
WEEKS = {"schedule": "0 0 * * *", "duration": "24h"}
BUDGETS: list[list[dict[str, Any]]] = [
    *([{"nodes": nodes}] for nodes in ("0", "0%", "10%", "3", "20", "100%")),
    [{"nodes": "10%"}, {"nodes": "0"}],
    [{"nodes": "5"}, {"nodes": "50%"}],
    [{"nodes": "2"}, {"nodes": "0", **NIGHTS}],
    [{"nodes": "2"}, {"nodes": "1", **NIGHTS}],
    [{"nodes": "0", **WEEKS}],
    [{"nodes": "0", "schedule": "soon", "duration": "1h"}],
    [{"nodes": "1", "reasons": ["Drifted"]}],
    [],
]
LIMITS = ({"nvidia.com/gpu": "8"}, {"nodes": "12"}, {"nvidia.com/gpu": "0"}, REMOVED)
EDITS: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = [
    ({"spec/replicas": 4}, {"spec/replicas": 2}),
    ({"spec/replicas": 2}, {"spec/replicas": 4}),
    ({"spec/replicas": 4}, {"spec/replicas": "2"}),
    ({"spec/replicas": 4}, {"spec/replicas": 1, f"{SPEC}/requirements/0/values": ["Standard_NC4as_T4_v3"]}),
    ({}, {"spec/replicas": 0}),
    ({}, {f"{SPEC}/taints": [], f"{SPEC}/requirements/1/values": ["spot"]}),
    ({}, {f"{SPEC}/requirements/1/values": ["spot"]}),
    ({}, {f"{SPEC}/requirements/1/values": ["reserved"]}),
    ({}, {f"{SPEC}/requirements/0/operator": "NotIn"}),
    ({}, {f"{SPEC}/requirements/0/values": ["Standard_NC6s_v3"]}),
    ({"spec/replicas": 0}, {}),
    ({}, {"spec/limits": {"nvidia.com/gpu": "4"}}),
    ({}, {"spec/limits": {"nvidia.com/gpu": "4"}, "spec/weight": 3}),
    ({}, {f"{SPEC}/expireAfter": "soon"}),
    ({}, {f"{SPEC}/taints": "x"}),
    ({}, {f"{SPEC}/requirements": "x"}),
    ({}, {"spec": None}),
    ({}, {f"{SPEC}/requirements": []}),
    ({f"{SPEC}/requirements": []}, {}),
    ({}, {f"{SPEC}/nodeClassRef/name": "other"}),
]


def test_how_nodes_are_replaced(snapshot: SnapshotAssertion) -> None:
    lines = []
    for budgets, limits in product(BUDGETS, LIMITS):
        body = edited(POOL, {"spec/disruption/budgets": budgets, "spec/limits": limits})
        change = pool_between([body, CLASS], [body, edited(CLASS, IMAGE)], minutes=10)
        shown = "no limits" if limits is REMOVED else limits
        lines.append(f"{budgets} {shown}: {tuple(change.roll or ())}")
    assert "\n".join(lines) == snapshot


def test_what_an_edit_of_a_pool_does(snapshot: SnapshotAssertion) -> None:
    lines = []
    for before, after in EDITS:
        first, second = (edited(POOL, {**edits}) for edits in (before, after))
        change = pool_between([first, CLASS], [second, CLASS])
        kept = (change.replaced, change.reason, tuple(change.before or ()), tuple(change.after or ()), change.refused)
        lines.append(f"{dict(before)} -> {dict(after)}: {kept}")
    assert "\n".join(lines) == snapshot


def test_what_an_edit_of_a_node_pool_does(snapshot: SnapshotAssertion) -> None:
    lines = []
    for field, value in (
        ("osDiskSizeGB", 256),
        ("orchestratorVersion", "1.35"),
        ("nodeTaints", ["sku=gpu:NoSchedule"]),
        ("nodeLabels", {"a": "b"}),
        ("maxPods", 50),
        ("minCount", 2),
        ("maxCount", 1),
        ("enableAutoScaling", False),
        ("mode", "System"),
        ("osSKU", "AzureLinux"),
        ("gpuProfile", {"driver": "None"}),
        ("scaleDownMode", "Deallocate"),
        ("upgradeSettings", {"maxSurge": "33%"}),
        ("unknownField", 1),
        ("vmSize", REMOVED),
        ("maxCount", REMOVED),
    ):
        change = pool_between([AGENTS], [edited(AGENTS, {f"spec/{field}": value})], "a")
        shown = "removed" if value is REMOVED else value
        kept = (change.replaced, change.reason, tuple(change.after or ()), change.refused)
        lines.append(f"{field} {shown}: {kept}")
    assert "\n".join(lines) == snapshot
