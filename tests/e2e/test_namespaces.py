"""The namespaces of workloads: made by the overlays where the spec says so, else named in the runbook."""

import shutil
from pathlib import Path

import pytest

from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import OVERLAYS, ROOT, clusters, gitgpu, layers, missing
from tests.e2e.flux import NAMESPACE, delivered, settle, sync
from tests.e2e.githost import repository
from tests.e2e.standins import Company

NAME = "prod-swc"
WORKLOADS = ("serving", "research", "batch", "studio")
ENGINES = {NAMESPACE, "argocd"}


@pytest.mark.parametrize("name", clusters())
def test_the_runbook_names_every_namespace_that_must_exist(name: str) -> None:
    """Flux would tell of them one at a time."""
    absent = set(missing(one for layer in layers(name) for one in layer.objects)) - ENGINES
    runbook = (OVERLAYS / name / "runbook" / "cluster.sh").read_text(encoding="utf-8")
    assert [one for one in sorted(absent) if f"kubectl create namespace {one}" not in runbook] == []


def test_what_the_overlays_bring_needs_no_hand(
    cluster: Cluster, around: Company, tmp_path: Path, proved: Proved
) -> None:
    """With `namespaces: create` a cluster without any namespace of a workload comes to Ready."""
    assert around.withheld == set()
    with repository(tmp_path) as served:
        shutil.copy(ROOT / "fleet.yaml", served.tree)
        spec = served.tree / "fleet.yaml"
        text = spec.read_text(encoding="utf-8").replace(
            "    engine: flux\n", "    engine: flux\n    namespaces: create\n", 1
        )
        for one in WORKLOADS:  # namespaces that no other test has made
            text = text.replace(f"namespace: {one}\n", f"namespace: {one}-anew\n")
        spec.write_text(text, encoding="utf-8")
        gitgpu(served.tree, "build")
        overlays = served.tree / "overlays"
        assert set(missing(one for layer in layers(NAME, overlays) for one in layer.objects)) <= ENGINES
        commit = served.commit("namespaces of our own")
        with delivered(cluster.client, sync(NAME, served, overlays)):
            settle(cluster.client, commit)
        found = {one["metadata"]["name"] for one in cluster.client.list("v1", "Namespace")}
    made = sorted(one for one in found if one.endswith("-anew"))
    assert made
    proved(f"{NAME}: every layer Ready on a cluster that had none of the namespaces {', '.join(made)}")
