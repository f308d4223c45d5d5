"""The names of clusters by their folders: `clusters/NAME/`, or a folder with the output of `az aks show`."""

import json

from gitgpu.adopt.reading.observing import observe_texts
from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from tests.helping.cases import for_each

ID = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g/providers/Microsoft.ContainerService"


APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec:
  project: default
  source: {repoURL: https://github.com/acme/platform, targetRevision: main, path: %s}
  destination: {name: %s, namespace: default}
"""


def show(name: str, provisioning: str = "Manual") -> str:
    """The output of `az aks show`."""
    kind = {"type": "Microsoft.ContainerService/ManagedClusters", "location": "swedencentral"}
    profile = {"nodeProvisioningProfile": {"mode": provisioning}}
    return json.dumps({"id": f"{ID}/managedClusters/{name}", "name": name, **kind, **profile})


def applied(*names: str, folder: str = "apps/%s") -> dict[str, str]:
    """Manifests of NodePools, and an Application that applies them to the cluster with each name."""
    files: dict[str, str] = {}
    for name in names:
        files[f"gitops/{name}.yaml"] = APPLICATION % (f"gpu-{name}", folder % name, name)
        files[f"{folder % name}/n.yaml"] = export(cpu=len(files))
    return files


def export(uid: str = "", name: str = "gpu", cpu: int = 10) -> str:
    """A NodePool as `kubectl get -o yaml` prints it, or as it is in a repository without a UID."""
    own = f"  uid: uid-{uid}\n  resourceVersion: '1'\n" if uid else ""
    head = f"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata:\n  name: {name}\n"
    return f"{head}{own}spec: {{limits: {{cpu: {cpu}}}}}\n"


def observed(files: dict[str, str], cluster: str = "") -> Inventory:
    """The clusters in these files of a directory."""
    named = frozenset[str]()
    options = ImportOptions(cluster, named=named)
    texts = [Text(name, text, name) for name, text in files.items()]
    return observe_texts(texts, (), options, lambda manifests: read_manifests(manifests, named))


def with_pools(files: dict[str, str]) -> list[str]:
    """Each cluster with NodePools or documents of Azure, with the number of its NodePools, and the codes of faults."""
    inventory = observed(files)
    found: list[str] = []
    for each in inventory.clusters:
        pools = [entry for entry in each.objects if entry.body["kind"] == "NodePool"]
        if pools or each.azure.resource_id:
            found.append(f"{each.name} {len(pools)}")
    return [*found, *(fault.code for fault in inventory.faults)]


def names(files: dict[str, str], cluster: str = "") -> list[str]:
    """Each cluster with the number of its objects, and the codes of faults."""
    inventory = observed(files, cluster)
    return [f"{each.name} {len(each.objects)}" for each in inventory.clusters] + [
        fault.code for fault in inventory.faults
    ]


@for_each(
    ("files", "found"),
    [
        ({"prod/c.json": show("a"), "prod/n.yaml": export("1"), "dev/c.json": show("b"), "dev/n.yaml": export("2")},
         ["a 1", "b 1"]),
        ({"prod/az/c.json": show("a"), "prod/k8s/n.yaml": export("1"), "dev/c.json": show("b"),
          "dev/k8s/x/n.yaml": export("2")}, ["a 1", "b 1"]),
        ({"clusters/a/n.yaml": export("1"), "clusters/b/n.yaml": export("2")}, ["a 1", "b 1"]),
        ({"x/clusters/a/gpu/n.yaml": export("1"), "x/clusters/a/apps/m.yaml": export("3", "m")}, ["a 2"]),
        ({"clusters/a/c.json": show("prod-a"), "clusters/a/n.yaml": export("1"), "clusters/b/n.yaml": export("2")},
         ["b 1", "prod-a 1"]),
        ({"a/n.yaml": export("1"), "b/n.yaml": export("2")}, ["a 1", "b 1"]),
        ({"a/n.yaml": export("1"), "a/x/m.yaml": export("3", "m"), "b/n.yaml": export("2")}, ["a 2", "b 1"]),
        ({"nodes/n.yaml": export("1"), "more/m.yaml": export("2", "m")}, [" 2"]),
        ({"az/c.json": show("a"), "k8s/n.yaml": export("1")}, ["a 1"]),
        ({"az/c.json": show("a"), "az/d.json": show("b"), "k8s/A/n.yaml": export("1"), "k8s/b/n.yaml": export("2")},
         ["a 1", "b 1"]),
        ({"clusters/a/n.yaml": export(), "clusters/b/n.yaml": export(cpu=20)}, ["a 1", "b 1"]),
        ({"prod/c.json": show("a"), "prod/n.yaml": export(), "dev/n.yaml": export(cpu=20)}, ["a 1", "dev 1"]),
    ],
    ids=["two folders with az aks show", "below them", "below clusters", "one of them", "half of them", "by UID",
         "with a folder below", "two folders of one cluster", "two folders, one named", "folders with names of Azure",
         "manifests below clusters",
         "manifests in folders"],
)  # fmt: skip
def test_what_folders_say(files: dict[str, str], found: list[str]) -> None:
    assert names(files) == found


@for_each(
    ("files", "code"),
    [
        ({"clusters/monday/n.yaml": export("1"), "clusters/friday/n.yaml": export("1", cpu=20)}, "IMP006"),
        ({"monday/n.yaml": export("1"), "friday/n.yaml": export("1", cpu=20)}, "IMP006"),
        ({"n.yaml": export("1"), "m.yaml": export("2", cpu=20)}, "IMP006"),
        ({"all/a.json": show("a"), "all/b.json": show("b"), "all/n.yaml": export("1")}, "IMP005"),
        ({"a/c.json": show("a"), "a/n.yaml": export("1"), "b/n.yaml": export("2", "other")}, "IMP005"),
    ],
    ids=["two states below clusters", "two states", "no folders", "two names in a folder", "half a cluster"],
)
def test_what_folders_do_not_say(files: dict[str, str], code: str) -> None:
    assert names(files)[-1] == code


def test_a_name_on_the_command_line_counts() -> None:
    assert names({"clusters/a/n.yaml": export("1")}, "prod") == ["prod 1"]


def test_the_folder_is_the_evidence_for_the_name() -> None:
    inventory = observed({"clusters/a/n.yaml": export("1"), "b/c.json": show("b")})
    assert [(each.name, each.folder) for each in inventory.clusters] == [("a", "clusters/a"), ("b", "")]


def test_a_cluster_with_another_name_in_azure_than_its_folder() -> None:
    """Flux names it by the folder of its entry point."""
    flux = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: nodes, namespace: flux-system}
spec: {interval: 1m, prune: true, path: ./nodes/%s, sourceRef: {kind: GitRepository, name: flux-system}}
"""
    files: dict[str, str] = {}
    for name in ("a", "b"):
        files[f"clusters/{name}/nodes.yaml"] = flux % name
        files[f"nodes/{name}/n.yaml"] = export()
    files["clusters/a/az.json"] = show("aks-prod-a")
    inventory = observed(files)
    assert [cluster.name for cluster in inventory.clusters] == ["aks-prod-a", "b"]
    pools = [observed.body["kind"] for observed in inventory.clusters[0].objects]
    assert "NodePool" in pools


@for_each(
    ("files", "found"),
    [
        ({**applied("prod"), "apps/prod/az.json": show("aks-prod")}, ["aks-prod 1"]),
        ({**applied("prod"), "az.json": show("aks-prod", "Auto")}, ["aks-prod 1"]),
        ({**applied("a", "b"), "apps/a/az.json": show("aks-a"), "apps/b/az.json": show("aks-b")},
         ["aks-a 1", "aks-b 1"]),
        ({**applied("a", "b"), "az.json": show("aks")}, ["a 1", "aks 0", "b 1"]),
        ({**applied("a"), "apps/a/1.json": show("aks-1"), "apps/a/2.json": show("aks-2")},
         ["a 1", "aks-1 0", "aks-2 0"]),
        ({**applied("a", "aks"), "az.json": show("aks")}, ["a 1", "aks 1"]),
        ({**applied("prod"), "az/az.json": show("aks-prod")}, ["aks-prod 0", "prod 1"]),
        ({**applied("prod"), "az/az.json": show("aks-prod", "Auto")}, ["aks-prod 0", "prod 1", "IMP023"]),
        ({**applied("a", "b"), "az/az.json": show("aks", "Auto")}, ["a 1", "aks 0", "b 1", "IMP023", "IMP023"]),
    ],
    ids=["its folder", "the folder of all", "two folders", "two clusters in a folder", "two in Azure",
         "one has that name", "elsewhere, without node auto-provisioning", "elsewhere", "elsewhere, two"],
)  # fmt: skip
def test_the_output_of_azure_beside_manifests_of_an_application(files: dict[str, str], found: list[str]) -> None:
    assert with_pools(files) == found


HOST = "prod-dns-1a2b.hcp.swedencentral.azmk8s.io"
SERVER = f"https://{HOST}:443"
CLUSTER_SECRET = f"""apiVersion: v1
kind: Secret
metadata: {{name: prod, namespace: argocd, labels: {{argocd.argoproj.io/secret-type: cluster}}}}
stringData: {{name: prod, server: "{SERVER}/"}}
"""


def with_host(key: str = "fqdn", name: str = "aks-prod", host: str = HOST) -> dict[str, str]:
    """The output of `az aks show` in a folder of its own, with a host of the API server."""
    return {f"az/{name}.json": json.dumps(json.loads(show(name, "Auto")) | {key: host})}


def by_server(name: str = SERVER) -> dict[str, str]:
    """NodePools of an Application that names its cluster by the URL of the API server."""
    application = APPLICATION % ("gpu", "apps/gpu", f'"{name}"')
    return {"gitops/gpu.yaml": application.replace('{name: "https', '{server: "https'), "apps/gpu/n.yaml": export()}


@for_each(
    ("files", "found"),
    [
        ({**by_server(), **with_host()}, ["aks-prod 1"]),
        ({**by_server(), **with_host("privateFqdn")}, ["aks-prod 1"]),
        ({**by_server(), **with_host("privateFQDN")}, ["aks-prod 1"]),
        ({**by_server(), **with_host("azurePortalFqdn")}, ["aks-prod 1"]),
        ({**by_server(SERVER.upper().replace("HTTPS", "https")), **with_host()}, ["aks-prod 1"]),
        ({**by_server(), **with_host(host=HOST.upper())}, ["aks-prod 1"]),
        ({**by_server(f"https://{HOST}"), **with_host()}, ["aks-prod 1"]),
        ({**by_server("prod"), **with_host(), **with_host(name="prod", host="other.azmk8s.io"),
          "argo/s.yaml": CLUSTER_SECRET}, ["aks-prod 1", "prod 0", "IMP024"]),
        ({**by_server(), **with_host(), "argo/s.yaml": CLUSTER_SECRET}, ["aks-prod 1"]),
        ({**by_server("prod"), **with_host(), "argo/s.yaml": CLUSTER_SECRET}, ["aks-prod 1"]),
        ({**by_server(), **with_host(), **with_host(name="other", host="other.azmk8s.io")},
         ["aks-prod 1", "other 0", "IMP024"]),
        ({**by_server(), **with_host(host="other.azmk8s.io")}, ["aks-prod 0", f"{SERVER} 1", "IMP023"]),
        ({**by_server(), **with_host("fqdn", host="")}, ["aks-prod 0", f"{SERVER} 1", "IMP023"]),
        ({**by_server("https://[oops"), **with_host()}, ["aks-prod 0", "https://[oops 1", "IMP023"]),
    ],
    ids=["fqdn", "private", "private, REST", "portal", "case", "case in Azure", "without port",
         "another one in Azure has the name in Argo CD", "URL and Secret", "name and Secret",
         "of two", "another host", "no host", "no URL"],
)  # fmt: skip
def test_the_host_of_the_api_server_identifies_a_cluster(files: dict[str, str], found: list[str]) -> None:
    assert with_pools(files) == found


def by_terraform(kind: str = "azurerm_kubernetes_cluster", **values: object) -> dict[str, str]:
    """The output of `terraform show -json` for a cluster."""
    own = {"id": f"{ID}/managedClusters/aks-prod", "name": "aks-prod", "location": "swedencentral", **values}
    if kind.startswith("azurerm"):
        own["node_provisioning_profile"] = [{"mode": "Auto"}]
    entry = {"address": f"{kind}.prod", "mode": "managed", "type": kind, "name": "prod", "values": own}
    state = {"format_version": "1.0", "terraform_version": "1.11.4", "values": {"root_module": {"resources": [entry]}}}
    return {"tf/show.json": json.dumps(state)}


def by_azapi(output: object) -> dict[str, str]:
    body = {"properties": {"nodeProvisioningProfile": {"mode": "Auto"}}}
    kind = "Microsoft.ContainerService/managedClusters@2025-09-01"
    return by_terraform("azapi_resource", type=kind, body=body, output=output)


def by_operator(**status: str) -> dict[str, str]:
    """A ManagedCluster of Azure Service Operator, with the name in Azure in its spec."""
    spec = {"azureName": "aks-prod", "location": "swedencentral", "nodeProvisioningProfile": {"mode": "Auto"}}
    head = {"apiVersion": "containerservice.azure.com/v1api20250801", "kind": "ManagedCluster"}
    names = {"name": "prod", "namespace": "azure", "uid": "a-b"}
    body = {**head, "metadata": names, "spec": spec, "status": {"id": f"{ID}/managedClusters/aks-prod", **status}}
    return {"aso/cluster.json": json.dumps(body)}


@for_each(
    ("files", "found"),
    [
        (by_terraform(fqdn=HOST), ["aks-prod 1"]),
        (by_terraform(fqdn="", private_fqdn=HOST), ["aks-prod 1"]),
        (by_terraform(portal_fqdn=HOST), ["aks-prod 1"]),
        (by_terraform("azurerm_kubernetes_automatic_cluster", fqdn=HOST), ["aks-prod 1"]),
        (by_terraform(fqdn="other.azmk8s.io"), ["aks-prod 0", f"{SERVER} 1", "IMP023"]),
        (by_terraform(fqdn=None), ["aks-prod 0", f"{SERVER} 1", "IMP023"]),
        (by_azapi({"properties": {"fqdn": HOST}}), ["aks-prod 1"]),
        (by_azapi(json.dumps({"properties": {"privateFQDN": HOST}})), ["aks-prod 1"]),
        (by_azapi({"fqdn": HOST}), ["aks-prod 1"]),
        (by_azapi("{"), ["aks-prod 0", f"{SERVER} 1", "IMP023"]),
        (by_operator(fqdn=HOST), ["aks-prod 1"]),
        (by_operator(privateFQDN=HOST), ["aks-prod 1"]),
        (by_operator(azurePortalFQDN=HOST), ["aks-prod 1"]),
        (by_operator(), ["aks-prod 0", f"{SERVER} 1", "IMP023"]),
    ],
    ids=["azurerm", "azurerm, private", "azurerm, portal", "azurerm, Automatic", "azurerm, another host",
         "azurerm, null", "azapi", "azapi 1", "azapi, named by the team", "azapi, no JSON", "operator",
         "operator, private", "operator, portal", "operator, none"],
)  # fmt: skip
def test_the_host_in_terraform_and_in_azure_service_operator(files: dict[str, str], found: list[str]) -> None:
    assert with_pools({**by_server(), **files}) == found


def operated(name: str) -> str:
    """A node pool of Azure Service Operator in a cluster with this name in Azure."""
    head = "apiVersion: containerservice.azure.com/v1api20250801\nkind: ManagedClustersAgentPool\n"
    owner = f"owner: {{armId: {ID}/managedClusters/{name}}}"
    return f"{head}metadata: {{name: {name}-ib, namespace: aks}}\nspec: {{azureName: ib, {owner}, vmSize: a}}\n"


def with_operated(*names: str, folder: str = "apps/%s") -> dict[str, str]:
    """Manifests of clusters, each in several folders, with a node pool next to its NodePool."""
    files = applied(*names, folder=folder)
    for name in names:
        files[f"{folder % name}/ib.yaml"] = operated(f"aks-{name}")
        files[f"{folder % name}/controllers/m.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n"
    return files


@for_each(
    ("files", "found"),
    [
        (with_operated("east", "west"), ["aks-east 1", "aks-west 1"]),
        (with_operated("east"), ["aks-east 1"]),
        ({**with_operated("hub"), "apps/hub/other.yaml": operated("aks-b")}, ["aks-b 0", "aks-hub 0", "hub 1"]),
    ],
)
def test_node_pools_next_to_the_node_pools_of_karpenter_name_their_cluster(
    files: dict[str, str], found: list[str]
) -> None:
    """One that has pools of several clusters is a cluster of its own: its operator manages others."""
    assert with_pools(files) == found
