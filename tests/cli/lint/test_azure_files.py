"""`gitgpu lint` of what `az aks` prints, and of ARM templates."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, Run

ID = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/prod/agentPools/gpu"
TYPE = "Microsoft.ContainerService/managedClusters/agentPools"
POOL = {"name": "gpu", "id": ID, "type": TYPE, "vmSize": "Standard_NC40ads_H100_v5", "count": 1, "mode": "User"}


def linted(run: Run, tmp_path: Path, data: Any, *options: str) -> Ran:
    path = tmp_path / "azure.json"
    path.write_text(json.dumps(data, indent=1))
    return run("lint", str(path), *options)


def template(*resources: dict[str, Any], **more: Any) -> dict[str, Any]:
    schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"
    return {"$schema": schema, "contentVersion": "1.0.0.0", **more, "resources": list(resources)}


def resource(**properties: Any) -> dict[str, Any]:
    return {"type": TYPE, "apiVersion": "2025-08-01", "name": "prod/gpu", "properties": properties}


@pytest.mark.parametrize("page", [False, True], ids=["az", "az rest"])
def test_a_node_pool_as_az_prints_it_is_checked(run: Run, tmp_path: Path, *, page: bool) -> None:
    pool = POOL | {"vmSize": "Standard_NC6s_v3", "provisioningState": "Succeeded", "osSku": "Ubuntu"}
    data: Any = [pool]
    if page:
        inside = {key: value for key, value in pool.items() if key not in ("name", "id", "type")}
        data = {"value": [{"name": "gpu", "id": ID, "type": TYPE, "properties": inside}]}
    ran = linted(run, tmp_path, data)
    assert ran.code == 1
    assert ran.out.count("error[") == 1
    assert "error[APL002] Azure retired Standard_NC6s_v3" in ran.out
    assert "info[LNT017]" in ran.out
    assert "1 object in 1 file" in ran.err


def test_what_azure_has_accepted_is_no_error(run: Run, tmp_path: Path) -> None:
    """It writes a count next to the autoscaler, and properties that are newer than any schema."""
    pool = POOL | {
        "enableAutoScaling": True,
        "minCount": 1,
        "maxCount": 3,
        "powerState": {"code": "Running"},
        "new": {},
    }
    ran = linted(run, tmp_path, [pool | {"nodeLabels": {"kubernetes.azure.com/x": "y"}}])
    assert (ran.code, ran.out.count("error["), ran.out.count("warning[")) == (0, 0, 0)


def test_a_template_that_azure_would_refuse_has_an_error(run: Run, tmp_path: Path) -> None:
    made = resource(vmSize="Standard_NC40ads_H100_v5", count=1, minCount=1, enableAutoScaling=False)
    ran = linted(run, tmp_path, template(made))
    assert "error[APL006] minCount needs the cluster autoscaler" in ran.out
    place = next(line for line in ran.out.splitlines() if "APL006" in line)
    written = (tmp_path / "azure.json").read_text().splitlines()
    assert "minCount" in written[int(place.split("azure.json:")[1].split(":")[0]) - 1]


def test_a_value_that_only_a_deployment_knows_is_not_judged(run: Run, tmp_path: Path) -> None:
    made = resource(vmSize="Standard_NC40ads_H100_v5", enableAutoScaling="[parameters('scaled')]", minCount=1, count=1)
    ran = linted(run, tmp_path, template(made, parameters={"scaled": {"type": "bool"}}))
    assert ran.code == 0
    assert "values that only a deployment knows" in ran.out


def test_pools_inside_a_cluster_are_checked_although_the_cluster_has_unknown_values(run: Run, tmp_path: Path) -> None:
    profiles = [
        {"name": "old", "vmSize": "Standard_NC6s_v3", "count": 1, "mode": "User", "type": "VirtualMachineScaleSets"},
        {"name": "any", "vmSize": "[parameters('size')]", "count": 1, "mode": "User"},
    ]
    cluster = {
        "type": "Microsoft.ContainerService/managedClusters",
        "apiVersion": "2025-08-01",
        "name": "prod",
        "properties": {"dnsPrefix": "[parameters('size')]", "agentPoolProfiles": profiles},
    }
    ran = linted(run, tmp_path, template(cluster, parameters={"size": {"type": "string"}}))
    assert ran.out.count("error[") == 1
    assert "error[APL002] Azure retired Standard_NC6s_v3" in ran.out


def test_a_cluster_is_checked_with_its_pools(run: Run, tmp_path: Path) -> None:
    cluster = {
        "name": "prod",
        "location": "swedencentral",
        "kubernetesVersion": "1.28",
        "nodeProvisioningProfile": {"mode": "Auto"},
        "agentPoolProfiles": [POOL | {"enableAutoScaling": True, "minCount": 1, "maxCount": 3}],
    }
    out = linted(run, tmp_path, cluster).out
    assert "warning[APL100]" in out
    assert "warning[APL012]" in out


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize(("mode", "ignored"), [("Managed", True), ("Unmanaged", False)])
def test_a_driver_that_aks_ignores(run: Run, tmp_path: Path, mode: str, *, ignored: bool, inside: bool) -> None:
    """As `az aks nodepool list` prints the pool, and as `az aks show` does, in its cluster."""
    pool = POOL | {"gpuProfile": {"driver": "None", "nvidia": {"managementMode": mode}}}
    data = {"name": "prod", "location": "swedencentral", "agentPoolProfiles": [pool]} if inside else [pool]
    assert ("warning[LNT018] AKS ignores driver: None" in linted(run, tmp_path, data).out) is ignored


@pytest.mark.parametrize("value", [7, "x", [], [1], {"a": [{}]}, None, True])
@pytest.mark.parametrize(
    "key", ["tags", "nodeTaints", "gpuProfile", "vmSize", "agentPoolProfiles", "properties", "name"]
)
def test_a_value_of_a_wrong_type_is_no_crash(run: Run, tmp_path: Path, key: str, value: Any) -> None:
    for data in ([POOL | {key: value}], template({**resource(**{key: value}), "name": "prod/gpu"})):
        ran = linted(run, tmp_path, data)
        assert ran.code in (0, 1)
        assert "INT001" not in ran.out + ran.err


def test_fix_leaves_such_files_as_they_are(run: Run, tmp_path: Path) -> None:
    ran = linted(
        run, tmp_path, template(resource(vmSize="Standard_NC6s_v3", count=1, nodeTaints=["a=b:noschedule"])), "--fix"
    )
    assert json.loads((tmp_path / "azure.json").read_text())["resources"][0]["properties"]["nodeTaints"] == [
        "a=b:noschedule"
    ]
    assert ran.code == 1
