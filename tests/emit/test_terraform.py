"""The Terraform configuration has the settings of the Bicep modules and of the scripts, and Terraform's own syntax."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given

from gitgpu.emit import pages
from gitgpu.emit.pages.automatic_bicep import PAGE as CLUSTER
from gitgpu.emit.pages.node_pools_bicep import PAGE as BICEP
from gitgpu.emit.pages.node_pools_commands import PAGE as COMMANDS
from gitgpu.emit.pages.terraform import PAGE, literal
from gitgpu.load.generated import claimed_paths
from gitgpu.model.aks_api import fields_of, unknown_fields
from tests.compare.sides import between
from tests.emit.fleets import AZURE, CATALOG, CLUSTER_ID, Body, cluster, emitted, fleet, plans, pool
from tests.emit.test_node_pools import _EARLY, autoscaled, by_api, by_bicep, by_commands, node_pools
from tests.helping.cases import for_each

# Of the attributes and blocks of azapi_resource, from the schema that the provider prints, and of those of Terraform.
ATTRIBUTES = {"type", "parent_id", "name", "location", "identity", "body", "locks", "lifecycle", "depends_on"}
TERRAFORM: Body = {"azure": "terraform"}
FIXED: Body = {"nodes": {"min": 2, "max": 2}}


def written(*documents: Body) -> dict[str, Any]:
    """The resources of the configuration."""
    found: dict[str, Any] = json.loads(PAGE.write(plans(*documents)["one"]))["resource"]["azapi_resource"]
    return found


def plain(value: Any) -> Any:
    """The value that Terraform reads from a text in JSON. Fails for a template."""
    if isinstance(value, str):
        assert not re.search(r"(?<!\$)\$\{|(?<!%)%\{", value)
        return value.replace("$${", "${").replace("%%{", "%{")
    if isinstance(value, Mapping):
        return {plain(key): plain(below) for key, below in value.items()}
    return [plain(below) for below in value] if isinstance(value, list) else value


def in_form(documents: list[Body], form: str) -> list[Body]:
    """The documents with all Azure resources in one form."""
    return [
        {**body, "spec": {**body["spec"], "delivery": {"azure": form}}} if body["kind"] == "Cluster" else body
        for body in documents
    ]


@given(node_pools(), _EARLY)
def test_every_form_has_the_same_settings(pools: list[Body], early: Body) -> None:
    more = pool("early", **{"nodes": {"min": 1, "max": 4}, **early})
    documents = [fleet(), autoscaled(), *pools, more]
    resources = written(*in_form(documents, "terraform"))
    of_terraform = {resource["name"]: plain(resource["body"]["properties"]) for resource in resources.values()}
    of_bicep = by_bicep(BICEP.write(plans(*in_form(documents, "bicep"))["one"]))
    script = COMMANDS.write(plans(*in_form(documents, "az"))["one"])
    for properties in of_bicep.values():  # the number with which an autoscaled pool is created
        if isinstance(count := properties.get("count"), str):
            properties["count"] = int(re.findall(r"\d+", count)[0])
    assert of_terraform == of_bicep
    counted = {name: {"count": None, **properties} for name, properties in of_terraform.items()}
    assert counted == {
        name: {"count": None, **properties} for name, properties in (by_commands(script) | by_api(script)).items()
    }
    for resource in resources.values():
        assert resource.keys() <= ATTRIBUTES
        version = resource["type"].partition("@")[2]
        fields = fields_of(CATALOG, "agentPools", plain(resource["body"]["properties"]))
        assert unknown_fields(CATALOG, "agentPools", fields, version) == []


def test_the_autoscaler_decides_the_number_of_nodes() -> None:
    own = autoscaled(delivery=TERRAFORM)
    resources = written(fleet(), own, pool("auto", nodes={"min": 1, "max": 3}), pool("still", **FIXED))
    assert resources["pool_auto"]["lifecycle"] == {"ignore_changes": ["body.properties.count"]}
    assert "lifecycle" not in resources["pool_still"]
    assert {resource["parent_id"] for resource in resources.values()} == {CLUSTER_ID}
    assert all(resource["locks"] == [CLUSTER_ID] for resource in resources.values())


@for_each(
    ("form", "names", "objects"),
    [
        (None, {"node-pools.bicep", "node-pools.sh"}, 1),
        ("az", {"node-pools.sh"}, 0),
        ("bicep", {"node-pools.bicep"}, 0),
        ("terraform", {"cluster.tf.json"}, 0),
    ],
)
def test_node_pools_have_one_form(form: str | None, names: set[str], objects: int) -> None:
    bare = [fleet(), autoscaled(), pool("gpu", **FIXED)]
    documents = in_form(bare, form) if form else bare
    (plan,) = plans(*documents).values()
    found = {page.name for page in pages() if page.write(plan)} & {
        "node-pools.bicep",
        "node-pools.sh",
        "cluster.tf.json",
    }
    assert found == names
    assert len(emitted(*documents).every("ManagedClustersAgentPool")) == objects


@pytest.mark.parametrize("known", [True, False])
def test_a_cluster_of_aks_automatic_is_created(known: bool) -> None:
    more: Body = {"resourceId": CLUSTER_ID} if known else {}
    own = cluster(sku="automatic", delivery={**TERRAFORM, "namespace": "gitops"}, **more)
    (plan,) = plans(fleet(), own, pool("t4", driver="managed")).values()
    text = PAGE.write(plan)
    assert text
    document = json.loads(text)
    assert claimed_paths(text.encode()) == {"one/runbook/cluster.tf.json"}
    resource = document["resource"]["azapi_resource"]["cluster"]
    assert resource.keys() <= ATTRIBUTES
    assert resource["identity"] == [{"type": "SystemAssigned"}]
    assert resource["body"]["sku"] == {"name": "Automatic", "tier": "Standard"}
    assert ("variable" in document) is not known
    assert resource["parent_id"] == (CLUSTER_ID.partition("/providers/")[0] if known else "${var.resource_group_id}")
    assert CLUSTER.write(plan) == ""


def test_texts_are_no_templates() -> None:
    assert literal({"${a}": ["%{if}", 1, True]}) == {"$${a}": ["%%{if}", 1, True]}


def test_a_plan_says_what_a_change_of_a_pool_needs() -> None:
    sides = []
    for count in (2, 3):
        nodes = {"min": count, "max": count}
        (plan,) = plans(fleet(), autoscaled(delivery=TERRAFORM), pool("p", nodes=nodes)).values()
        other = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"
        sides.append({"c/nodes/a.yaml": other, "c/runbook/cluster.tf.json": PAGE.write(plan)})
    texts = [
        effect.text
        for change in between(sides[0], sides[1])
        for effect in change.effects
        if effect.object == "node pool p"
    ]
    assert texts == ["AKS changes count without replacing nodes, once you apply cluster.tf.json"]


def blocks(*documents: Body) -> Any:
    """The configuration of a cluster with Terraform."""
    return json.loads(PAGE.write(plans(*in_form([*documents], "terraform"))["one"]))


def test_features_settings_and_extensions_of_the_cluster_are_in_the_configuration() -> None:
    pools = [pool("h100", "Standard_ND96isr_H100_v5", driver="operator", rdma="shared", limits={"gpus": 16}, **FIXED)]
    on = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, region="eastus", stack={"queues": "aks"})
    made = blocks(fleet(), on, *pools)["resource"]
    [feature] = made["azapi_resource_action"].values()
    provider, _, name = feature["resource_id"].rpartition("/subscriptionFeatureRegistrations/")
    assert (provider.rpartition("/")[2], name) == ("Microsoft.ContainerService", "AKSInfinibandSupport")
    assert made["azapi_resource"]["extension_kueue"]["body"]["properties"] == {
        "extensionType": "microsoft.kueue",
        "scope": {"cluster": {"releaseNamespace": "kueue-system"}},
    }
    assert made["azapi_resource"]["pool_h100"]["depends_on"] == ["azapi_resource_action.feature_AKSInfinibandSupport"]


def test_node_auto_provisioning_is_a_property_of_the_cluster() -> None:
    made = blocks(fleet(), cluster(resourceId=CLUSTER_ID), pool("t4"))
    settings = made["resource"]["azapi_update_resource"]["settings"]
    assert settings["resource_id"] == CLUSTER_ID
    assert settings["body"] == {"properties": {"nodeProvisioningProfile": {"mode": "Auto"}}}
    assert "variable" not in made


def test_alerts_need_the_region_of_the_workspace() -> None:
    metrics = {"metrics": {**AZURE, "alerts": True}}
    made = blocks(fleet(stack=metrics), cluster(resourceId=CLUSTER_ID), pool("t4"))
    assert set(made["variable"]) == {"workspace", "workspace_region", "action_groups"}
    group = made["resource"]["azapi_resource"]["gpu_alerts"]
    assert group["location"] == "${var.workspace_region}"
    assert group["body"]["properties"]["scopes"] == ["${var.workspace}"]
    alert = next(rule for rule in group["body"]["properties"]["rules"] if "alert" in rule)
    assert alert["actions"] == "${[for id in var.action_groups : { actionGroupId = id }]}"
