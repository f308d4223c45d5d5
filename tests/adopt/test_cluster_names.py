"""Distinguishing clusters: names with the same DNS label, delivery hubs, and names of the same Argo CD cluster."""

import json

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.folders import distinct_names
from gitgpu.inventory.observed import Inventory
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.test_observing import POOL, observe, shown
from tests.helping.cases import for_each
from tests.inventory.reading import read
from tests.runs.test_import import POOL as GPU_POOL

GROUP = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/Microsoft.ContainerService"
CLUSTER = "Microsoft.ContainerService/ManagedClusters"
APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec:
  project: default
  destination: {%s, namespace: default}
  source: {repoURL: https://github.com/contoso/fleet, path: %s}
"""
SECRET = """apiVersion: v1
kind: Secret
metadata: {name: prod, labels: {argocd.argoproj.io/secret-type: cluster}}
stringData: {name: prod, server: "https://prod.hcp.azmk8s.io:443"}
"""
SET = """apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: nodes, namespace: argocd}
spec:
  generators:
  - list: {elements: [{cluster: prod}]}
  template:
    metadata: {name: "{{cluster}}"}
    spec:
      project: default
      destination: {name: "{{cluster}}", namespace: default}
      source: {repoURL: https://github.com/contoso/fleet, path: "nodes/{{cluster}}"}
"""
PRIORITY = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 9\n"


def imported(inventory: Inventory) -> Imported:
    """The fleet of an inventory."""
    return import_fleet(inventory, ClusterOptions("", "swedencentral"), (), "fleet")


def test_two_names_with_the_same_label() -> None:
    names = ("prod-swc", "prod_swc")
    pool = {"name": "gpu", "vmSize": "Standard_NC24ads_A100_v4", "mode": "User", "osSku": "Ubuntu", "count": 1}
    ids = [f"{GROUP}/managedClusters/{name}/agentPools/gpu" for name in names]
    result = imported(read(json.dumps([{"id": each, **pool} for each in ids])))
    written = [name for name in result.files if name.endswith("/cluster.yaml")]
    assert written == ["clusters/prod-swc-2/cluster.yaml", "clusters/prod-swc/cluster.yaml"]
    assert [each.word for each in result.verdicts] == ["keep", "keep"]
    reasons = [each.reason for each in result.adopted.inferred if "another cluster has the name" in each.reason]
    assert "the cluster is named prod_swc, but another cluster has the name prod-swc" in reasons


def test_a_folder_with_an_application_set_is_not_a_cluster() -> None:
    result = imported(observe({"argocd/set.yaml": SET, "nodes/prod/pool.yaml": GPU_POOL}))
    assert list(result.files) == ["clusters/prod/cluster.yaml", "clusters/prod/pools/gpu.yaml", "fleet.yaml"]
    [outcome] = [each for each in result.adopted.outcomes if each.observed.name.startswith("ApplicationSet")]
    assert (outcome.fate, outcome.reason[:8]) == (Fate.LEFT, "delivers")


UNKNOWN = SET.replace("- list: {elements: [{cluster: prod}]}", "- clusters: {}").replace("{{cluster}}", "{{name}}")
FOLDERS = "{git: {repoURL: https://github.com/contoso/fleet, directories: [{path: nodes/*}]}}"
MATRIX = UNKNOWN.replace('"nodes/{{name}}"', '"{{path}}"').replace(
    "- clusters: {}", f"- matrix: {{generators: [{FOLDERS}, {{clusters: {{}}}}]}}"
)


@for_each("text", [UNKNOWN, MATRIX], ids=["clusters", "matrix"])
def test_clusters_that_only_argo_cd_knows_are_named_by_azure(text: str) -> None:
    """The folder with the ApplicationSet is none of them, although it is the only one with a name."""
    files = {"argocd/set.yaml": text}
    for name in ("dev", "prod"):
        body = {"id": f"{GROUP}/managedClusters/{name}", "name": name, "location": "swedencentral", "type": CLUSTER}
        files |= {f"nodes/{name}/aks.json": json.dumps(body), f"nodes/{name}/pool.yaml": GPU_POOL}
    found = observe(files)
    assert [fault.message for fault in found.faults] == []
    result = imported(found)
    assert [each.cluster for each in result.verdicts] == ["dev", "prod"]
    assert {path.split("/")[1] for path in result.files if path.startswith("clusters/")} == {"dev", "prod"}


@for_each("text", [UNKNOWN, MATRIX], ids=["clusters", "matrix"])
def test_the_folder_of_an_application_set_gives_no_cluster_its_name(text: str) -> None:
    result = imported(observe({"argocd/set.yaml": text, "nodes/prod/pool.yaml": GPU_POOL}))
    assert [each.cluster for each in result.verdicts] == ["cluster"]
    assert ("metadata", "name") in [each.key for each in result.adopted.inferred if each.missing]


def test_a_name_and_a_server_of_one_cluster() -> None:
    """With Argo CD's cluster Secret, they are known to be one cluster; without it they are two."""
    files = {
        "argocd/a.yaml": APPLICATION % ("a", "name: prod", "nodes"),
        "argocd/b.yaml": APPLICATION % ("b", 'server: "https://prod.hcp.azmk8s.io:443"', "apps"),
        "nodes/pool.yaml": POOL,
        "apps/pool.yaml": POOL.replace("gpu", "other"),
    }
    alone = {cluster.name for cluster in observe(files).clusters}
    assert {"prod", "https://prod.hcp.azmk8s.io:443"} <= alone
    by = "Application/argocd"
    encoded = SECRET.replace("stringData: {name: prod", "data: {name: cHJvZA==")
    encoded = encoded.replace('"https://prod.hcp.azmk8s.io:443"', "aHR0cHM6Ly9wcm9kLmhjcC5hem1rOHMuaW86NDQzLw==")
    for secret in (SECRET, encoded):
        pools = [line for line in shown(observe({**files, "argocd/c.yaml": secret})) if "NodePool" in line]
        assert pools == [f"prod/NodePool/gpu {by}/a", f"prod/NodePool/other {by}/b"]
    for other in (
        SECRET.replace("secret-type: cluster", "secret-type: repository"),
        SECRET.replace("kind: Secret", "kind: ConfigMap"),
        SECRET.replace("name: prod, server", "server"),
        encoded.replace("cHJvZA==", "cHJvZA"),
    ):
        assert {cluster.name for cluster in observe({**files, "argocd/c.yaml": other}).clusters} >= alone


def test_objects_without_a_namespace_are_in_that_of_their_application() -> None:
    own = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: own, namespace: mine}\n"
    files = {
        "argocd/a.yaml": APPLICATION % ("a", "name: prod", "apps"),
        "apps/all.yaml": "---\n".join((POOL, PRIORITY, own, own.replace("name: own, namespace: mine", "name: plain"))),
    }
    [cluster] = [cluster for cluster in observe(files).clusters if cluster.name == "prod"]
    spaces = {each.body["metadata"]["name"]: each.body["metadata"].get("namespace") for each in cluster.objects}
    assert spaces == {"gpu": None, "own": "mine", "plain": "default", "urgent": None}
    assert {each.owner.tool for each in cluster.objects} == {"argocd"}
    files["apps/all.yaml"] += "---\napiVersion: v1\nkind: ConfigMap\n"
    assert len(shown(observe(files))) == len(shown(observe({**files, "apps/all.yaml": POOL}))) + 4


@for_each(
    ("folders", "names"),
    [
        (["fleet/dev", "fleet/prod"], ["dev", "prod"]),
        (["fleet/dev/a/b", "fleet/prod/a/b"], ["dev", "prod"]),
        (["dev/eu/gpu", "prod/us/gpu"], ["dev-eu", "prod-us"]),
        (["fleet/dev", "fleet/dev/more"], ["fleet-dev", "more"]),
        (["fleet"], ["fleet"]),
    ],
)
def test_clusters_are_named_after_what_differs_in_their_folders(folders: list[str], names: list[str]) -> None:
    assert distinct_names(folders) == names


CHART = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: gpu-operator, namespace: argocd}
spec:
  project: default
  destination: {%s, namespace: gpu-operator}
  sources:
  - repoURL: https://helm.ngc.nvidia.com/nvidia
    chart: gpu-operator
    targetRevision: v25.10.1
    helm: {valueFiles: [$values/argocd/values.yaml]}
  - {repoURL: https://github.com/contoso/fleet, targetRevision: main, ref: values}
"""


@for_each(
    ("destination", "driver"),
    [
        ("name: prod", "aks-only"),
        ('server: "https://prod.hcp.azmk8s.io:443"', "aks-only"),
        ("name: staging", "aks"),
        ("name: in-cluster", "aks"),
        ("name: other", "aks"),
    ],
)
def test_a_chart_is_on_the_cluster_that_its_application_names(destination: str, driver: str) -> None:
    """An operator that nothing shows would get a second device plugin beside it."""
    files = {
        "argocd/a.yaml": APPLICATION % ("a", "name: prod", "nodes"),
        "argocd/b.yaml": APPLICATION % ("b", "name: staging", "apps"),
        "argocd/operator.yaml": CHART % destination,
        "argocd/values.yaml": "driver: {enabled: false}\ntoolkit: {enabled: false}\n",
        "argocd/secret.yaml": SECRET,
        "nodes/pool.yaml": GPU_POOL,
        "apps/pool.yaml": GPU_POOL.replace("name: gpu", "name: other"),
    }
    result = imported(observe(files))
    assert result.checked.inputs
    stacks = {cluster.name: cluster.stack for cluster in result.checked.inputs.clusters}
    assert (sorted(stacks), stacks["prod"].driver) == (["prod", "staging"], driver)
