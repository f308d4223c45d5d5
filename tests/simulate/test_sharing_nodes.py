"""Pods of several workloads on the same nodes: the node of each pod, or the reason why it has none."""

import pytest

from tests.simulate.test_running import node
from tests.simulate.worlds import CLASS, H100X8, TOLERATION, Body, deployment, forecast, nodes, pool, verdicts


def test_workloads_that_share_a_node_have_separate_gpus() -> None:
    by_name = verdicts(pool("h", H100X8), deployment("one", gpus=1), deployment("three", gpus=3))
    assert {name: verdict.high.gpus for name, verdict in by_name.items()} == {"one": 1, "three": 3}
    assert {name: verdict.high.nodes for name, verdict in by_name.items()} == {"one": 1, "three": 1}


@pytest.mark.parametrize(("cpu", "new_nodes"), [("20", 0), ("30", 1)])
def test_an_existing_node_gets_the_pods_that_fit(cpu: str, new_nodes: int) -> None:
    there = node("n1", H100X8, of="h", gpus=8)  # 24 vCPUs
    result = forecast(CLASS, pool("h", H100X8), there, deployment("w", requests={"cpu": cpu}))
    assert [verdict.verdict for verdict in result.verdicts] == ["schedulable"]
    assert len(result.high) == new_nodes


def spread(name: str, *keys: str) -> Body:
    """A pod whose team spreads its pods over nodes, with matchLabelKeys."""
    constraint = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"team": "t"}},
        "matchLabelKeys": list(keys),
    }
    body = deployment(name, topologySpreadConstraints=[constraint])
    body["spec"]["template"]["metadata"]["labels"]["team"] = "t"
    return body


def test_match_label_keys_count_only_pods_with_the_same_values() -> None:
    assert len(nodes(pool("h", H100X8), spread("a"), spread("b"))) == 2
    assert len(nodes(pool("h", H100X8), spread("a", "app"), spread("b", "app"))) == 1


def test_a_pod_without_a_device_is_skipped() -> None:
    result = forecast(CLASS, pool("h", H100X8), deployment("w", gpus=0, requests={"kubernetes.io/batch": "1"}))
    assert (result.verdicts, result.skipped) == ((), 1)


@pytest.mark.parametrize(("tolerations", "verdict"), [([TOLERATION], "schedulable"), ([], "unschedulable")])
def test_a_runtime_class_adds_its_tolerations(tolerations: list[Body], verdict: str) -> None:
    runtime: Body = {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "gpu"},
        "handler": "nvidia",
        "scheduling": {"tolerations": tolerations},
    }
    pods = deployment("w", runtimeClassName="gpu", tolerations=[])
    assert verdicts(pool("h", H100X8), runtime, pods)["w"].verdict == verdict
