"""Exports that are not what they seem: nothing is written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
