"""`nodeClass` and `operatorOptOut`: pools can use existing node classes, and share equal ones."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit import emit
from gitgpu.model.node_class import class_settings
from tests.emit.fleets import EMITTERS, SUBNET_ID, Body, cluster, emitted, fleet, plans, pool

OPT_OUT = "nvidia.com/gpu.deploy.operands"
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "image": st.sampled_from(
            ({"osDiskGB": 100}, {"family": "Ubuntu2204"}, {"fips": False}, {"osDiskGB": 100, "ephemeralOSDisk": True})
        ),
        "kubelet": st.sampled_from(({"cpuManagerPolicy": "static"}, {})),
        "maxPods": st.sampled_from((50, 110)),
        "tags": st.just({"a": "b"}),
        "driver": st.sampled_from(("aks", "none")),
        "security": st.just({"encryptionAtHost": True}),
        "subnet": st.sampled_from((SUBNET_ID, SUBNET_ID.replace("gpu", "other"))),
        "explicitDefaults": st.sampled_from(
            ({"nodeClass": {"kubelet": {}}}, {"nodeClass": {"fipsMode": "Disabled"}}, {"nodePool": {"taints": []}})
        ),
        "weight": st.just(3),
        "labels": st.just({"contoso.com/a": "b"}),
    },
)


def reference(body: Body) -> Any:
    """The name of the class that a NodePool refers to."""
    return body["spec"]["template"]["spec"]["nodeClassRef"]["name"]


def labels(body: Body) -> dict[str, str]:
    """The labels of a NodePool's nodes."""
    node_labels: dict[str, str] = body["spec"]["template"].get("metadata", {}).get("labels", {})
    return node_labels


def test_a_class_has_the_name_in_the_spec() -> None:
    output = emitted(fleet(), cluster(), pool("a", nodeClass={"name": "gpu"}, maxPods=50), pool("b"))
    assert [body["metadata"]["name"] for body in output.every("AKSNodeClass")] == ["b", "gpu"]
    assert [reference(body) for body in output.every("NodePool")] == ["gpu", "b"]
    assert output.one("AKSNodeClass", "gpu")["spec"] == {"maxPods": 50}


def test_pools_share_a_class() -> None:
    output = emitted(fleet(), cluster(), pool("a", nodeClass={"name": "gpu"}), pool("gpu"))
    assert [body["metadata"]["name"] for body in output.every("AKSNodeClass")] == ["gpu"]
    assert [reference(body) for body in output.every("NodePool")] == ["gpu", "gpu"]


@given(SETTINGS, SETTINGS)
def test_settings_are_equal_exactly_if_the_classes_are(first: Body, second: Body) -> None:
    plan = plans(fleet(), cluster(network={"subnet": SUBNET_ID}), pool("a", **first), pool("b", **second))["one"]
    bodies = [manifest.body for manifest in emit(plan, EMITTERS) if manifest.body["kind"] == "AKSNodeClass"]
    settings, other = (class_settings(each.pool, plan.cluster) for each in plan.pools)
    assert (settings == other) == (bodies[0].get("spec") == bodies[1].get("spec"))


def test_the_label_of_the_operator_can_be_omitted() -> None:
    output = emitted(fleet(), cluster(), pool("a", operatorOptOut=False), pool("b"), pool("c", operatorOptOut=True))
    assert [labels(body).get(OPT_OUT) for body in output.every("NodePool")] == [None, "false", "false"]
    usual = emitted(fleet(pool={"operatorOptOut": False}), cluster(), pool("a"), pool("b", operatorOptOut=True))
    assert [labels(body).get(OPT_OUT) for body in usual.every("NodePool")] == [None, "false"]


def test_a_template_can_contain_only_what_the_spec_sets() -> None:
    """Everything that gitgpu adds can be turned off, so that a running pool can be described exactly."""
    own = pool("a", operatorOptOut=False, taints=[], nodeClass={"name": "gpu"})
    (node_pool,) = emitted(fleet(), cluster(), own).every("NodePool")
    template = node_pool["spec"]["template"]
    assert template.keys() == {"spec"}
    assert template["spec"].keys() == {"nodeClassRef", "requirements"}
    assert {each["key"] for each in template["spec"]["requirements"]} == {
        "karpenter.azure.com/sku-name",
        "karpenter.sh/capacity-type",
    }
