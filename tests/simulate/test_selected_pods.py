"""Which pods an affinity term selects: by labels, expressions and namespace."""

import pytest

from tests.helping.cases import for_each
from tests.simulate.worlds import CLASS, H100X8, ZONE, Body, deployment, forecast, only, pool, verdicts, wants

HOST = "kubernetes.io/hostname"
NODES = pool("h", H100X8)
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
IN_B: Body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "b", "labels": {"team": "b"}}}


def apart(key: str = HOST, **term: object) -> Body:
    """A required anti-affinity."""
    return {"podAntiAffinity": {REQUIRED: [{"topologyKey": key, **term}]}}


def labelled(body: Body, namespace: str = "a", **labels: str) -> Body:
    """A workload whose pods also have these labels."""
    body["metadata"]["namespace"] = namespace
    body["spec"]["template"]["metadata"]["labels"] |= labels
    return body


@for_each(
    ("chosen", "nodes"),
    [
        ({"matchLabels": {"tier": "x"}}, 2),
        ({"matchLabels": {"tier": "y"}}, 1),
        ({"matchLabels": {"tier": "x", "app": "first"}}, 2),
        ({"matchLabels": {"tier": "x", "app": "second"}}, 1),
        ({}, 2),
        ({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["x", "z"]}]}, 2),
        ({"matchExpressions": [{"key": "tier", "operator": "In", "values": ["z"]}]}, 1),
        ({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["z"]}]}, 2),
        ({"matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["x"]}]}, 1),
        ({"matchExpressions": [{"key": "none", "operator": "NotIn", "values": ["x"]}]}, 2),
        ({"matchExpressions": [{"key": "tier", "operator": "Exists"}]}, 2),
        ({"matchExpressions": [{"key": "none", "operator": "Exists"}]}, 1),
        ({"matchExpressions": [{"key": "none", "operator": "DoesNotExist"}]}, 2),
        ({"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}, 1),
        ({"matchLabels": {"tier": "x"}, "matchExpressions": [{"key": "none", "operator": "Exists"}]}, 1),
        (None, 1),
    ],
)
def test_anti_affinity_applies_to_the_pods_that_its_selector_matches(chosen: Body | None, nodes: int) -> None:
    """The selector of the second workload either selects the pod of the first one or not."""
    term: Body = {} if chosen is None else {"labelSelector": chosen}
    first, second = labelled(deployment("first"), tier="x"), labelled(deployment("second", affinity=apart(**term)))
    assert len(forecast(CLASS, NODES, first, second).high) == nodes


@for_each(
    ("term", "nodes"),
    [
        ({}, 1),
        ({"namespaces": ["b"]}, 2),
        ({"namespaces": ["c"]}, 1),
        ({"namespaces": ["a"]}, 1),
        ({"namespaceSelector": {}}, 2),
        ({"namespaceSelector": {"matchLabels": {"team": "b"}}}, 2),
    ],
)
def test_anti_affinity_applies_to_the_namespaces_that_it_names(term: Body, nodes: int) -> None:
    """Without namespaces, it applies to the pod's own namespace."""
    rule = apart(labelSelector={"matchLabels": {"tier": "x"}}, **term)
    first, second = labelled(deployment("first"), namespace="b", tier="x"), deployment("second", affinity=rule)
    assert len(forecast(CLASS, NODES, IN_B, first, second).high) == nodes


def test_anti_affinity_also_applies_to_later_pods() -> None:
    """The term of the first pod keeps the second pod off its node, although the second one has no term."""
    rule = apart(labelSelector={"matchLabels": {"tier": "x"}})
    first, second = deployment("first", affinity=rule), labelled(deployment("second"), tier="x")
    assert len(forecast(CLASS, NODES, first, second).high) == 2
    assert len(forecast(CLASS, NODES, first, labelled(deployment("second"), tier="y")).high) == 1


@pytest.mark.parametrize(("keys", "nodes"), [([], 2), (["version"], 1), (["none"], 2)])
def test_match_label_keys_take_the_values_of_the_pod_itself(keys: list[str], nodes: int) -> None:
    rule = apart(labelSelector={"matchLabels": {"tier": "x"}}, matchLabelKeys=keys)
    first = labelled(deployment("first"), tier="x", version="1")
    second = labelled(deployment("second", affinity=rule), version="2")
    assert len(forecast(CLASS, NODES, first, second).high) == nodes


def test_one_pod_a_zone_in_another_namespace_counts() -> None:
    zones = wants(ZONE, "In", "eastus-1", "eastus-2")
    rule = apart(ZONE, labelSelector={"matchLabels": {"tier": "x"}}, namespaceSelector={})
    first = labelled(deployment("first", nodeSelector={ZONE: "eastus-1"}), tier="x")
    second = labelled(deployment("second", 2, affinity=rule), namespace="b", tier="x")
    result = verdicts(pool("h", H100X8, more=(zones,)), first, second)["second"]
    assert (result.high.placed, result.zones) == (1, ("eastus-2",))


@pytest.mark.parametrize("weight", [1, 100])
def test_a_preferred_anti_affinity_is_dropped_if_necessary(weight: int) -> None:
    """The limits allow only one node, so the pods share it."""
    term = {"topologyKey": HOST, "labelSelector": {"matchLabels": {"app": "w"}}}
    rule = {
        "podAntiAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": weight, "podAffinityTerm": term}]
        }
    }
    result = only(pool("h", H100X8, limits={"nvidia.com/gpu": "8"}), deployment("w", 2, affinity=rule))
    assert (result.high.placed, result.high.nodes) == (2, 1)
    assert only(NODES, deployment("w", 2, affinity=rule)).high.nodes == 2
