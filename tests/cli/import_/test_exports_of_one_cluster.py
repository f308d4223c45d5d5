"""Exports that are not what they seem: nothing is written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import KNOWN, Run
from tests.inventory.test_folders import applied
from tests.runs.test_import import POOL

ID = (
    "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/prod/providers/Microsoft.ContainerService"
    "/managedClusters/prod-swc"
)
OPTIONS = ("--region", "swedencentral", *KNOWN)


def test_two_exports_of_one_cluster_are_not_two_clusters(run: Run) -> None:
    """UIDs are unique: the pool of two folders with one UID is one pool at different times."""
    for folder, weight in (("monday", 1), ("friday", 2)):
        Path(folder).mkdir()
        text = POOL.replace("metadata:\n  name: gpu\n", "metadata: {name: gpu, uid: a-b-c}\n", 1)
        text = text.replace("\nspec:\n", f"\nspec:\n  weight: {weight}\n", 1)
        assert "uid" in text
        Path(folder, "pools.yaml").write_text(text, encoding="utf-8")
    ran = run("import", ".", *OPTIONS)
    assert ran.code == 2
    assert "error[IMP006] NodePool/gpu has the UID of NodePool/gpu at friday/pools.yaml:1:1" in ran.err
    assert not Path("fleet").exists()


def show(name: str, provisioning: str = "Manual") -> str:
    """The output of `az aks show`, with a name of one's own."""
    pool = {"name": "gpu", "vmSize": "Standard_NC24ads_A100_v4", "count": 1, "mode": "User", "osType": "Linux"}
    body = {"id": ID, "name": name, "location": "swedencentral", "kubernetesVersion": "1.36.1"}
    kind = {"type": "Microsoft.ContainerService/ManagedClusters", "agentPoolProfiles": [pool]}
    return json.dumps(body | kind | {"nodeProvisioningProfile": {"mode": provisioning}})


def upgraded(text: str) -> str:
    return text.replace("1.36.1", "1.37.0")


def with_another_pool(text: str) -> str:
    body = json.loads(text)
    body["agentPoolProfiles"].append({**body["agentPoolProfiles"][0], "name": "more"})
    return json.dumps(body)


def with_keda(text: str) -> str:
    return json.dumps(json.loads(text) | {"workloadAutoScalerProfile": {"keda": {"enabled": True}}})


@pytest.mark.parametrize(
    ("change", "facts"),
    [(upgraded, "Kubernetes version"), (with_another_pool, "node pools"), (with_keda, "addons")],
)
@pytest.mark.parametrize("first", ["friday", "monday"])
def test_states_of_a_cluster_in_azure(run: Run, change: Callable[[str], str], facts: str, first: str) -> None:
    """Which of two outputs of `az aks show` is the newer one is not known: the order of folders does not decide."""
    for folder in ("friday", "monday"):
        Path(folder).mkdir()
        text = show("prod-swc")
        Path(folder, "show.json").write_text(text if folder == first else change(text), encoding="utf-8")
    ran = run("import", ".", *KNOWN)
    assert ran.code == 2
    assert f"error[IMP006] cluster prod-swc is different at friday/show.json:1:1 ({facts}): " in ran.err
    assert not Path("fleet").exists()
    assert run("import", f"{first}/show.json", *KNOWN).code == 0


def test_equal_states_of_a_cluster_in_azure(run: Run) -> None:
    """Nor is a pool of its own document, as of `az aks nodepool list`, a contradiction."""
    cluster = json.loads(show("prod-swc"))
    for folder in ("friday", "monday"):
        Path(folder).mkdir()
        Path(folder, "show.json").write_text(json.dumps(cluster), encoding="utf-8")
    pool = cluster["agentPoolProfiles"][0] | {"name": "more", "id": f"{ID}/agentPools/more"}
    Path("monday/pools.json").write_text(json.dumps([pool]), encoding="utf-8")
    assert run("import", ".", *KNOWN).code == 0
    assert [path.name for path in Path("fleet/clusters").iterdir()] == ["prod-swc"]


def test_a_cluster_that_the_fleet_has_under_another_name(run: Run) -> None:
    Path("show.json").write_text(show("prod-swc"), encoding="utf-8")
    assert run("import", "show.json", "--cluster", "prod", *KNOWN).code == 0
    before = Path("fleet/clusters/prod/cluster.yaml").read_text(encoding="utf-8")
    ran = run("import", "show.json", "--cluster", "live", *KNOWN, "--force")
    assert ran.code == 2
    assert "error[IMP017] the fleet has this cluster as Cluster prod" in ran.err
    assert "pass --cluster prod" in ran.err
    assert [path.name for path in Path("fleet/clusters").iterdir()] == ["prod"]
    assert Path("fleet/clusters/prod/cluster.yaml").read_text(encoding="utf-8") == before
    assert run("import", "show.json", "--cluster", "prod", *KNOWN, "--force").code == 0


def test_a_cluster_that_is_possibly_another_one(run: Run) -> None:
    """The folder says which cluster of Azure has the name that an Application uses."""
    files = applied("gpu")
    files["az/show.json"] = show("prod-swc", "Auto")
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    ran = run("import", ".", *KNOWN)
    assert ran.code == 2
    assert "error[IMP023] NodePool/gpu is of gpu, which is possibly prod-swc" in ran.err
    assert not Path("fleet").exists()
    Path("az/show.json").rename("apps/gpu/show.json")
    ran = run("import", ".", *KNOWN)
    assert "IMP023" not in ran.err
    assert [path.name for path in Path("fleet/clusters").iterdir()] == ["prod-swc"]


def test_a_cluster_of_another_resource_group_with_the_same_name(run: Run) -> None:
    """Not even `--force` replaces a cluster with another one."""
    Path("show.json").write_text(show("prod"), encoding="utf-8")
    Path("other.json").write_text(show("prod").replace(ID, ID.replace("Groups/", "Groups/x")), "utf-8")
    assert run("import", "show.json", "--cluster", "prod", *KNOWN).code == 0
    before = Path("fleet/clusters/prod/cluster.yaml").read_text(encoding="utf-8")
    ran = run("import", "other.json", "--cluster", "prod", *KNOWN, "--force")
    assert ran.code == 2
    assert "error[IMP022] the fleet has another Cluster prod, with a different resourceId" in ran.err
    assert Path("fleet/clusters/prod/cluster.yaml").read_text(encoding="utf-8") == before
    assert run("import", "other.json", "--cluster", "prod-x", *KNOWN).code == 0


@pytest.mark.parametrize(
    ("change", "is_reported"),
    [
        ({}, True),
        ({"agentPoolProfiles": []}, True),
        ({"nodeProvisioningProfile": {"mode": "Auto", "defaultNodePools": "Auto"}}, True),
        ({"nodeProvisioningProfile": {"mode": "Auto", "defaultNodePools": "None"}}, False),
        ({"nodeProvisioningProfile": {"mode": "Manual"}}, False),
    ],
)
def test_half_a_cluster(run: Run, change: dict[str, Any], *, is_reported: bool) -> None:
    """AKS creates NodePools in a cluster with node auto-provisioning, unless it is told not to."""
    body = json.loads(show("prod-swc", "Auto")) | change
    Path("show.json").write_text(json.dumps(body), encoding="utf-8")
    err = run("import", "show.json", *KNOWN).err
    assert ("IMP024" in err) == is_reported
    assert ("prod-swc has node auto-provisioning, but the input has none of its NodePools" in err) == is_reported
    Path("pools.yaml").write_text(POOL, encoding="utf-8")
    assert "IMP024" not in run("import", ".", *KNOWN, "--force").err


def test_a_template_of_a_cluster_is_no_half_cluster(run: Run) -> None:
    """It may not be deployed yet."""
    aks = json.loads(show("prod-swc", "Auto"))
    resource = {"type": "Microsoft.ContainerService/managedClusters", "name": "prod-swc", "properties": aks}
    Path("aks.json").write_text(json.dumps({"contentVersion": "1.0.0.0", "resources": [resource]}), encoding="utf-8")
    ran = run("import", "aks.json", *KNOWN)
    assert Path("fleet/clusters/prod-swc/cluster.yaml").exists()
    assert "IMP024" not in ran.err


NODES = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/MC_prod_prod-swc_swedencentral"


def printed(weight: int = 1, *, created: str = "", nodes: str = "", uid: str = "") -> str:
    """The output of `kubectl get nodepools,aksnodeclasses,nodes -o yaml`, of which UIDs may have been removed."""
    items = [body for body in yaml.load_all(POOL, yaml.CSafeLoader) if body]
    for number, body in enumerate(items):
        body["metadata"] |= {"creationTimestamp": created} if created else {}
        body["metadata"] |= {"uid": f"{uid}-{number}"} if uid else {}
    items[0]["spec"]["weight"] = weight
    if nodes:
        provider = f"azure://{nodes.replace('MC_', 'mc_')}/providers/Microsoft.Compute/virtualMachines/aks-gpu-x7"
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "aks-gpu-x7"}}
        items.append(node | {"spec": {"providerID": provider}})
    return yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": items})


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("both", "words"),
    [
        ({"nodes": NODES}, "have nodes in the resource group mc_prod_prod-swc_swedencentral"),
        ({"created": "2026-03-01T10:00:00Z"}, "have NodePool/gpu, which was created at 2026-03-01T10:00:00Z in both"),
    ],
)
def test_exports_without_uids_of_one_cluster(run: Run, both: dict[str, str], words: str) -> None:
    """The folders have different names, and yet they are not of two clusters."""
    folders = ("clusters/friday", "clusters/monday")
    write({f"{folder}/pools.yaml": printed(number, **both) for number, folder in enumerate(folders, 1)})
    ran = run("import", ".", *OPTIONS)
    assert ran.code == 2
    assert f"error[IMP006] friday and monday {words}: these are two exports of the same cluster" in ran.err
    assert not Path("fleet").exists()


@pytest.mark.parametrize(
    "other",
    [
        {"nodes": NODES.replace("prod-swc", "stage-swc")},
        {"nodes": NODES.replace("1111-2222", "1111-3333")},  # the same name in another subscription
        {"created": "2026-03-01T10:00:01Z"},
        {"uid": "b", "created": "2026-03-01T10:00:00Z"},
    ],
)
def test_exports_of_two_clusters(run: Run, other: dict[str, Any]) -> None:
    first: dict[str, Any] = {"nodes": NODES} if "nodes" in other else {"created": "2026-03-01T10:00:00Z"}
    first |= {"uid": "a"} if "uid" in other else {}
    write({"clusters/a/pools.yaml": printed(**first), "clusters/b/pools.yaml": printed(**other)})
    ran = run("import", ".", *OPTIONS)
    assert "IMP" not in ran.err
    assert sorted(path.name for path in Path("fleet/clusters").iterdir()) == ["a", "b"]


def test_a_cluster_with_two_names(run: Run) -> None:
    """The host of an API server is the same after everything else was edited."""
    host = {"fqdn": "prod-dns-a1b2c3d4.hcp.swedencentral.azmk8s.io"}
    texts = [json.loads(show("prod-swc")) | host for _ in range(2)]
    texts[1]["id"] = ID.replace("prod-swc", "other")
    write({"a/show.json": json.dumps(texts[0]), "b/show.json": json.dumps(texts[1])})
    ran = run("import", ".", *KNOWN)
    assert ran.code == 2
    assert "error[IMP006] other and prod-swc have the API server prod-dns-a1b2c3d4" in ran.err


def test_exports_that_nothing_identifies(run: Run) -> None:
    """They may be of two clusters: their folders say so."""
    write({"clusters/monday/pools.yaml": printed(), "clusters/friday/pools.yaml": printed(weight=2)})
    ran = run("import", ".", *OPTIONS)
    message = "IMP025: monday is possibly friday: both have NodePool/gpu, and nothing in this export identifies its"
    assert message in ran.err
    assert ran.err.count("IMP025") == 1
    assert "the output of `az aks show` into the folder of each" in ran.err


def test_clusters_of_a_repository_need_nothing_that_identifies_them(run: Run) -> None:
    write({"clusters/prod/pools.yaml": POOL, "clusters/stage/pools.yaml": POOL})
    assert "IMP025" not in run("import", ".", *OPTIONS).err


def test_nodes_name_the_cluster_of_their_folder(run: Run) -> None:
    """Azure prints the resource group of the nodes, and each node has it too."""
    files = {"exports/east/pools.yaml": printed(nodes=NODES), "exports/west/pools.yaml": printed(weight=2)}
    for folder, name in (("az1", "prod-swc"), ("az2", "west")):
        body = json.loads(show(name)) | {"nodeResourceGroup": f"MC_prod_{name}_swedencentral"}
        body["id"] = ID.replace("prod-swc", name)
        files[f"{folder}/show.json"] = json.dumps(body)
    write(files)
    ran = run("import", ".", *KNOWN)
    assert ran.code != 2
    assert sorted(path.name for path in Path("fleet/clusters").iterdir()) == ["prod-swc", "west"]
    assert "weight: 1" in Path("fleet/clusters/prod-swc/pools/gpu.yaml").read_text(encoding="utf-8")


def test_nodes_alone_are_no_cluster(run: Run) -> None:
    write({"clusters/a/pools.yaml": printed(), "clusters/b/nodes.yaml": printed(nodes=NODES)})
    items = yaml.load(Path("clusters/b/nodes.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)["items"]
    Path("clusters/b/nodes.yaml").write_text(yaml.safe_dump(items[-1]), encoding="utf-8")
    run("import", ".", *OPTIONS)
    assert [path.name for path in Path("fleet/clusters").iterdir()] == ["a"]


def test_a_cluster_of_which_nothing_else_is_passed(run: Run) -> None:
    """AKS Automatic with managed system pools has none, and a warning alone gives no reason to write nothing."""
    body = json.loads(show("prod-swc", "Auto")) | {"agentPoolProfiles": []}
    Path("show.json").write_text(json.dumps(body), encoding="utf-8")
    ran = run("import", "show.json", *KNOWN)
    assert ran.code == 2
    assert "warning[IMP024]" in ran.err
    assert "Error: nothing to import: the input contains no object of a cluster" in ran.err


@pytest.mark.parametrize("name", ["gpu", "default"])
def test_nodepools_without_their_node_classes(run: Run, name: str) -> None:
    """A build would write the class without its settings, so the fleet says what is missing until it is there."""
    pools = [body for body in yaml.safe_load_all(POOL) if body]
    [pool, node_class] = sorted(pools, key=lambda body: str(body["kind"]), reverse=True)
    pool["spec"]["template"]["spec"]["nodeClassRef"]["name"] = node_class["metadata"]["name"] = name
    Path("pool.yaml").write_text(yaml.safe_dump(pool), encoding="utf-8")
    ran = run("import", "pool.yaml", "--cluster", "prod", *OPTIONS)
    assert ran.code == 1
    assert f"the input does not contain AKSNodeClass {name}: import again with it" in ran.out
    built = run("build", "fleet", "--check")
    assert f"warning[IMP014] AKSNodeClass {name} is a placeholder" in built.out
    assert "IMP015" not in run("import", "pool.yaml", "--cluster", "prod", *OPTIONS, "--force").err
    Path("class.yaml").write_text(yaml.safe_dump(node_class), encoding="utf-8")
    ran = run("import", "pool.yaml", "class.yaml", "--cluster", "prod", *OPTIONS, "--force")
    assert "does not contain AKSNodeClass" not in ran.out
