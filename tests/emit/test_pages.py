"""Runbook pages: commands and queries to run manually, which no delivery engine applies."""

import shlex
import subprocess
from pathlib import Path

import pytest

from gitgpu.emit import pages
from gitgpu.emit.pages.cluster_commands import PAGE
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.write.layout import bind
from tests.emit.fleets import AZURE, CLUSTER_ID, GROUP, Body, cluster, fleet, plans, pool, workload


def planned(*documents: Body) -> ClusterPlan:
    """The plan of cluster "one"."""
    return plans(*documents)["one"]


def script(*documents: Body) -> str:
    """The commands that the cluster needs."""
    return PAGE.write(planned(*documents))


def commands(text: str) -> list[list[str]]:
    """Every `az` command, split into words."""
    return [shlex.split(line) for line in text.splitlines() if line.startswith("az ")]


def test_a_cluster_names_the_rows_that_its_fleet_depends_on() -> None:
    ranker = workload("ranker", ["t4"], scaling={"target": 70, "max": 2})
    text = script(fleet(stack={"metrics": AZURE, "keda": "addon"}), cluster(), pool("t4"), ranker)
    options = [words[words.index("$CLUSTER") + 1 :] for words in commands(text)]
    assert options == [
        ["--node-provisioning-mode", "Auto"],
        ["--enable-azure-monitor-metrics"],
        ["--enable-oidc-issuer", "--enable-workload-identity"],
        ["--enable-keda"],
        ["--overwrite-existing", "--file", "$KUBECONFIG"],
    ]


def called(tmp_path: Path, text: str) -> list[str]:
    """The `az` and `kubectl` commands of a script, which is run with stand-ins that print their arguments."""
    for name in ("az", "kubectl"):
        tool = tmp_path / name
        tool.write_text(f'#!/bin/sh\necho {name} "$@"\n')
        tool.chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin", "TMPDIR": str(tmp_path)}
    run = subprocess.run(["sh", "-s"], input=text, env=path, text=True, capture_output=True, check=True)
    return run.stdout.splitlines()


WORKSPACE = f"{GROUP}/Microsoft.Monitor/accounts/gpu-metrics"


@pytest.mark.parametrize("provisioner", ["nap", "cluster-autoscaler"])
def test_the_workspace_and_the_cluster_are_those_of_the_spec(tmp_path: Path, provisioner: str) -> None:
    there = cluster(provisioner=provisioner, resourceId=CLUSTER_ID.replace("azure-one", "Azure_One"))
    with_workspace = fleet(stack={"metrics": {**AZURE, "workspace": WORKSPACE}})
    lines = called(tmp_path, script(with_workspace, there, pool("t4")))
    updates = [line for line in lines if "--enable-azure-monitor-metrics" in line]
    option = f"--azure-monitor-workspace-resource-id {WORKSPACE}"
    subscription = "--subscription 00000000-0000-0000-0000-000000000000"
    update = "az aks update --resource-group gpu --name Azure_One --enable-azure-monitor-metrics"
    assert updates == [f"{update} {option} {subscription}"]
    assert all(line.endswith(subscription) for line in lines)


def test_the_operator_of_the_add_on_gets_its_identity_and_new_pods(tmp_path: Path) -> None:
    ranker = workload("ranker", ["t4"], scaling={"target": 70, "max": 2})
    there = cluster(resourceId=CLUSTER_ID)
    text = script(fleet(stack={"metrics": AZURE, "keda": "addon"}), there, pool("t4"), ranker)
    *_, annotate, restart, _ = called(tmp_path, text)
    client = f"azure.workload.identity/client-id={AZURE['identity']}"
    words = "kubectl annotate serviceaccount keda-operator --namespace kube-system"
    assert annotate == f"{words} --overwrite {client}"
    assert restart == "kubectl rollout restart deployment/keda-operator --namespace kube-system"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("tmp.")]


def test_a_keda_that_is_not_the_add_on_is_not_changed() -> None:
    ranker = workload("ranker", ["t4"], scaling={"target": 70, "max": 2})
    assert "kubectl" not in script(fleet(stack={"metrics": AZURE, "keda": "helm"}), cluster(), pool("t4"), ranker)


def test_the_cluster_is_the_one_of_its_resource_id(tmp_path: Path) -> None:
    nobody = "00000000-0000-0000-0000-000000000000"
    group = f"/subscriptions/{nobody}/resourceGroups/own"
    resource_id = f"{group}/providers/Microsoft.ContainerService/managedClusters/aks-7"
    there = cluster(provisioner="cluster-autoscaler", resourceId=resource_id)
    text = script(fleet(stack={"metrics": {"scrape": "azure-managed"}}), there, pool("t4"))
    az = tmp_path / "az"
    az.write_text('#!/bin/sh\necho "$@"\n')
    az.chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    run = subprocess.run(["sh", "-s"], input=text, env=path, text=True, capture_output=True, check=True)
    words = "aks update --resource-group own --name aks-7 --enable-azure-monitor-metrics --subscription"
    assert run.stdout.splitlines() == [f"{words} {nobody}"]


def test_nothing_unused_is_requested() -> None:
    text = script(fleet(), cluster(), pool("t4"))
    assert [words[-1] for words in commands(text)] == ["Auto"]


def test_a_preview_is_registered_before_the_cluster_changes() -> None:
    first, *_ = commands(script(fleet(), cluster(), pool("t4", driver="managed")))
    assert first == [
        *["az", "feature", "register", "--namespace", "Microsoft.ContainerService", "--name"],
        "ManagedGPUExperiencePreview",
    ]


def test_a_script_is_valid_shell() -> None:
    plan = planned(fleet(stack={"metrics": AZURE, "keda": "addon"}), cluster(), pool("t4", driver="managed"))
    files = bind("one", plan.mark, {page.name: page.write(plan) for page in pages()})
    scripts = {path: text for path, text in files.items() if path.endswith(".sh")}
    assert scripts
    for text in scripts.values():
        assert text.startswith("#!/bin/sh\n# Generated by gitgpu from ")
        assert subprocess.run(["sh", "-n"], input=text, text=True, check=False).returncode == 0


@pytest.mark.parametrize(("name", "comment"), [("a.sh", "# "), ("a.bicep", "// "), ("a.kql", "// ")])
def test_a_header_is_a_comment_of_the_language(name: str, comment: str) -> None:
    plan = planned(fleet(), cluster(), pool("t4"))
    [(path, text)] = bind("one", plan.mark, {name: "x\n", "empty.sh": ""}).items()
    assert path == f"one/runbook/{name}"
    assert text.splitlines()[-3:] == [
        f"{comment}Generated by gitgpu from Cluster {plan.cluster.name} in {plan.mark.span.file}.",
        f"{comment}Do not edit {path}: change the spec and run `gitgpu build`.",
        "x",
    ]


def test_json_has_no_header() -> None:
    plan = planned(fleet(), cluster(), pool("t4"))
    assert bind("one", plan.mark, {"a.json": "{}\n"}) == {"one/runbook/a.json": "{}\n"}


def test_the_extension_for_queues_is_created_only_if_it_is_absent() -> None:
    setup = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, stack={"queues": "aks"})
    page = PAGE.write(planned(fleet(), setup, pool("t4", nodes={"min": 1, "max": 1})))
    show, create = [line for line in page.splitlines() if line.lstrip().startswith("az k8s-extension")]
    assert show.endswith("||")
    assert "--extension-type microsoft.kueue" in create
