"""InfiniBand: one policy, one Node Feature Discovery, and a GPU driver with GPUDirect RDMA."""

import json
from typing import Any

import pytest

from gitgpu.emit import emit
from gitgpu.emit.manifest import Layer, Role
from gitgpu.emit.pod.job import gpu_container
from gitgpu.emit.pod.job import place_job as placed_job
from gitgpu.model.names.labels import OUR_INFINIBAND_LABEL
from gitgpu.plan.scaling import workload_plan
from tests.emit.fleets import (
    A100,
    BY_NAME,
    CATALOG,
    CLUSTER_ID,
    EMITTERS,
    MI300X,
    T4,
    Body,
    Emitted,
    cluster,
    emitted,
    fleet,
    placed,
    plans,
    pool,
    workload,
)
from tests.helping.cases import for_each

H200 = "Standard_ND96isr_H200_v5"
LABEL = "feature.node.kubernetes.io/pci-15b3.present"


def policy(output: Emitted) -> dict[str, Any]:
    """The spec of the only policy, which has the only name that is read."""
    [body] = output.every("NicClusterPolicy")
    assert body["metadata"]["name"] == "nic-cluster-policy"
    spec: dict[str, Any] = body["spec"]
    return spec


def expressions(spec: dict[str, Any]) -> dict[str, list[str]]:
    """The node affinity expressions of the policy."""
    [term] = spec["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert {expression["operator"] for expression in term["matchExpressions"]} == {"In"}
    return {expression["key"]: expression["values"] for expression in term["matchExpressions"]}


@pytest.mark.parametrize(
    ("way", "plugin", "resource"),
    [("shared", "rdmaSharedDevicePlugin", "rdma/shared_ib"), ("sriov", "sriovDevicePlugin", "rdma/ib")],
)
def test_the_plugin_advertises_what_the_catalog_calls_it(way: str, plugin: str, resource: str) -> None:
    spec = policy(emitted(fleet(), cluster(), pool("h200", H200, rdma=way), pool("t4")))
    [entry] = next(iter(json.loads(spec[plugin]["config"]).values()))
    assert f"{entry.get('resourcePrefix', 'rdma')}/{entry['resourceName']}" == resource
    assert resource in CATALOG.must("devices", "rdma")["resources"]
    assert entry["selectors"]["linkTypes"] == ["infiniband"], "the NIC of accelerated networking is of the same vendor"
    assert len({"rdmaSharedDevicePlugin", "sriovDevicePlugin"} & set(spec)) == 1
    assert expressions(spec) == {OUR_INFINIBAND_LABEL: ["true"], LABEL: ["true"]}


def test_the_label_is_set_on_what_has_such_nics() -> None:
    output = emitted(fleet(), cluster(), pool("h200", H200, rdma="sriov"), pool("t4", T4))
    worker = output.discovery() or {}
    assert placed(worker["affinity"]) == ["h200"]
    [rule] = worker["config"]["sources"]["custom"]
    assert rule["labels"] == {LABEL: "true", OUR_INFINIBAND_LABEL: "true"}
    [feature] = rule["matchFeatures"]
    assert feature["matchExpressions"]["device"]["value"] == CATALOG.must("devices", "rdma")["nics"]
    off = {"enabled": False, "deployNodeFeatureRules": False}
    assert (output.values("network-operator") or {})["nfd"] == off


def test_three_operators_share_one_feature_discovery() -> None:
    pools = [
        pool("h200", H200, rdma="shared", driver="operator"),
        pool("mi300x", MI300X, driver="operator"),
        pool("a100", A100),
    ]
    output = emitted(fleet(), cluster(), *pools)
    assert placed((output.discovery() or {})["affinity"]) == ["h200", "mi300x"]
    assert (output.operator_values() or {})["nfd"] == {"enabled": False}
    for name in ("gpu-operator", "amd-gpu-operator"):
        assert output.one("HelmRelease", name)["spec"]["dependsOn"] == [{"name": "node-feature-discovery"}]
    by_name = emitted(fleet(), cluster(stack=BY_NAME), *pools)
    for name in ("gpu-operator", "amd-gpu-operator"):
        assert by_name.one("HelmRelease", name)["spec"]["dependsOn"] == [{"name": "network-operator"}]


@for_each(
    ("driver", "sku", "sidecar", "daemon"),
    [
        ("operator", H200, True, False),
        ("aks", H200, False, True),
        ("managed", H200, False, True),
        ("none", H200, False, False),
        ("operator", MI300X, False, False),
    ],
)
def test_only_one_component_loads_nvidia_peermem(driver: str, sku: str, *, sidecar: bool, daemon: bool) -> None:
    """The operator's driver pods load it, or a DaemonSet if AKS installs the driver. AMD's driver needs neither."""
    output = emitted(fleet(), cluster(), pool("big", sku, rdma="shared", driver=driver))
    drivers = [body["spec"] for body in output.every("NVIDIADriver")]
    assert any(driver.get("rdma", {}).get("enabled", False) for driver in drivers) is sidecar
    names = {body["metadata"]["name"] for body in output.every("DaemonSet")}
    assert ("nvidia-peermem-pool-big" in names) is daemon


@for_each("engine", ["flux", "argocd"])
@for_each("driver", ["aks", "managed"])
def test_the_module_and_the_driver_that_it_may_need_are_applied_together(engine: str, driver: str) -> None:
    """If a layer or wave waited for the module, it would block the NIC driver in the next one."""
    pools = [pool("h200", H200, rdma="shared", driver=driver), pool("t4")]
    output = emitted(fleet(delivery={"engine": engine}), cluster(), *pools)
    wanted = {"NicClusterPolicy": "nic-cluster-policy", "DaemonSet": "nvidia-peermem-pool-h200"}
    there = [m for m in output.manifests if wanted.get(m.ref.kind) == m.ref.name]
    assert [m.layer for m in there] == [Layer.NODES] * 2
    annotations = [m.body["metadata"].get("annotations", {}) for m in there]
    assert len({annotation.get("argocd.argoproj.io/sync-wave") for annotation in annotations}) == 1


def test_no_layer_waits_for_an_operator_whose_driver_waits_for_the_nic_driver() -> None:
    """Its policy is Ready only once the driver pods are, which need the module; and Flux waits for a policy."""
    output = emitted(fleet(), cluster(), pool("h200", H200, rdma="shared", driver="operator"))
    spec = output.one("HelmRelease", "gpu-operator")["spec"]
    assert [spec[part].get("disableWait") for part in ("install", "upgrade", "rollback")] == [True] * 3


@pytest.mark.parametrize(("way", "nics"), [("shared", {"rdma/shared_ib": "1"}), ("sriov", {"rdma/ib": "1"})])
def test_a_pod_asks_for_nics_and_may_keep_memory_in_place(way: str, nics: Body) -> None:
    made = plans(fleet(), cluster(), pool("h200", H200, rdma=way), workload("train", ["h200"], gpus=8))["one"]
    [plan] = made.workloads
    asking = workload_plan(plan.workload._replace(rdma=1), made.pools, made.cluster, CATALOG)
    assert asking
    [patch] = [m.body for m in emit(made._replace(workloads=(asking,)), EMITTERS) if m.role is Role.PATCH]
    [container] = patch["spec"]["template"]["spec"]["containers"]
    assert container["resources"]["limits"] == {"nvidia.com/gpu": "8", **nics}
    assert container["securityContext"] == {"capabilities": {"add": [CATALOG.must("devices", "rdma")["lock"]]}}


def test_the_runbook_registers_the_feature() -> None:
    assert "AKSInfinibandSupport" not in features(pool("h200", H200))
    assert "AKSInfinibandSupport" in features(pool("h200", H200, rdma="shared"))


def features(gpu_pool: Body) -> set[str]:
    """The Azure features that a pool needs."""
    plan = plans(fleet(), cluster(), gpu_pool)["one"]
    return {prerequisite.feature for prerequisite in plan.prerequisites}


def test_without_rdma_nothing_is_set_up() -> None:
    plain = emitted(fleet(), cluster(), pool("h200", H200, driver="operator"))
    assert not plain.every("NicClusterPolicy")
    assert "rdma" not in (plain.operator_values() or {})["driver"]
    assert "network-operator" not in {body["metadata"]["name"] for body in plain.every("HelmRelease")}


@for_each(
    ("own", "wanted"),
    [
        (None, {"capabilities": {"add": ["IPC_LOCK"]}}),
        ({"runAsUser": 1000}, {"runAsUser": 1000, "capabilities": {"add": ["IPC_LOCK"]}}),
        (
            {"capabilities": {"add": ["SYS_PTRACE"], "drop": ["ALL"]}},
            {"capabilities": {"add": ["SYS_PTRACE", "IPC_LOCK"], "drop": ["ALL"]}},
        ),
        ({"capabilities": {"add": ["IPC_LOCK"]}}, {"capabilities": {"add": ["IPC_LOCK"]}}),
    ],
    ids=["none", "a user", "another capability", "the capability"],
)
def test_a_job_of_the_author_keeps_memory_in_place_and_all_that_it_says(own: Body | None, wanted: Body) -> None:
    """The capability is added to the container with the GPUs. The other container is not changed."""
    made = plans(fleet(), cluster(), pool("h200", H200, rdma="shared"), workload("train", ["h200"], gpus=8))["one"]
    [plan] = made.workloads
    asking = workload_plan(plan.workload._replace(rdma=1), made.pools, made.cluster, CATALOG)
    assert asking
    log: Body = {"name": "log", "image": "log:1"}
    main: Body = {
        "name": gpu_container(asking.workload),
        "image": "train:1",
        "resources": {"limits": {"memory": "64Gi"}},
    }
    if own is not None:
        main["securityContext"] = own
    job = {"backoffLimit": 2, "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [main, log]}}}
    job_spec = placed_job(asking, job)
    assert (job_spec["backoffLimit"], job_spec["template"]["metadata"]) == (2, {"labels": {"a": "b"}})
    first, second = job_spec["template"]["spec"]["containers"]
    assert first["securityContext"] == wanted
    assert first["resources"]["limits"] == {"memory": "64Gi", "nvidia.com/gpu": "8", "rdma/shared_ib": "1"}
    assert second == log


def test_a_job_without_nics_gets_no_capability() -> None:
    [plan] = plans(fleet(), cluster(), pool("h200", H200), workload("train", ["h200"], gpus=8))["one"].workloads
    job = {"template": {"spec": {"containers": [{"name": gpu_container(plan.workload), "image": "train:1"}]}}}
    [container] = placed_job(plan, job)["template"]["spec"]["containers"]
    assert "securityContext" not in container
    assert container["resources"]["limits"] == {"nvidia.com/gpu": "8"}


def test_aks_manages_nics_of_its_node_pool_and_gitgpu_installs_nothing_for_them() -> None:
    of_cluster = cluster(
        provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, stack={"rdmaDeviceClass": "nics.example.com"}
    )
    pools = [
        pool("h200", H200, rdma="managed", driver="operator", nodes={"min": 2, "max": 2}),
        pool("t4", T4, nodes={"min": 1, "max": 1}),
    ]
    output = emitted(fleet(), of_cluster, *pools, workload("train", ["h200"], gpus=8, rdma=8))
    assert not output.every("NicClusterPolicy")
    assert "rdma" not in (output.operator_values() or {})["driver"]
    assert {"network-operator", "nvidia-peermem"}.isdisjoint(m.ref.name for m in output.manifests)
    [template] = output.every("ResourceClaimTemplate")
    [request] = template["spec"]["spec"]["devices"]["requests"]
    assert request["exactly"] == {
        "deviceClassName": "nics.example.com",
        "allocationMode": "ExactCount",
        "count": 8,
    }
    [patch] = [m.body for m in output.manifests if m.role is Role.PATCH]
    pod = patch["spec"]["template"]["spec"]
    assert [claim["resourceClaimTemplateName"] for claim in pod["resourceClaims"]] == [template["metadata"]["name"]]
    [container] = pod["containers"]
    assert container["resources"] == {
        "claims": [{"name": claim["name"]} for claim in pod["resourceClaims"]],
        "limits": {"nvidia.com/gpu": "8"},
    }
    assert container["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}


def test_a_pod_claims_gpus_and_managed_nics_with_two_templates() -> None:
    stack = {"rdmaDeviceClass": "nics.example.com", "allocation": "dra"}
    of_cluster = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, stack=stack)
    h200 = pool("h200", H200, rdma="managed", nodes={"min": 2, "max": 2})
    output = emitted(fleet(), of_cluster, h200, workload("train", ["h200"], gpus=8, rdma=4))
    names = [body["metadata"]["name"] for body in output.every("ResourceClaimTemplate")]
    assert sorted(names) == ["train-gpus-8", "train-nics-4"]
    [patch] = [m.body for m in output.manifests if m.role is Role.PATCH]
    [container] = patch["spec"]["template"]["spec"]["containers"]
    assert container["resources"] == {"claims": [{"name": "gpus"}, {"name": "nics"}]}


def test_the_network_operator_stays_away_from_nodes_with_managed_nics() -> None:
    of_cluster = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID)
    two = {"min": 2, "max": 2}
    pools = [pool("h200", H200, rdma="managed", nodes=two), pool("h100", H200, rdma="sriov", nodes=two)]
    output = emitted(fleet(), of_cluster, *pools)
    assert expressions(policy(output)) == {OUR_INFINIBAND_LABEL: ["true"], LABEL: ["true"]}
    assert on_pools_of_azure((output.discovery() or {})["affinity"]) == [
        ["h100"]
    ]  # so nodes of the other pool do not have the labels
    by_name = emitted(fleet(stack=BY_NAME), of_cluster, *pools)
    assert expressions(policy(by_name))["kubernetes.azure.com/agentpool"] == ["h100"]


def on_pools_of_azure(affinity: Body) -> list[list[str]]:
    """The names of AKS node pools in each term of an affinity."""
    terms = affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    return [rule["values"] for term in terms for rule in term["matchExpressions"] if "agentpool" in rule["key"]]


@pytest.mark.parametrize(
    ("way", "plugin", "key"),
    [("shared", "rdmaSharedDevicePlugin", "configList"), ("sriov", "sriovDevicePlugin", "resourceList")],
)
def test_the_configuration_of_each_plugin_has_its_own_key(way: str, plugin: str, key: str) -> None:
    spec = policy(emitted(fleet(), cluster(), pool("h200", H200, rdma=way)))
    assert list(json.loads(spec[plugin]["config"])) == [key]
