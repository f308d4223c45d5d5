"""Namespaces of workloads: created by the overlays if the spec says so, otherwise listed by the runbook."""

import os
import subprocess
from pathlib import Path

from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import ROOT, gitgpu, layers, missing, namespace
from tests.e2e.flux import NAMESPACE, delivered, settle, sync
from tests.e2e.githost import repository
from tests.e2e.standins import Company

NAME = "prod-swc"
WORKLOADS = ("serving", "research", "batch", "studio")
ENGINES = {NAMESPACE, "argocd"}


def reported(script: Path, kubeconfig: Path) -> tuple[int, str]:
    """The exit status of a runbook script, and what it reports."""
    env = {**os.environ, "KUBECONFIG": str(kubeconfig)}
    done = subprocess.run(["sh", str(script)], env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_the_runbook_reports_every_namespace_that_must_exist(cluster: Cluster, tmp_path: Path, proved: Proved) -> None:
    """All of them together, although Flux would report them one at a time; nothing once they exist."""
    overlays = anew(tmp_path, "")
    absent = [
        name
        for name in missing(body for layer in layers(NAME, overlays) for body in layer.objects)
        if name not in ENGINES
    ]
    script = overlays / NAME / "runbook" / "namespaces.sh"
    status, complaints = reported(script, cluster.kubeconfig)
    assert status == 1
    assert [name for name in absent if f'"{name}" not found' not in complaints] == []
    for name in absent:
        namespace(cluster.client, name)
    try:
        assert reported(script, cluster.kubeconfig) == (0, "")
    finally:
        for name in absent:
            cluster.client.delete({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    proved(f"{NAME}: runbook/namespaces.sh reported {', '.join(absent)} at once")


def anew(tree: Path, delivery: str) -> Path:
    """The overlays of the example fleet, its workloads in namespaces that no other test makes."""
    text = (ROOT / "fleet.yaml").read_text(encoding="utf-8")
    text = text.replace("    engine: flux\n", f"    engine: flux\n{delivery}", 1)
    suffix = "anew" if delivery else "absent"
    for workload in WORKLOADS:
        text = text.replace(f"namespace: {workload}\n", f"namespace: {workload}-{suffix}\n")
        text = text.replace(f"namespaces: [{workload}]\n", f"namespaces: [{workload}-{suffix}]\n")  # of its team
    (tree / "fleet.yaml").write_text(text, encoding="utf-8")
    gitgpu(tree, "build")
    return tree / "overlays"


def test_what_the_overlays_bring_needs_no_hand(
    cluster: Cluster, around: Company, tmp_path: Path, proved: Proved
) -> None:
    """With `namespaces: create` a cluster without any namespace of a workload comes to Ready."""
    assert around.withheld == set()
    with repository(tmp_path) as served:
        overlays = anew(served.tree, "    namespaces: create\n")
        assert set(missing(body for layer in layers(NAME, overlays) for body in layer.objects)) <= ENGINES
        commit = served.commit("namespaces of our own")
        with delivered(cluster.client, sync(NAME, served, overlays)):
            settle(cluster.client, commit)
        names = {body["metadata"]["name"] for body in cluster.client.list("v1", "Namespace")}
    made = sorted(name for name in names if name.endswith("-anew"))
    assert made
    proved(f"{NAME}: every layer Ready on a cluster that had none of the namespaces {', '.join(made)}")
