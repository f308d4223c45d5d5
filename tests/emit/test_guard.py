"""The guard: what its policies compare pods with, and which namespaces they leave alone."""

from typing import Any

import pytest

from gitgpu.emit.cel import join_literals, mapping, text
from gitgpu.emit.manifest import Layer
from tests.emit.fleets import Body, Emitted, cluster, document, emitted, fleet, pool

ND = "Standard_ND96isr_H100_v5"


def team(name: str, *pools: str) -> Body:
    """A team whose namespace has its name."""
    return document("GpuTeam", name, {"namespaces": [name], "quota": [{"pool": each, "gpus": 4} for each in pools]})


def built(*documents: Body, guard: str = "deny", **stack: Any) -> Emitted:
    """What a cluster with a guard gets."""
    return emitted(fleet(), cluster(stack={"guard": guard, **stack}), pool("t4"), pool("h100", ND), *documents)


def expressions(output: Emitted) -> dict[str, str]:
    """The variables of the policy for pods."""
    policy = next(body for body in output.every("ValidatingAdmissionPolicy") if body["metadata"]["name"] == "gpu-teams")
    return {variable["name"]: variable["expression"] for variable in policy["spec"]["variables"]}


def test_pods_are_compared_with_the_pools_of_their_team() -> None:
    found = expressions(built(team("a", "t4"), team("b", "t4", "h100")))
    assert found["teams"] == "{'a': 'a', 'b': 'b'}"
    assert found["teamsOf"] == "{'h100': ['b'], 't4': ['a', 'b']}"
    assert found["amountsOf"] == "{'h100': {'nvidia.com/gpu': 8}, 't4': {'nvidia.com/gpu': 1}}"
    assert found["valueOf"] == "{'h100': 'h100', 't4': 't4'}"


@pytest.mark.parametrize(
    ("guard", "action", "policy"), [("deny", ["Deny"], "Fail"), ("warn", ["Warn", "Audit"], "Ignore")]
)
def test_only_deny_denies_and_templates_are_only_warned_about(guard: str, action: list[str], policy: str) -> None:
    output = built(team("a", "t4"), guard=guard)
    bindings = {body["metadata"]["name"]: body["spec"] for body in output.every("ValidatingAdmissionPolicyBinding")}
    assert bindings["gpu-teams"]["validationActions"] == action
    assert bindings["gpu-teams-templates"]["validationActions"] == ["Warn", "Audit"]
    policies = {body["metadata"]["name"]: body["spec"] for body in output.every("ValidatingAdmissionPolicy")}
    assert {name: spec["failurePolicy"] for name, spec in policies.items()} == {
        "gpu-teams": policy,
        "gpu-teams-templates": "Ignore",
    }
    # What runs stays: only new pods are checked.
    assert [rule["operations"] for rule in policies["gpu-teams"]["matchConstraints"]["resourceRules"]] == [["CREATE"]]


def test_a_queue_is_required_only_with_kueue() -> None:
    def messages(output: Emitted) -> str:
        [policy, _] = sorted(output.every("ValidatingAdmissionPolicy"), key=lambda body: len(body["metadata"]["name"]))
        return " ".join(validation["messageExpression"] for validation in policy["spec"]["validations"])

    without, with_kueue = messages(built(team("a", "t4"))), messages(built(team("a", "t4"), queues="kueue"))
    assert ("set the label kueue.x-k8s.io/queue-name" in without, "set a nodeSelector" in without) == (False, True)
    assert ("set the label kueue.x-k8s.io/queue-name" in with_kueue, "set a nodeSelector" in with_kueue) == (
        True,
        False,
    )


def test_claims_are_compared_with_the_devices_of_a_node() -> None:
    output = built(team("a", "h100"), allocation="dra", driver="operator")
    policies = {body["metadata"]["name"]: body["spec"] for body in output.every("ValidatingAdmissionPolicy")}
    claims = policies["gpu-teams-claims"]
    found = {variable["name"]: variable["expression"] for variable in claims["variables"]}
    assert found["devicesOf"] == "{'h100': {'gpu.nvidia.com': 8}, 't4': {'gpu.nvidia.com': 1}}"
    assert claims["matchConstraints"]["resourceRules"][0]["resources"] == ["resourceclaims", "resourceclaimtemplates"]
    assert claims["failurePolicy"] == "Fail"
    assert "gpu-teams-claims" not in {
        body["metadata"]["name"] for body in built(team("a", "t4")).every("ValidatingAdmissionPolicy")
    }


def test_templates_of_cronjobs_are_checked() -> None:
    policies = {
        body["metadata"]["name"]: body["spec"] for body in built(team("a", "t4")).every("ValidatingAdmissionPolicy")
    }
    rules = policies["gpu-teams-templates"]["matchConstraints"]["resourceRules"]
    assert {kind for rule in rules for kind in rule["resources"]} == {"cronjobs", "deployments", "jobs", "statefulsets"}


def test_the_guard_is_delivered_without_teams_and_workloads() -> None:
    output = emitted(fleet(), cluster(stack={"guard": "deny"}), pool("t4"))
    synced = {body["spec"]["path"].rsplit("/", 1)[-1] for body in output.every("Kustomization", Layer.SYNC)}
    assert "workloads" in synced
    assert {manifest.layer.value for manifest in output.manifests} - {"sync"} <= synced | {"runbook"}


def test_a_cluster_without_pools_has_no_guard() -> None:
    assert not list(emitted(fleet(), cluster(stack={"guard": "deny"})).every("ValidatingAdmissionPolicy"))


def test_namespaces_of_software_are_exempt() -> None:
    output = built(team("a", "t4"), queues="kueue", driver="operator")
    for body in output.every("ValidatingAdmissionPolicy"):
        names, label = body["spec"]["matchConstraints"]["namespaceSelector"]["matchExpressions"]
        assert {"kube-system", "flux-system", "gpu-operator", "kueue-system", "gitgpu-verify"} <= set(names["values"])
        assert (label["key"], label["operator"], label["values"]) == ("gitgpu.dev/guard", "NotIn", ["none"])


def test_there_is_no_guard_by_default() -> None:
    assert not list(built(team("a", "t4"), guard="none").every("ValidatingAdmissionPolicy"))


def test_text_is_escaped_for_cel() -> None:
    assert [text(value) for value in ("a", "it's", 'a"b', "a\\b", "a\nb")] == [
        "'a'",
        r"'it\'s'",
        "'a\"b'",
        r"'a\\b'",
        r"'a\nb'",
    ]
    assert mapping({"a": "1"}) == "{'a': 1}"
    assert join_literals(("x" * 60, "y" * 60), "[]") == f"[\n  {'x' * 60},\n  {'y' * 60}\n]"
