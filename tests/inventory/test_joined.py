"""Several documents about the same cluster."""

import json
from typing import Any

import pytest
import yaml

from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.same_objects import LAYOUT
from gitgpu.inventory.terraform.resources import changed_addresses
from tests.helping.cases import for_each
from tests.inventory.reading import bodies, faults, read, recorded

SUBSCRIPTION = "/subscriptions/00000000-0000-0000-0000-000000000000"


def identifier(cluster: str, group: str = "rg") -> str:
    """The resource ID of a cluster."""
    return f"{SUBSCRIPTION}/resourcegroups/{group}/providers/Microsoft.ContainerService/managedClusters/{cluster}"


def cluster(name: str, group: str = "rg", **more: Any) -> str:
    """The relevant part of what `az aks show` prints."""
    return json.dumps({"id": identifier(name, group), "name": name, "agentPoolProfiles": [], **more})


def pool(name: str, of: str, **more: Any) -> str:
    """The relevant part of what `az aks nodepool show` prints."""
    whole = f"{identifier(of)}/agentPools/{name}"
    return json.dumps({"id": whole, "name": name, "vmSize": "Standard_NC6s_v3", "mode": "User", **more})


def node_pool(name: str, zones: tuple[str, ...] = (), *, live: bool = False) -> str:
    """A NodePool."""
    requirement = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": list(zones)}
    spec = {"template": {"spec": {"requirements": [requirement] if zones else []}}}
    meta = {"name": name, **({"uid": "1", "resourceVersion": "1"} if live else {})}
    return yaml.safe_dump({"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": meta, "spec": spec})


def names(*texts: str, asked: ImportOptions = ImportOptions()) -> list[str]:  # noqa: B008
    """The names of all objects, each after that of its cluster."""
    return list(bodies(read(*texts, asked=asked)))


def test_clusters_are_in_order_of_name() -> None:
    inventory = read(cluster("b"), cluster("a"), pool("x", "b"), pool("y", "a"))
    assert [each.name for each in inventory.clusters] == ["a", "b"]
    assert list(bodies(inventory)) == ["a/node pool y", "b/node pool x"]


def test_names_are_compared_without_case_as_in_azure() -> None:
    assert names(cluster("Prod"), pool("x", "prod")) == ["Prod/node pool x"]


def test_objects_without_a_cluster_go_to_the_only_one() -> None:
    assert names(cluster("a", location="West Europe"), node_pool("gpu")) == ["a/NodePool/gpu"]
    assert names(node_pool("gpu")) == ["/NodePool/gpu"]
    assert names(node_pool("gpu"), asked=ImportOptions("mine")) == ["mine/NodePool/gpu"]
    assert names(cluster("a"), node_pool("gpu"), asked=ImportOptions("mine")) == ["mine/NodePool/gpu"]
    assert names(cluster("a"), pool("x", "b"), node_pool("gpu"), asked=ImportOptions("b")) == [
        "b/node pool x",
        "b/NodePool/gpu",
    ]


def test_the_given_name_is_that_of_the_only_cluster() -> None:
    shown = cluster("aks-prod", nodeProvisioningProfile={"mode": "Auto"})
    inventory = read(shown, node_pool("gpu"), asked=ImportOptions("prod"))
    assert faults(inventory) == []
    assert [each.name for each in inventory.clusters] == ["prod"]
    assert (inventory.clusters[0].azure.resource_id or "").endswith("/managedClusters/aks-prod")


def test_objects_without_a_cluster_beside_two() -> None:
    inventory = read(cluster("a"), cluster("b"), node_pool("gpu"))
    assert faults(inventory) == ["IMP005 1: these objects do not identify their cluster, but the input has 2: a, b"]
    alone = "import this file alone, with `--cluster a` or the name of its cluster"
    assert inventory.faults[0].help == f"{alone}, or {LAYOUT}"
    assert list(bodies(inventory)) == ["/NodePool/gpu"]


def test_two_clusters_of_one_name() -> None:
    inventory = read(cluster("dev", "one"), cluster("dev", "two"))
    assert [each.name for each in inventory.clusters] == ["dev-one", "dev-two"]


def test_pools_of_two_clusters_of_one_name() -> None:
    """Azure's ID of a pool has the group of its cluster, and is the source of the cluster's name."""
    pools = [json.loads(pool("x", "dev")) for _ in "12"]
    pools[1]["id"] = pools[1]["id"].replace("/rg/", "/other/")
    assert names(json.dumps(pools)) == ["dev-other/node pool x", "dev-rg/node pool x"]
    assert names(json.dumps({"id": identifier("prod"), "name": "x", "agentPoolProfiles": []}), node_pool("gpu")) == [
        "prod/NodePool/gpu"
    ]


def test_two_clusters_of_one_name_beside_a_document_without_their_group() -> None:
    """As a manifest of Azure Service Operator, which does not have the ID."""
    head = {"apiVersion": "containerservice.azure.com/v1api20250801", "kind": "ManagedCluster"}
    manifest = json.dumps({**head, "metadata": {"name": "dev"}, "spec": {}})
    inventory = read(cluster("dev", "one"), cluster("dev", "two"), manifest)
    assert [each.name for each in inventory.clusters] == ["dev", "dev-one", "dev-two"]


def test_the_same_object_twice() -> None:
    inventory = read(pool("x", "a"), pool("x", "a"))
    assert list(bodies(inventory)) == ["a/node pool x"]
    assert [(each.name, each.reason) for each in inventory.skipped] == [
        ("node pool x", "the same object is read from a.json:1:1")
    ]


def test_an_autoscaled_pool_whose_count_has_changed() -> None:
    assert (
        faults(read(pool("x", "a", enableAutoScaling=True, count=1), pool("x", "a", enableAutoScaling=True, count=2)))
        == []
    )
    assert len(faults(read(pool("x", "a", count=1), pool("x", "a", count=2)))) == 1


def test_two_releases_of_one_chart() -> None:
    chart = {"namespace": "gpu", "revision": "1", "status": "deployed", "chart": "keda-2.18.1", "app_version": "2.18.1"}
    found = read(json.dumps([{"name": name, **chart} for name in ("a", "b")]))
    assert (len(bodies(found)), faults(found), found.skipped) == (2, [], ())


def test_two_states_of_one_object() -> None:
    inventory = read(pool("x", "a"), pool("x", "a", maxPods=30))
    assert faults(inventory) == [
        "IMP006 1: node pool x is different at a.json:1:1: these are two clusters, or two states of the same cluster"
    ]
    assert inventory.faults[0].help == f"pass only the running state, import each with `--cluster NAME`, or {LAYOUT}"


def test_two_states_of_many_objects_are_one_finding() -> None:
    dumps = ["---\n".join(node_pool(f"p{at}", (zone,), live=True) for at in range(20)) for zone in ("a-1", "b-1")]
    (fault,) = faults(read(*dumps))
    assert fault.startswith("IMP006 1: NodePool/p0 (and 19 other objects) is different at a.json:1:1: ")


def test_the_running_state_takes_precedence_over_the_configuration() -> None:
    """The output of Azure includes defaults, and only Terraform shows what applies the pool."""
    state = recorded("terraform.tfstate")
    inventory = read(state, pool("h100", "state-swc", kubeletDiskType="OS"))
    (observed,) = inventory.clusters[0].objects
    assert observed.live
    assert observed.body["spec"]["kubeletDiskType"] == "OS"
    assert observed.owner == ("terraform", 'module.aks.azurerm_kubernetes_cluster_node_pool.gpu["h100"]')
    assert faults(inventory) == []


@for_each(
    ("zones", "asked", "expected"),
    [
        (("swedencentral-1", "swedencentral-2"), "", "swedencentral"),
        (("swedencentral-1", "westeurope-1"), "", None),
        ((), "", None),
        ((), "uksouth", "uksouth"),
        (("1",), "", None),
    ],
)
def test_the_region_is_the_one_of_all_zones_or_the_given_one(
    zones: tuple[str, ...], asked: str, expected: str | None
) -> None:
    inventory = read(node_pool("gpu", zones), asked=ImportOptions(region=asked))
    assert inventory.clusters[0].azure.region == expected


def planned(kind: str, **values: Any) -> str:
    """What `terraform show -json` prints about one resource."""
    resource = {"address": f"{kind}.a", "mode": "managed", "type": kind, "values": {"name": "a", **values}}
    return json.dumps({"format_version": "1.2", "values": {"root_module": {"resources": [resource]}}})


@pytest.mark.parametrize(("pool", "ips"), [({"pod_subnet_id": "/subnets/pods"}, "pod-subnet"), ({}, "node-subnet")])
def test_where_the_pods_of_a_cluster_of_terraform_get_their_addresses(pool: dict[str, str], ips: str) -> None:
    network = [{"network_plugin": "azure"}]
    (observed_cluster,) = read(
        planned("azurerm_kubernetes_cluster", network_profile=network, default_node_pool=[pool])
    ).clusters
    assert ips in observed_cluster.azure.network.values()


@for_each(
    ("values", "addons"),
    [
        ({"oms_agent": [{"log_analytics_workspace_id": "/w"}]}, {"logs": True}),
        ({"oms_agent": []}, {"logs": False}),
        ({"monitor_metrics": [{}]}, {"metrics": True}),
        ({"ai_toolchain_operator_enabled": True}, {"kaito": True}),
        ({"workload_autoscaler_profile": [{"keda_enabled": True}]}, {"keda": True}),
        ({}, {}),
    ],
)
def test_the_addons_of_a_cluster_of_terraform(values: dict[str, Any], addons: dict[str, bool]) -> None:
    (observed_cluster,) = read(planned("azurerm_kubernetes_cluster", **values)).clusters
    assert observed_cluster.azure.addons == addons


def test_the_facts_of_a_cluster_of_terraform() -> None:
    """The running version has precedence over the configured one. A block may be a mapping."""
    versions = {"kubernetes_version": "1.33", "current_kubernetes_version": "1.34.2"}
    network = {"network_plugin": "kubenet", "network_policy": "calico"}
    (observed_cluster,) = read(planned("azurerm_kubernetes_cluster", **versions, network_profile=network)).clusters
    assert observed_cluster.azure.kubernetes == "1.34"
    assert observed_cluster.azure.network == {"plugin": "kubenet", "policy": "calico"}


def test_keys_of_a_manifest_of_terraform_are_text() -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {8080: web}\n"
    (body,) = bodies(read(planned("kubectl_manifest", yaml_body=text))).values()
    assert body["data"] == {"8080": "web"}


def test_a_value_of_a_release_is_a_text_if_its_type_says_so() -> None:
    rows = [{"name": "a", "value": "5"}, {"name": "b", "value": "5", "type": "string"}, {"name": "c", "value": 5}]
    (body,) = bodies(read(planned("helm_release", chart="keda", set=rows))).values()
    assert body["values"] == {"a": 5, "b": "5", "c": 5}


def test_a_pool_for_critical_add_ons_of_terraform_has_their_taint() -> None:
    for others in ([], ["sku=gpu:NoSchedule"]):
        pool = {"only_critical_addons_enabled": True, "node_taints": others}
        (body,) = bodies(read(planned("azurerm_kubernetes_cluster_node_pool", **pool))).values()
        assert body["spec"]["nodeTaints"] == [*others, "CriticalAddonsOnly=true:NoSchedule"]


def test_a_pool_that_names_its_owner_keeps_it() -> None:
    kind, version = "ManagedClustersAgentPool", "containerservice.azure.com/v1api20250801"
    spec = {"owner": {"name": "a"}, "vmSize": "Standard_NC6s_v3"}
    own = yaml.safe_dump({"apiVersion": version, "kind": kind, "metadata": {"name": "gpu"}, "spec": spec})
    (body,) = bodies(read(cluster("a"), own)).values()
    assert body["spec"]["owner"] == {"name": "a"}
    (body,) = bodies(read(cluster("a"), pool("gpu", "a"))).values()
    assert body["spec"]["owner"]["armId"].lower() == identifier("a").lower()


def test_a_manifest_of_terraform_that_names_its_cluster_is_not_in_the_one_beside_it() -> None:
    kind, version = "ManagedClustersAgentPool", "containerservice.azure.com/v1api20250801"
    spec = {"owner": {"armId": identifier("b")}, "vmSize": "Standard_NC6s_v3"}
    manifest = {"apiVersion": version, "kind": kind, "metadata": {"name": "gpu"}, "spec": spec}
    shown = json.loads(planned("kubernetes_manifest", manifest=manifest))
    resources = shown["values"]["root_module"]["resources"]
    own = {"address": "azurerm_kubernetes_cluster.a", "mode": "managed", "type": "azurerm_kubernetes_cluster"}
    resources.append({**own, "values": {"name": "a", "id": identifier("a")}})
    assert names(json.dumps(shown)) == ["b/kubernetes_manifest.a"]


def test_a_sensitive_value_in_a_list_of_terraform_is_not_read() -> None:
    rows = [{"name": name, "value": "not-a-real-secret"} for name in ("a", "b")]
    shown = json.loads(planned("helm_release", chart="keda", set=rows))
    shown["values"]["root_module"]["resources"][0]["sensitive_values"] = {"set": [{}, {"value": True}]}
    (body,) = bodies(read(json.dumps(shown))).values()
    assert body["values"] == {"a": "not-a-real-secret", "b": None}


@pytest.mark.parametrize("mask", [{"values": [{"key": True}]}, {"values": {"key": True}}])
def test_a_text_with_a_sensitive_part_is_not_read(mask: dict[str, Any]) -> None:
    shown = json.loads(planned("helm_release", chart="keda", values=["key: not-a-real-secret"]))
    shown["values"]["root_module"]["resources"][0]["sensitive_values"] = mask
    assert "not-a-real-secret" not in str(read(json.dumps(shown)).clusters)


@pytest.mark.parametrize(
    ("resource", "reasons"),
    [
        ({"sensitive_values": True}, ["its name is known only when it is applied"]),
        ({"values": None}, []),
        ({"address": ""}, []),
    ],
)
def test_a_resource_of_terraform_without_values_to_read(resource: dict[str, Any], reasons: list[str]) -> None:
    shown = json.loads(planned("azurerm_kubernetes_cluster_node_pool", vm_size="Standard_NC6s_v3"))
    shown["values"]["root_module"]["resources"][0] |= resource
    inventory = read(json.dumps(shown))
    assert (list(bodies(inventory)), [skipped.reason for skipped in inventory.skipped]) == ([], reasons)


@for_each(
    ("argument", "value", "property_of_azure"),
    [
        ("node_count", 3, "count"),
        ("zones", ["1"], "availabilityZones"),
        ("priority", "Spot", "scaleSetPriority"),
        ("eviction_policy", "Delete", "scaleSetEvictionPolicy"),
        ("auto_scaling_enabled", True, "enableAutoScaling"),
        ("host_encryption_enabled", True, "enableEncryptionAtHost"),
        ("enable_host_encryption", True, "enableEncryptionAtHost"),
        ("node_public_ip_enabled", True, "enableNodePublicIP"),
        ("fips_enabled", True, "enableFIPS"),
        ("ultra_ssd_enabled", True, "enableUltraSSD"),
        ("gpu_instance", "MIG1g", "gpuInstanceProfile"),
        ("max_pods", 5, "maxPods"),
    ],
)
def test_an_argument_of_a_pool_of_terraform(argument: str, value: Any, property_of_azure: str) -> None:
    (body,) = bodies(read(planned("azurerm_kubernetes_cluster_node_pool", **{argument: value}))).values()
    assert body["spec"] == {"azureName": "a", "owner": {"name": "cluster"}, property_of_azure: value}


def test_an_argument_with_two_names_of_which_one_is_not_set() -> None:
    """As in the state of release 3 of the provider."""
    arguments = {"host_encryption_enabled": True, "enable_host_encryption": None}
    (body,) = bodies(read(planned("azurerm_kubernetes_cluster_node_pool", **arguments))).values()
    assert body["spec"]["enableEncryptionAtHost"] is True


@for_each(
    ("block", "values", "expected"),
    [
        ("kubelet_config", {"container_log_max_line": 5}, {"kubeletConfig": {"containerLogMaxFiles": 5}}),
        ("kubelet_config", {"pod_max_pid": 9}, {"kubeletConfig": {"podMaxPids": 9}}),
        ("kubelet_config", {"cpu_cfs_quota_enabled": False}, {"kubeletConfig": {"cpuCfsQuota": False}}),
        (
            "linux_os_config",
            {"transparent_huge_page": "madvise"},
            {"linuxOSConfig": {"transparentHugePageEnabled": "madvise"}},
        ),
        (
            "node_network_profile",
            {"allowed_host_ports": [{"port_start": 1, "port_end": 2}]},
            {"networkProfile": {"allowedHostPorts": [{"portStart": 1, "portEnd": 2}]}},
        ),
    ],
)
def test_a_block_of_a_pool_of_terraform(block: str, values: dict[str, Any], expected: dict[str, Any]) -> None:
    (body,) = bodies(read(planned("azurerm_kubernetes_cluster_node_pool", **{block: [values]}))).values()
    assert {key: value for key, value in body["spec"].items() if key not in ("azureName", "owner")} == expected


@for_each("kind", ["net", "vm", "fs", "kernel"])
def test_a_kernel_setting_that_terraform_shows_as_zero_is_not_set(kind: str) -> None:
    sysctl = {f"{kind}_first": 0, f"{kind}_second": 5}
    pool = {"vm_size": "Standard_NC4as_T4_v3", "linux_os_config": [{"sysctl_config": [sysctl]}]}
    (body,) = bodies(read(planned("azurerm_kubernetes_cluster_node_pool", **pool))).values()
    assert body["spec"]["linuxOSConfig"]["sysctls"] == {f"{kind}_second": 5}


def test_what_a_plan_of_terraform_changes() -> None:
    actions = {"a": ["no-op"], "b": ["read"], "c": ["update"], "d": ["delete", "create"]}
    changes = [{"address": name, "change": {"actions": own}} for name, own in actions.items()]
    by_address = changed_addresses({"resource_changes": changes})
    assert {name: change.action for name, change in by_address.items()} == {"c": "update", "d": "replace"}


def operated(name: str, owner: str, kind: str = "ManagedClustersAgentPool") -> str:
    """An object of Azure Service Operator that belongs to a cluster."""
    spec = {"azureName": name, "owner": {"armId": owner}, "vmSize": "Standard_NC6s_v3"}
    head = {"apiVersion": "containerservice.azure.com/v1api20250801", "kind": kind, "metadata": {"name": name}}
    return json.dumps({**head, "spec": spec})


def test_the_cluster_of_a_pool_is_the_one_in_its_namespace() -> None:
    head = {"apiVersion": "containerservice.azure.com/v1api20250801"}
    texts = []
    for namespace in ("east", "west"):
        aks = {"metadata": {"name": "aks", "namespace": namespace}, "spec": {"azureName": f"aks-{namespace}"}}
        owned = {"azureName": "gpu", "owner": {"name": "aks"}, "vmSize": "Standard_NC6s_v3"}
        pool = {"metadata": {"name": "gpu", "namespace": namespace}, "spec": owned}
        texts += [{**head, "kind": "ManagedCluster", **aks}, {**head, "kind": "ManagedClustersAgentPool", **pool}]
    found = bodies(read(*map(json.dumps, texts)))
    assert sorted(name.partition("/")[0] for name in found) == ["aks-east", "aks-east", "aks-west", "aks-west"]


def test_the_owner_of_a_cluster_is_a_resource_group_and_not_a_cluster() -> None:
    head = {"apiVersion": "containerservice.azure.com/v1api20250801", "kind": "ManagedCluster"}
    spec = {"owner": {"name": "east"}}  # a ResourceGroup of this name
    clusters = [json.dumps({**head, "metadata": {"name": name}, "spec": spec}) for name in ("east", "west")]
    assert names(*clusters) == ["east/ManagedCluster/east", "west/ManagedCluster/west"]


def test_a_pool_with_the_id_of_its_cluster_does_not_go_to_a_cluster_without_a_name() -> None:
    head = {"apiVersion": "containerservice.azure.com/v1api20250801", "kind": "ManagedCluster"}
    nameless = json.dumps({**head, "spec": {"azureName": "a"}})
    assert names(nameless, operated("x", identifier("b"))) == ["a/ManagedCluster", "b/ManagedClustersAgentPool/x"]


@for_each(
    ("texts", "expected"),
    [
        ([operated("x", "${ID}")], "${ID}"),
        ([operated("x", "${ID}"), operated("y", "${ID}")], "${ID}"),
        ([operated("x", "${ID}"), operated("y", "${OTHER}")], None),
        ([operated("x", "${ID}"), operated("y", "${OTHER}", "MaintenanceConfiguration")], "${ID}"),
        ([operated("x", "")], None),
    ],
)
def test_a_resource_id_that_is_filled_in_later(texts: list[str], expected: str | None) -> None:
    assert read(*texts).clusters[0].azure.resource_id == expected


@pytest.mark.parametrize(
    ("beside", "asked", "owner"),
    [
        ([], "", {"name": "cluster"}),
        ([], "mine", {"name": "mine"}),
        ([cluster("a")], "", {"armId": identifier("a").replace("resourcegroups", "resourceGroups")}),
    ],
)
def test_a_pool_that_does_not_name_its_cluster_gets_an_owner(
    beside: list[str], asked: str, owner: dict[str, str]
) -> None:
    pool = json.dumps([{"name": "gpu", "vmSize": "Standard_NC6s_v3", "mode": "User"}])
    (body,) = bodies(read(pool, *beside, asked=ImportOptions(asked))).values()
    assert body["spec"]["owner"] == owner


def test_facts_of_several_documents() -> None:
    inventory = read(
        pool("x", "a"),
        cluster("a", location="West Europe", kubernetesVersion="1.32.1", currentKubernetesVersion="1.33.1"),
    )
    azure = inventory.clusters[0].azure
    assert (azure.region, azure.kubernetes, azure.provisioner) == ("westeurope", "1.33", "cluster-autoscaler")
    assert azure.resource_id == identifier("a").replace("resourcegroups", "resourceGroups")
    assert (azure.network, azure.labels) == ({}, {})


@for_each(
    "annotation",
    [
        "kubectl.kubernetes.io/last-applied-configuration",
        "deployment.kubernetes.io/revision",
        "karpenter.sh/nodepool-hash",
        "karpenter.sh/nodepool-hash-version",
        "karpenter.azure.com/aksnodeclass-hash",
        "karpenter.azure.com/aksnodeclass-hash-version",
    ],
)
def test_an_annotation_that_a_server_or_a_controller_writes_is_not_read(annotation: str) -> None:
    metadata = {"name": "gpu", "annotations": {annotation: "1", "team": "ml"}}
    body = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": metadata, "spec": {}}
    (observed,) = bodies(read(json.dumps(body))).values()
    assert observed["metadata"] == {"name": "gpu", "annotations": {"team": "ml"}}


@for_each(
    "field",
    ["managedFields", "uid", "resourceVersion", "creationTimestamp", "generation", "selfLink", "finalizers"],
)
def test_a_field_of_metadata_that_a_server_writes_is_not_read(field: str) -> None:
    metadata = {"name": "gpu", field: "1"}
    body = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": metadata, "spec": {}}
    (observed,) = bodies(read(json.dumps(body))).values()
    assert observed["metadata"] == {"name": "gpu"}


def test_a_release_whose_values_come_from_elsewhere() -> None:
    """`helm list` prints no values, `helm status` does."""
    by_name = bodies(read(recorded("helm-list.json"), recorded("helm-status.json")))
    assert [name for name in by_name if "operator" in name] == ["/Helm release gpu-operator/gpu-operator"]
    assert by_name["/Helm release gpu-operator/gpu-operator"]["values"]["driver"]["enabled"] is False


def test_a_field_of_an_object_does_not_make_it_a_release_without_values() -> None:
    odd = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "b"}, "whole": False}
    by_name = bodies(read(recorded("helm-status.json"), json.dumps(odd)))
    assert by_name["/ConfigMap/b/a"] == odd


def test_the_order_of_texts_does_not_matter() -> None:
    texts = [cluster("a"), cluster("b"), pool("x", "b"), pool("y", "a"), pool("z", "a")]
    assert bodies(read(*texts)) == bodies(read(*reversed(texts)))
