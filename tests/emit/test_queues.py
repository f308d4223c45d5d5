"""The queues of teams: what Kueue gets for each pool, team and workload, and what Kubernetes gets without Kueue."""

import json
from typing import Any

import pytest

from gitgpu.access import reach
from gitgpu.emit import emit
from gitgpu.emit.chart.values import charts
from gitgpu.model.names.labels import QUEUE_LABEL, QUEUE_PRIORITY_LABEL
from gitgpu.patch import apply_patches
from tests.emit.fleets import (
    CLUSTER_ID,
    EMITTERS,
    Body,
    Emitted,
    cluster,
    document,
    emitted,
    fleet,
    plans,
    pool,
    workload,
)
from tests.helping.cases import for_each
from tests.oracles.cel import needs_crds, upstream_faults

KUEUE: Body = {"stack": {"queues": "kueue"}}
NODE_POOLS: Body = {"provisioner": "cluster-autoscaler", "resourceId": CLUSTER_ID}
ND = "Standard_ND96isr_H100_v5"
TAINTS = [{"key": "own", "value": "x", "effect": "NoSchedule"}]


def team(name: str = "a", *quota: Body, **spec: Any) -> Body:
    """A team whose namespace has its name."""
    spec = {"namespaces": [name], "quota": list(quota) or [{"pool": "t4", "gpus": 4}], **spec}
    return document("GpuTeam", name, spec)


def built(*documents: Body, **setup: Any) -> Emitted:
    """What a cluster with Kueue gets."""
    return emitted(fleet(), cluster(**{**KUEUE, **setup}), *documents)


def quotas(output: Emitted) -> dict[str, dict[str, dict[str, Body]]]:
    """The GPU resources of each flavor of each ClusterQueue, without what limits nothing."""
    found: dict[str, dict[str, dict[str, Body]]] = {}
    for body in output.every("ClusterQueue"):
        [group] = body["spec"]["resourceGroups"]
        flavors = found.setdefault(body["metadata"]["name"], {})
        for flavor in group["flavors"]:
            assert [resource["name"] for resource in flavor["resources"]] == group["coveredResources"]
            named = {resource.pop("name"): resource for resource in flavor["resources"]}
            flavors[flavor["name"]] = {name: amount for name, amount in named.items() if "nvidia" in name}
    return found


def test_a_team_has_a_queue_with_its_quota_of_each_pool() -> None:
    output = built(
        pool("t4"),
        pool("h100", ND),
        team("a", {"pool": "t4", "gpus": 4, "borrow": 2}, {"pool": "h100", "gpus": 8, "lend": 0}),
        team("b", {"pool": "t4", "gpus": 0, "borrow": "unlimited"}),
    )
    gpu = "nvidia.com/gpu"
    assert quotas(output) == {
        "a": {
            "t4": {gpu: {"nominalQuota": "4", "borrowingLimit": "2"}},
            "h100": {gpu: {"nominalQuota": "8", "borrowingLimit": "0", "lendingLimit": "0"}},
        },
        "b": {"t4": {gpu: {"nominalQuota": "0"}}},
    }
    assert {body["spec"]["cohortName"] for body in output.every("ClusterQueue")} == {
        body["metadata"]["name"] for body in output.every("Cohort")
    }


def test_a_flavor_has_the_label_and_the_taints_of_the_nodes() -> None:
    output = built(pool("t4", taints=[{"key": "own", "value": "x", "effect": "NoSchedule"}]), team())
    [flavor] = output.every("ResourceFlavor")
    [node_pool] = output.every("NodePool")
    assert flavor["spec"]["nodeTaints"] == node_pool["spec"]["template"]["spec"]["taints"]
    assert flavor["spec"]["nodeLabels"] == {"karpenter.sh/nodepool": "t4"}
    assert [toleration["key"] for toleration in flavor["spec"]["tolerations"]] == ["own"]


def test_spot_and_on_demand_nodes_of_a_pool_are_flavors_of_their_own() -> None:
    both = [{"pool": "t4", "capacity": capacity, "gpus": 2} for capacity in ("spot", "on-demand")]
    output = built(pool("t4", capacity=["spot", "on-demand"]), team("a", *both))
    labels = {body["metadata"]["name"]: body["spec"]["nodeLabels"] for body in output.every("ResourceFlavor")}
    assert labels == {
        f"t4-{capacity}": {"karpenter.sh/nodepool": "t4", "karpenter.sh/capacity-type": capacity}
        for capacity in ("spot", "on-demand")
    }


def test_pools_of_the_cluster_autoscaler_get_their_nodes_before_a_workload_starts() -> None:
    pools = (pool("t4"), pool("kept", nodes={"min": 2, "max": 2}))
    output = built(*pools, team("a", {"pool": "t4", "gpus": 4}, {"pool": "kept", "gpus": 2}), **NODE_POOLS)
    labels = {body["metadata"]["name"]: body["spec"]["nodeLabels"] for body in output.every("ResourceFlavor")}
    assert labels == {name: {"kubernetes.azure.com/agentpool": name} for name in ("t4", "kept")}
    [check], [config] = output.every("AdmissionCheck"), output.every("ProvisioningRequestConfig")
    assert check["spec"]["parameters"]["name"] == config["metadata"]["name"]
    assert config["spec"]["provisioningClassName"] == "best-effort-atomic-scale-up.autoscaling.x-k8s.io"
    assert config["spec"]["managedResources"] == ["nvidia.com/gpu"]
    [queue] = output.every("ClusterQueue")
    strategy = queue["spec"]["admissionChecksStrategy"]["admissionChecks"]
    assert strategy == [{"name": check["metadata"]["name"], "onFlavors": ["t4"]}]


def test_with_karpenter_there_is_no_check_and_no_topology() -> None:
    output = built(pool("h100", ND, driver="operator", rdma="shared"), team("a", {"pool": "h100", "gpus": 8}))
    assert not output.every("AdmissionCheck")
    assert not output.every("Topology")


@for_each(
    ("quotas", "expected"),
    [
        ({"a": ["ib"]}, {"ib"}),
        ({"a": ["ib", "ib2"], "b": ["t4"]}, {"ib", "ib2"}),
        ({"a": ["ib", "t4"]}, set()),
        ({"a": ["ib"], "b": ["ib", "t4"]}, set()),
        ({"a": ["ib", "ib2"], "b": ["ib2", "t4"]}, set()),
    ],
)
def test_a_team_with_other_pools_too_has_no_topology(quotas: dict[str, list[str]], expected: set[str]) -> None:
    """In a queue with both, Kueue gives a flavor with a topology only to pods with an annotation."""
    fabrics = [pool(name, ND, driver="operator", rdma="shared", nodes={"min": 2, "max": 2}) for name in ("ib", "ib2")]
    teams = [team(name, *({"pool": each, "gpus": 8} for each in names)) for name, names in quotas.items()]
    output = built(pool("t4", nodes={"min": 0, "max": 8}), *fabrics, *teams, **NODE_POOLS)
    assert {body["metadata"]["name"] for body in output.every("Topology")} == expected
    with_topology = {body["spec"].get("topologyName") for body in output.every("ResourceFlavor")} - {None}
    assert with_topology == expected


def test_a_fast_network_of_node_pools_is_a_topology_of_labels_that_exist() -> None:
    fabric = pool("h100", ND, driver="operator", rdma="shared", nodes={"min": 2, "max": 2})
    output = built(fabric, team("a", {"pool": "h100", "gpus": 8}), **NODE_POOLS)
    [topology], [flavor] = output.every("Topology"), output.every("ResourceFlavor")
    assert flavor["spec"]["topologyName"] == topology["metadata"]["name"]
    labels = [level["nodeLabel"] for level in topology["spec"]["levels"]]
    assert labels == ["topology.kubernetes.io/zone", "kubernetes.io/hostname"]
    [queue] = output.every("ClusterQueue")
    assert "rdma/shared_ib" in queue["spec"]["resourceGroups"][0]["coveredResources"]


def test_every_namespace_of_a_team_has_its_queue() -> None:
    documents = (pool("t4"), team("a", namespaces=["one", "two"]))
    output = emitted(fleet(delivery={"namespaces": "create"}), cluster(**KUEUE), *documents)
    places = [(body["metadata"]["namespace"], body["metadata"]["name"]) for body in output.every("LocalQueue")]
    assert sorted(places) == [("one", "a"), ("two", "a")]
    [queue] = output.every("ClusterQueue")
    [term] = queue["spec"]["namespaceSelector"]["matchExpressions"]
    assert term["values"] == ["one", "two"]
    assert {"one", "two"} <= {body["metadata"]["name"] for body in output.every("Namespace")}


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "Job"])
def test_a_workload_waits_in_the_queue_of_its_team(kind: str) -> None:
    chat = workload("chat", ["t4"], target={"kind": kind, "name": "chat"}, team="a", priority="high")
    output = built(pool("t4"), team("a", namespaces=["serving"], priorities={"high": 10}), chat)
    patch = output.patches()["chat"]
    assert patch["kind"] == kind
    assert patch["metadata"]["labels"] == {QUEUE_LABEL: "a", QUEUE_PRIORITY_LABEL: "a-high"}
    assert "priorityClassName" not in patch["spec"]["template"]["spec"]
    [priority] = output.every("WorkloadPriorityClass")
    assert (priority["metadata"]["name"], priority["value"]) == ("a-high", 10)


@for_each(
    ("target", "path"),
    [
        ({"kind": "RayCluster", "group": "gpu"}, ("metadata",)),
        ({"kind": "CronJob"}, ("spec", "jobTemplate", "metadata")),
        ({"kind": "Rollout"}, ("spec", "template", "metadata")),
        ({"kind": "Workflow", "group": "train"}, ("spec", "templates", 0, "metadata")),
    ],
)
def test_a_queue_is_named_where_kueue_reads_it(target: dict[str, str], path: tuple[str | int, ...]) -> None:
    chat = workload("chat", ["t4"], target={**target, "name": "chat"}, team="a")
    patch = built(pool("t4"), team("a", namespaces=["serving"]), chat).patches()["chat"]
    assert reach(patch, *path, "labels") == {QUEUE_LABEL: "a"}


def test_jobs_of_keda_wait_too() -> None:
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "run", "image": "x.azurecr.io/x:1"}]}}
    scaling = {"triggers": [{"query": "sum(up)", "target": 1}], "max": 2}
    jobs = workload("run", ["t4"], target={"kind": "Job", "name": "run"}, job={"template": template}, scaling=scaling)
    output = built(pool("t4"), team("a", namespaces=["serving"]), jobs, stack={"queues": "kueue", "keda": "helm"})
    [body] = output.every("ScaledJob")
    assert body["metadata"]["labels"][QUEUE_LABEL] == "a"


def test_a_workload_without_a_team_has_no_queue() -> None:
    output = built(pool("t4"), team("other"), workload("chat", ["t4"]))
    patch = output.patches()["chat"]
    assert "labels" not in patch["metadata"]


def test_without_kueue_kubernetes_limits_the_sum() -> None:
    chat = workload("chat", ["t4"], team="a", priority="high")
    quota = ({"pool": "t4", "gpus": 4}, {"pool": "h100", "gpus": 8})
    named = team("a", *quota, namespaces=["serving"], priorities={"high": 10})
    output = built(pool("t4"), pool("h100", ND), named, chat, stack={"queues": "none"})
    [quota_object] = output.every("ResourceQuota")
    assert quota_object["spec"]["hard"] == {"requests.nvidia.com/gpu": "12"}
    [priority] = output.every("PriorityClass")
    patch = output.patches()["chat"]
    assert patch["spec"]["template"]["spec"]["priorityClassName"] == priority["metadata"]["name"] == "a-high"
    kueue = {"ClusterQueue", "LocalQueue", "ResourceFlavor", "Cohort", "WorkloadPriorityClass"}
    assert not kueue & {manifest.ref.kind for manifest in output.manifests}
    assert "labels" not in patch["metadata"]


def test_with_the_extension_of_aks_what_it_generates_is_referred_to() -> None:
    named = team("a", {"pool": "t4", "flavor": "aks-t4", "gpus": 4}, namespaces=["serving"])
    chat = workload("chat", ["t4"], priority="aks-high-priority")
    setup = {**NODE_POOLS, "region": "eastus", "stack": {"queues": "aks"}}
    output = built(pool("t4", nodes={"min": 0, "max": 2}), named, chat, **setup)
    assert not output.every("ResourceFlavor")
    assert not output.every("WorkloadPriorityClass")
    assert not [body for body in output.every("HelmRelease") if body["metadata"]["name"] == "kueue"]
    [queue], patch = output.every("ClusterQueue"), output.patches()["chat"]
    assert [flavor["name"] for flavor in queue["spec"]["resourceGroups"][0]["flavors"]] == ["aks-t4"]
    assert patch["metadata"]["labels"][QUEUE_PRIORITY_LABEL] == "aks-high-priority"


def configuration(*documents: Body, **setup: Any) -> Body:
    """The configuration of Kueue that its chart gets; {} for its own."""
    [planned] = plans(fleet(), cluster(**{**KUEUE, **setup}), *documents).values()
    [values] = [values for chart, values in charts(planned) if chart.release == "kueue"]
    assert values["controllerManager"]["replicas"] > 1
    parsed: Body = json.loads(values.get("managerConfig", {}).get("controllerManagerConfigYaml", "{}"))
    return parsed


def test_the_configuration_of_the_chart_stays_unless_a_team_needs_another_one() -> None:
    assert configuration(pool("t4"), team()) == {}
    fair = configuration(pool("t4"), team("a", fairShare=2))
    assert fair["fairSharing"]["preemptionStrategies"]
    assert "batch/job" in fair["integrations"]["frameworks"]
    claims = {**NODE_POOLS, "stack": {"queues": "kueue", "allocation": "dra"}}
    claimed = configuration(pool("t4", nodes={"min": 1, "max": 1}), team(), **claims)
    [mapping] = claimed["resources"]["deviceClassMappings"]
    assert mapping == {"name": "gpu.nvidia.com", "deviceClassNames": ["gpu.nvidia.com"]}
    assert "fairSharing" not in claimed


@needs_crds
@pytest.mark.parametrize("by", ["kueue", "aks"])
def test_the_definitions_of_kueue_accept_what_is_emitted(by: str) -> None:
    fabric = pool("h100", ND, driver="operator", rdma="shared", nodes={"min": 0, "max": 2}, taints=TAINTS)
    both = {"pool": "h100", "gpus": 8, "borrow": "unlimited"}, {"pool": "t4", "capacity": "spot", "gpus": 0, "lend": 0}
    teams = (
        team("a", *both, fairShare=0.5, priorities={"high": 10}, namespaces=["x", "y"]),
        team("b", {"pool": "h100", "gpus": 8}),
        team("c", {"pool": "ib", "gpus": 8}),
    )
    spot = pool("t4", capacity=["spot"], nodes={"min": 0, "max": 2})
    near = pool("ib", ND, driver="operator", rdma="shared", nodes={"min": 0, "max": 2})
    output = built(fabric, spot, near, *teams, **NODE_POOLS, region="eastus", stack={"queues": by})
    kinds = {body["kind"] for manifest in output.manifests if "kueue" in (body := manifest.body)["apiVersion"]}
    assert kinds == {
        "AdmissionCheck",
        "ClusterQueue",
        "Cohort",
        "LocalQueue",
        "ProvisioningRequestConfig",
        "ResourceFlavor",
        "Topology",
        "WorkloadPriorityClass",
    }
    for manifest in output.manifests:
        if "kueue" in manifest.body["apiVersion"]:
            assert upstream_faults(dict(manifest.body)) == [], manifest.ref


def test_metadata_and_patches_of_a_team_are_on_its_objects_alone() -> None:
    other = team("b", {"pool": "t4", "gpus": 2})
    patch = {"target": {"kind": "ClusterQueue"}, "patch": {"spec": {"queueingStrategy": "StrictFIFO"}}}
    own = team("a", priorities={"high": 1}, patches=[patch])
    own["metadata"]["labels"] = {"cost": "1"}
    built_plans = plans(fleet(), cluster(**KUEUE), pool("t4"), own, other)
    manifests = apply_patches(emit(built_plans["one"], EMITTERS), built_plans["one"]).manifests
    labelled = {(m.ref.kind, m.ref.name) for m in manifests if "cost" in m.body["metadata"].get("labels", {})}
    assert labelled == {("ClusterQueue", "a"), ("LocalQueue", "a"), ("WorkloadPriorityClass", "a-high")}
    queues = {m.ref.name: m.body["spec"].get("queueingStrategy") for m in manifests if m.ref.kind == "ClusterQueue"}
    assert queues == {"a": "StrictFIFO", "b": None}
