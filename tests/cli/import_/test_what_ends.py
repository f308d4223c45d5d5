"""`gitgpu import` does not adopt what ends by itself, nor clusters that have no name yet."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.conftest import KNOWN, Run
from tests.cli.import_.test_several_clusters import ONE, export, first, node_class, node_pool

OF = "/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/g/providers/Microsoft.ContainerService"


def agent_pool(name: str, **more: Any) -> dict[str, Any]:
    """A node pool as az prints it."""
    usual = {"id": f"{OF}/managedClusters/one/agentPools/{name}", "name": name, "mode": "User", "osType": "Linux"}
    return {**usual, "vmSize": "Standard_NC24ads_A100_v4", "count": 2, "nodeTaints": ["sku=gpu:NoSchedule"], **more}


def pools() -> set[str]:
    """The names of the GpuPools of the only cluster."""
    return {path.stem for path in Path("fleet/clusters/one").glob("pools/*.yaml")}


def test_node_pools_of_kaito_and_those_that_are_deleted_are_left(run: Run) -> None:
    of_kaito, going, stays = node_pool("ws"), node_pool("old"), node_pool("gpu")
    of_kaito["metadata"]["labels"] = {"karpenter.kaito.sh/managed-by": "kaito"}
    going["metadata"]["deletionTimestamp"] = "2026-11-28T10:00:00Z"
    ran = run("import", export("one", node_class({}), of_kaito, going, stays), *ONE)
    assert ran.code == 0, ran
    assert pools() == {"gpu"}
    assert "  1 NodePool: KAITO creates and deletes it together with its Workspace\n" in ran.out
    assert "  1 NodePool: it is being deleted\n" in ran.out


def test_a_pool_whose_node_class_is_being_deleted_is_not_adopted(run: Run) -> None:
    going = node_class({})
    going["metadata"]["deletionTimestamp"] = "2026-11-28T10:00:00Z"
    ran = run("import", export("one", going, node_pool("gpu")), *ONE)
    assert ran.code == 1
    assert "NodePool/gpu: AKSNodeClass/gpu, its node class: it is being deleted\n" in ran.out


@pytest.mark.parametrize(
    ("state", "code", "reason"),
    [
        ("Succeeded", 0, ""),
        ("Updating", 0, ""),
        ("Deleting", 0, "  1 node pool: it is being deleted\n"),
        ("Failed", 1, "node pool bad: its last operation in Azure failed: repair it, such as with `az aks nodepool"),
        ("Canceled", 1, "node pool bad: its last operation in Azure failed"),
    ],
)
def test_the_state_of_node_pools_in_azure(run: Run, state: str, code: int, reason: str) -> None:
    Path("pools.json").write_text(json.dumps([agent_pool("gpu"), agent_pool("bad", provisioningState=state)]), "utf-8")
    ran = run("import", "pools.json", "--region", "swedencentral", *KNOWN)
    assert (ran.code, reason in ran.out, pools()) == (code, True, {"gpu"} if reason else {"gpu", "bad"}), ran


@pytest.mark.parametrize(("more", "nodes"), [({"count": 0}, 0), ({"count": 3}, 3), ({"count": None}, 1)])
def test_a_fixed_number_of_nodes_stays_fixed(run: Run, more: dict[str, Any], nodes: int) -> None:
    Path("pools.json").write_text(json.dumps([agent_pool("gpu", **more)]), encoding="utf-8")
    assert run("import", "pools.json", "--region", "swedencentral", *KNOWN).code == 0
    assert run("build").code == 0
    spec = yaml.load(Path("overlays/one/nodes/managedclustersagentpool-gpu.yaml").read_text("utf-8"), yaml.CSafeLoader)[
        "spec"
    ]
    assert (spec["count"], spec["enableAutoScaling"], spec.get("maxCount")) == (nodes, False, None)


POD = {"containers": [{"name": "main", "image": "x:1", "resources": {"limits": {"nvidia.com/gpu": 1}}}]}


@pytest.mark.parametrize(
    ("api_version", "kind", "status", "ended"),
    [
        ("batch/v1", "Job", {"conditions": [{"type": "Complete", "status": "True"}]}, True),
        ("batch/v1", "Job", {"conditions": [{"type": "Failed", "status": "True"}]}, True),
        ("batch/v1", "Job", {"conditions": [{"type": "Failed", "status": "False"}], "active": 1}, False),
        ("batch/v1", "Job", {"active": 1}, False),
        ("v1", "Pod", {"phase": "Succeeded"}, True),
        ("v1", "Pod", {"phase": "Running"}, False),
        ("kubeflow.org/v1", "PyTorchJob", {"conditions": [{"type": "Succeeded", "status": "True"}]}, True),
        ("ray.io/v1", "RayJob", {"jobDeploymentStatus": "Complete"}, True),
        ("argoproj.io/v1alpha1", "Workflow", {"phase": "Failed"}, True),
        ("apps/v1", "Deployment", {"conditions": [{"type": "Complete", "status": "True"}]}, False),
    ],
)
def test_finished_jobs_are_left(run: Run, api_version: str, kind: str, status: Any, *, ended: bool) -> None:
    """A pod that requests GPUs and cannot be a GpuWorkload is not adopted, unless it has finished."""
    spec = POD if kind == "Pod" else {"template": {"spec": POD}}
    body = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a", "namespace": "ml"}, "spec": spec}
    ran = run("import", export("one", *first(), {**body, "status": status}), *ONE)
    assert (f"{kind}/ml/a: it has finished, and never runs again" in ran.out) is ended
    if ended:
        assert ran.code == 0, ran


def test_an_application_set_is_no_cluster(run: Run) -> None:
    """The clusters that it selects are known only in Argo CD."""
    Path("gpu").mkdir()
    Path("gpu/pools.yaml").write_text(yaml.safe_dump_all(first()), encoding="utf-8")
    source = {"repoURL": "https://github.com/contoso/platform", "path": "gpu", "targetRevision": "main"}
    spec = {"source": source, "destination": {"name": "{{name}}"}, "project": "default"}
    generators: list[dict[str, Any]] = [{"clusters": {}}]
    apps = {
        "apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "metadata": {"name": "gpu"},
        "spec": {"generators": generators, "template": {"metadata": {"name": "{{name}}"}, "spec": spec}},
    }  # fmt: skip
    Path("apps").mkdir()
    Path("apps/set.yaml").write_text(yaml.safe_dump(apps), encoding="utf-8")
    ran = run("import", ".", "--cluster", "one", "--region", "swedencentral", *KNOWN)
    assert ran.code == 0, ran
    assert pools() == {"a", "b"}
    assert [path.name for path in Path("fleet/clusters").iterdir()] == ["one"]


SECRET = {"adminPassword": "hunter2"}


@pytest.mark.parametrize("place", ["tags", "labels", "annotations", "nodeLabels", "poolTags"])
def test_a_pool_with_a_secret_is_not_adopted_and_the_secret_is_not_copied(run: Run, place: str) -> None:
    """On all kinds alike. Without the tag or label, its nodes would be replaced."""
    pool, of_class = node_pool("gpu"), node_class({"tags": SECRET} if place == "tags" else {})
    pool["spec"]["template"]["metadata"] = {place: SECRET} if place in ("labels", "annotations") else {}
    file = export("one", of_class, pool)
    if place in ("nodeLabels", "poolTags"):
        file = "pools.json"
        key = {"nodeLabels": "nodeLabels", "poolTags": "tags"}[place]
        Path(file).write_text(json.dumps([agent_pool("gpu", **{key: SECRET})]), encoding="utf-8")
    ran = run("import", file, *ONE)
    assert ran.code == 1, ran
    assert "adminPassword of " in ran.out
    assert " may be a secret, which does not belong in Git" in ran.out
    assert pools() == set()
    assert "hunter2" not in ran.out + ran.err + "".join(
        path.read_text("utf-8") for path in Path("fleet").rglob("*.yaml")
    )


def test_a_type_of_driver_that_nothing_installs_stays_in_a_pool_that_builds(run: Run) -> None:
    """Azure Service Operator has no field for it, so the pool is created with the Azure CLI or Bicep."""
    profile = {"driver": "None", "driverType": "GRID"}
    pool = agent_pool("win", vmSize="Standard_NC16as_T4_v3", osType="Windows", gpuProfile=profile)
    Path("pools.json").write_text(json.dumps([pool]), encoding="utf-8")
    assert run("import", "pools.json", "--region", "swedencentral", *KNOWN).code == 0
    built = run("build")
    assert (built.code, "CNF001" in built.out, "AGP020" in built.out) == (0, False, True), built
    page = Path("overlays/one/runbook/node-pools.bicep").read_text(encoding="utf-8")
    assert "driver: 'None'\n      driverType: 'GRID'" in page
