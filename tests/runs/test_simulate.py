"""Which objects are simulated: those of each cluster, and workloads that are passed separately."""

import copy
from typing import Any

import pytest
import yaml

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.runs.simulate import Assumptions, of_fleet, of_manifests
from gitgpu.runs.validate import validate_texts
from gitgpu.simulate.forecast import UNSCHEDULABLE, Forecast
from tests.lint.test_graph import flux, git
from tests.simulate.test_fleet_forecasts import GIVEN, NAP
from tests.simulate.worlds import CLASS, T4, Body, catalog, deployment, pool
from tools.support_matrix import spec_of

POOL = pool("t4", T4)


def manifests(files: dict[str, Any]) -> Manifests:
    """Files by name, each with its text, an object or several."""
    texts = []
    for name, content in files.items():
        bodies = content if isinstance(content, list) else [content]
        text = content if isinstance(content, str) else yaml.safe_dump_all(bodies)
        texts.append(Text(name, text, name))
    return read_manifests(texts)


def forecasts(pools: dict[str, Any], beside: dict[str, Any] | None = None) -> list[Forecast]:
    """The forecast of each cluster in the files."""
    given = Assumptions({}, {}, "eastus", "1.36")
    return list(of_manifests(manifests(pools), manifests(beside or {}), catalog(), given))


def replicas(forecast: Forecast) -> dict[str, list[int]]:
    """The highest numbers of replicas of the workloads, by name."""
    numbers: dict[str, list[int]] = {}
    for verdict in forecast.verdicts:
        numbers.setdefault(verdict.name, []).append(verdict.high.replicas)
    return numbers


def test_a_workload_beside_the_pools_replaces_its_older_version() -> None:
    [forecast] = forecasts({"a.yaml": [CLASS, POOL, deployment("web", 1)]}, {"b.yaml": deployment("web", 3)})
    assert replicas(forecast) == {"web": [3]}
    [forecast] = forecasts({"a.yaml": [CLASS, POOL, deployment("web", 1)]}, {"b.yaml": deployment("other", 3)})
    assert replicas(forecast) == {"web": [1], "other": [3]}
    rejected = deployment("web", 3)
    rejected["spec"]["template"]["spec"]["tolerations"] = [{"key": "a", "effect": "NoSchedul"}]
    for older in (deployment("web", 1), rejected):
        [forecast] = forecasts({"a.yaml": [CLASS, POOL, older]}, {"b.yaml": rejected})
        assert replicas(forecast) == {"web": [3]}
        assert [verdict.name for verdict in forecast.verdicts if verdict.reasons] == ["web"]


def test_clusters_have_the_names_of_their_entry_points() -> None:
    files: dict[str, Any] = {}
    for name in ("dev", "prod"):
        files[f"clusters/{name}/source.yaml"] = git("flux-system")
        files[f"clusters/{name}/nodes.yaml"] = flux("nodes", f"./nodes/{name}")
        files[f"nodes/{name}/pool.yaml"] = [CLASS, POOL]
    assert [forecast.cluster for forecast in forecasts(files)] == ["dev", "prod"]


def test_a_patch_of_a_pool_is_not_a_pool() -> None:
    patch = {**POOL, "spec": {"weight": 5}}
    files: dict[str, Any] = {
        "apps/kustomization.yaml": "resources: [web.yaml]\npatches: [{path: pool.yaml}]\n",
        "apps/web.yaml": deployment("web", 1),
        "apps/pool.yaml": patch,
    }
    assert forecasts(files) == []
    files["apps/kustomization.yaml"] = files["apps/kustomization.yaml"].replace("[web.yaml]", "[web.yaml, all.yaml]")
    assert len(forecasts({**files, "apps/all.yaml": [CLASS, POOL]})) == 1


def test_which_objects_create_nodes_on_aks() -> None:
    agents = {
        "apiVersion": "containerservice.azure.com/v1api20250801",
        "kind": "ManagedClustersAgentPool",
        "metadata": {"name": "t4", "namespace": "a"},
        "spec": {"owner": {"name": "a"}, "vmSize": T4, "mode": "User", "osType": "Linux", "count": 1},
    }
    assert len(forecasts({"a.yaml": agents})) == 1
    elsewhere = copy.deepcopy(POOL)
    elsewhere["spec"]["template"]["spec"]["nodeClassRef"] = {
        "group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "a"
    }  # fmt: skip
    assert forecasts({"a.yaml": elsewhere}) == []
    assert len(forecasts({"a.yaml": {**POOL, "spec": {**POOL["spec"], "weight": "much"}}})) == 1  # is reported
    assert forecasts({"a.yaml": deployment("web", 1)}) == []


def test_documents_of_a_fleet_beside_the_pools_are_ignored() -> None:
    spec = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {name: t4}\nspec: {}\n"
    web = yaml.safe_dump(deployment("web", 2))
    [forecast] = forecasts({"a.yaml": [CLASS, POOL]}, {"b.yaml": f"{spec}---\n{web}"})
    assert replicas(forecast) == {"web": [2]}


def test_a_patch_beside_the_pools_is_not_a_workload() -> None:
    patch = {**deployment("web", 1), "spec": {"replicas": 4}}
    beside = {
        "kustomization.yaml": "resources: [web.yaml]\npatches: [{path: more.yaml}]\n",
        "web.yaml": deployment("web", 1),
        "more.yaml": patch,
    }
    [forecast] = forecasts({"pools.yaml": [CLASS, POOL]}, beside)
    assert replicas(forecast) == {"web": [4]}


def test_a_patch_beside_the_pools_does_not_replace_a_workload() -> None:
    patch = {**deployment("web", 1), "spec": {"replicas": 4}}
    beside = {"kustomization.yaml": "resources: []\npatches: [{path: more.yaml}]\n", "more.yaml": patch}
    [forecast] = forecasts({"a.yaml": [CLASS, POOL, deployment("web", 2)]}, beside)
    assert replicas(forecast) == {"web": [2]}


@pytest.mark.parametrize("beside", [False, True])
def test_a_workload_that_the_api_server_rejects_is_named(*, beside: bool) -> None:
    wrong: Body = deployment("web", 1)
    wrong["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "many"}
    pools = [CLASS, POOL]
    [forecast] = forecasts({"a.yaml": pools}, {"b.yaml": wrong}) if beside else forecasts({"a.yaml": [*pools, wrong]})
    [verdict] = forecast.verdicts
    assert (verdict.name, verdict.number, verdict.verdict) == ("web", None, UNSCHEDULABLE)
    assert [reason.message for reason in verdict.reasons] == ["'many' is not a valid quantity"]


@pytest.mark.parametrize("beside", [False, True])
def test_an_object_without_pods_that_the_api_server_rejects_is_not_a_workload(*, beside: bool) -> None:
    wrong = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {"a": 5}}
    given = [deployment("web", 1), wrong]
    pools = [CLASS, POOL]
    [forecast] = forecasts({"a.yaml": pools}, {"b.yaml": given}) if beside else forecasts({"a.yaml": [*pools, *given]})
    assert [(verdict.name, verdict.verdict) for verdict in forecast.verdicts] == [("web", "schedulable")]


@pytest.mark.parametrize(
    ("network", "pods", "nodes"),
    [
        ({}, 247, 1),
        ({}, 248, 2),
        ({"plugin": "none"}, 247, 1),
        ({"plugin": "azure", "mode": "node-subnet"}, 200, 8),
        ({"plugin": "kubenet"}, 107, 1),
        ({"plugin": "kubenet"}, 108, 2),
    ],
)
def test_the_network_plugin_limits_the_pods_of_a_node(network: Body, pods: int, nodes: int) -> None:
    """Each node also runs two DaemonSet pods, and the first node one pod of the fleet."""
    documents = list(yaml.load_all(spec_of("", NAP).content, yaml.CSafeLoader))
    for document in documents:
        if document["kind"] == "Cluster" and network:
            document["spec"]["network"] = network
    small = deployment("small", pods, gpus=0, requests={"cpu": "1m"}, nodeSelector={"karpenter.sh/nodepool": "pool"})
    inputs = validate_texts([Text("fleet.yaml", yaml.safe_dump_all(documents), "fleet.yaml")]).inputs
    assert inputs is not None
    [forecast] = of_fleet(inputs, inputs.clusters, manifests({"small.yaml": small}), GIVEN)
    assert len(forecast.high) == nodes
