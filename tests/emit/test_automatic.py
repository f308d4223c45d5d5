"""AKS Automatic: the commands that create the cluster, and what its runbook leaves out."""

from typing import Any

from gitgpu.emit import pages
from gitgpu.model.aks_api import fields_of, least_api
from tests.emit.fleets import (
    AZURE,
    CATALOG,
    CLUSTER_ID,
    SUBNET_ID,
    Body,
    cluster,
    emitted,
    fleet,
    plans,
    pool,
    workload,
)

MANAGED = {"driver": "managed", "metrics": AZURE}
CREATE = (
    'az aks create --resource-group "$RESOURCE_GROUP" --name "$CLUSTER" --location swedencentral '
    "--kubernetes-version 1.34 --sku automatic --enable-hosted-system"
)


def written(*workloads: Body, **spec: Any) -> dict[str, str]:
    """The pages of an AKS Automatic cluster, by name."""
    automatic = {"sku": "automatic", "resourceId": CLUSTER_ID, "delivery": {"namespace": "gitops"}, **spec}
    plan = plans(fleet(stack=MANAGED), cluster(**automatic), pool("t4"), *workloads)["one"]
    return {page.name: text for page in pages() if (text := page.write(plan))}


def scaled() -> Body:
    return workload("chat", ["t4"], scaling={"metric": "query", "query": "sum(waiting)", "target": 5, "max": 4})


def test_the_runbook_creates_the_cluster_unless_it_exists() -> None:
    script = written()["create-cluster.sh"]
    assert f'"") {CREATE} ;;' in script
    assert "az aks safeguards" not in script


def test_an_existing_cluster_with_another_sku_is_an_error_of_the_script() -> None:
    script = written()["create-cluster.sh"]
    assert "which AKS cannot change to Automatic" in script
    assert script.index("exit 1") > script.index("cannot change")


def test_a_cluster_in_a_network_of_the_user_is_not_created_in_another_one() -> None:
    texts = written(network={"subnet": SUBNET_ID})
    assert "az aks create" not in texts["create-cluster.sh"]
    assert "in your virtual network first" in texts["create-cluster.sh"]
    assert "cluster.bicep" not in texts


def test_all_excluded_namespaces_are_set_at_once() -> None:
    """Without a level: a cluster that only warns would reject pods that run."""
    script = written(safeguards={"excludedNamespaces": ["gpu-resources", "gpu-operator"]})["create-cluster.sh"]
    assert (
        'az aks safeguards update --resource-group "$RESOURCE_GROUP" --name "$CLUSTER" '
        "--excluded-ns gpu-operator gpu-resources\n"
    ) in script


def test_bicep_has_the_sku_and_managed_system_pools() -> None:
    text = written()["cluster.bicep"]
    wanted = {"sku": {"name": "Automatic"}, "hostedSystemProfile": {"enabled": True}}
    api = least_api(CATALOG, "managedClusters", fields_of(CATALOG, "managedClusters", wanted))
    assert f"resource cluster 'Microsoft.ContainerService/managedClusters@{api}' = {{" in text
    assert "    name: 'Automatic'\n" in text
    assert "hostedSystemProfile: {\n      enabled: true\n" in text


def test_what_the_cluster_has_already_or_refuses_is_no_prerequisite() -> None:
    texts = written(scaled())
    for words in ("--node-provisioning-mode", "--enable-keda", "--enable-workload-identity", "kubectl annotate"):
        assert words not in texts["cluster.sh"]
    assert "--enable-azure-monitor-metrics" in texts["cluster.sh"]
    assert "system:serviceaccount:kube-system:keda-operator" in texts["create-cluster.sh"]
    assert "--enable-keda" in written(scaled(), sku="base")["cluster.sh"]


def test_other_clusters_have_no_such_page() -> None:
    assert written(sku="base").keys().isdisjoint({"create-cluster.sh", "cluster.bicep"})


def test_nothing_that_runs_on_nodes_is_emitted_for_managed_gpus() -> None:
    output = emitted(
        fleet(stack=MANAGED), cluster(sku="automatic", delivery={"namespace": "gitops"}), pool("t4"), scaled()
    )
    assert [output.every(kind) for kind in ("DaemonSet", "HelmRelease")] == [[], []]
