"""A pool is removed in two steps: a build that would remove a pool that is not retired fails and writes nothing."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import CLUSTER, FLEET, POOL, SOUND, many, tree, write

OTHER = POOL.replace("name: t4}", "name: t4-new}")
BOTH = f"{SOUND}---\n{OTHER}"
RETIRED = BOTH.replace("limits: {gpus: 2}}", "limits: {gpus: 2}, retire: true}", 1)
LEFT = f"{FLEET}---\n{CLUSTER}---\n{OTHER}"
WORKLOAD = """
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: w, namespace: a}
spec: {pools: [t4], target: {kind: Deployment, name: w}}
"""
AKS = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/Microsoft.ContainerService"
AZURE = CLUSTER.replace(
    "swedencentral,", f"swedencentral, provisioner: cluster-autoscaler, resourceId: {AKS}/managedClusters/c1,"
)


def refused(run: Run, *options: str) -> list[str]:
    """The pools that a build refuses to remove. Asserts that it wrote nothing."""
    before = tree()
    ran = run("build", "-o", "json", *options)
    assert tree() == before
    assert ran.code == 1
    results = [result for result in json.loads(ran.out)["results"] if result["code"] == "OUT007"]
    assert all("retire: true" in result["help"] and "--allow-removal" in result["help"] for result in results)
    return [result["file"] for result in results]


def test_a_retired_pool_can_be_removed(run: Run) -> None:
    for spec in (BOTH, RETIRED, LEFT):
        write(spec)
        assert run("build").code == 0
        assert run("build", "--check").code == 0
    assert "c1/nodes/nodepool-t4.yaml" not in tree()


@pytest.mark.parametrize(
    "after",
    [
        LEFT,
        BOTH.replace("name: t4}", "name: t4-renamed}", 1),
        BOTH.replace(CLUSTER, AZURE),
        f"{FLEET}---\n{CLUSTER}---\n{CLUSTER.replace('c1', 'c2')}---\n{POOL.replace('[c1]', '[c2]')}---\n{OTHER}",
    ],
    ids=["removed", "renamed", "made by another", "of another cluster"],
)
def test_a_pool_that_has_not_retired_cannot_be_removed(run: Run, after: str) -> None:
    write(BOTH)
    run("build")
    write(after)
    assert "overlays/c1/nodes/nodepool-t4.yaml" in refused(run)
    assert "overlays/c1/nodes/nodepool-t4.yaml" in refused(run, "--check")


def test_a_simulation_names_the_line_that_retires_a_pool(run: Run) -> None:
    spec = RETIRED.replace(", retire: true", ",\n  retire: true")
    write(f"{spec}---\n{WORKLOAD}")
    line = next(at for at, text in enumerate(spec.splitlines(), 1) if "retire: true" in text)
    ran = run("simulate")
    assert "it gets no new nodes" in ran.out
    assert f"fleet.yaml:{line}:" in ran.out


@pytest.mark.parametrize("glob", ["t4", "c1/t4", "*", "c1/*"])
def test_allow_removal_removes_a_pool_at_once(run: Run, glob: str) -> None:
    write(BOTH)
    run("build")
    write(LEFT)
    assert refused(run, "--allow-removal", "t4-new") == ["overlays/c1/nodes/nodepool-t4.yaml"]
    assert run("build", "--allow-removal", glob).code == 0
    assert "c1/nodes/nodepool-t4.yaml" not in tree()
    assert run("build", "--check").code == 0, "what is committed then is what the spec makes"


def test_the_removal_of_a_cluster_is_a_warning(run: Run) -> None:
    """The folder that its engine applies is removed, which neither stops nor deletes anything on the cluster."""
    write(many("c1", "c2"))
    run("build")
    write(many("c1"))
    ran = run("build", "--check", "-o", "json")
    [left] = [result for result in json.loads(ran.out)["results"] if result["code"] == "OUT007"]
    assert (left["severity"], left["file"]) == ("warning", "overlays/c2/nodes/nodepool-t4.yaml")
    assert "c2" in left["message"]
    assert run("build").code == 0
    assert not Path("overlays/c2").exists()


def test_a_cluster_with_retired_pools_is_removed_without_a_warning(run: Run) -> None:
    both = many("c1", "c2").replace("limits: {gpus: 2}", "limits: {gpus: 2}, retire: true")
    write(both)
    run("build")
    write(both.replace("clusters: [c1, c2]", "clusters: [c1]").replace(CLUSTER.replace("c1", "c2"), ""))
    ran = run("build")
    assert (ran.code, "OUT007" in ran.out) == (0, False)


def test_a_build_of_one_cluster_ignores_removed_pools_of_another(run: Run) -> None:
    write(many("c1", "c2"))
    run("build")
    write(many("c1", "c2").replace("clusters: [c1, c2]", "clusters: [c1]"))
    assert run("build", "--cluster", "c1").code == 0
    assert refused(run, "--cluster", "c2") == ["overlays/c2/nodes/nodepool-t4.yaml"]


def test_a_pool_that_has_no_object_must_retire_too(run: Run) -> None:
    """A node pool that needs a preview of the Azure API is only in the runbook."""
    managed = POOL.replace("limits: {gpus: 2}", "nodes: {min: 2, max: 2}, driver: managed")
    other = managed.replace("name: t4}", "name: other}")
    write(f"{FLEET}---\n{AZURE}---\n{managed}---\n{other}")
    assert run("build").code == 0
    write(f"{FLEET}---\n{AZURE}---\n{other}")
    assert refused(run) == ["overlays/c1"]


def test_a_pool_with_another_machine_name_is_another_pool(run: Run) -> None:
    plain = POOL.replace("limits: {gpus: 2}", "nodes: {min: 1, max: 2}")
    write(f"{FLEET}---\n{AZURE}---\n{plain}")
    assert run("build").code == 0
    write(f"{FLEET}---\n{AZURE}---\n{plain.replace('{clusters', '{nodePoolName: other, clusters')}")
    assert refused(run) == ["overlays/c1/nodes/managedclustersagentpool-t4.yaml"]


def test_an_edit_of_a_pool_is_not_refused(run: Run) -> None:
    write(BOTH)
    assert run("build").code == 0
    write(BOTH.replace("gpus: 2", "gpus: 4"))
    assert run("build").code == 0


SHARED = POOL.replace("limits: {gpus: 2}", "limits: {gpus: 2}, partition: {mps: {replicas: 4}}")
SLICES = (
    POOL.replace("t4", "slices")
    .replace("Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4")
    .replace("limits", "driver: operator, driverBranch: 580, partition: {mig: {profiles: {1g.10gb: 7}}}, limits")
    .replace("limits:", "image: {family: Ubuntu2204}, limits:")
)


def planned(run: Run, before: str, after: str) -> dict[str, list[str]]:
    """What stops on the nodes of each removed pool, according to the plan of an edit."""
    write(before)
    assert run("build").code == 0
    write(after)
    pools = json.loads(run("plan", "-o", "json").out)["clusters"][0]["pools"]
    return {pool["name"]: pool["stops"] for pool in pools if pool["change"] == "removed"}


def test_the_plan_shows_what_stops_on_remaining_nodes(run: Run) -> None:
    [lines] = planned(run, f"{FLEET}---\n{CLUSTER}---\n{SHARED}---\n{OTHER}", LEFT).values()
    for name in ("nvidia-mps-control-daemon", "dcgm-exporter"):
        assert any(name in line for line in lines), (name, lines)
    assert not any("nvidia-device-plugin" in line for line in lines), "a label selects the nodes of both pools"
    text = run("plan").out
    assert "stops on its nodes: DaemonSet/" in text
    assert "it is not retired" in text
    assert "stops on the nodes of t4" in run("plan", "-o", "markdown").out


def test_the_plan_shows_that_an_operator_is_removed_with_its_last_pool(run: Run) -> None:
    [lines] = planned(run, f"{FLEET}---\n{CLUSTER}---\n{SLICES}---\n{OTHER}", LEFT).values()
    assert any("NVIDIADriver/slices: the operator removes its driver" in line for line in lines), lines
    assert any("HelmRelease" in line and "uninstalled" in line for line in lines), lines


def test_the_plan_shows_that_a_layout_is_removed(run: Run) -> None:
    thirds = SLICES.replace("name: slices", "name: thirds").replace("1g.10gb: 7", "2g.20gb: 3")
    both = f"{FLEET}---\n{CLUSTER}---\n{SLICES}---\n{thirds}"
    by_pool = planned(run, both, f"{FLEET}---\n{CLUSTER}---\n{thirds}")
    assert any("MIG layout" in line for line in by_pool["slices"]), by_pool
    assert "nvidiaDriverCRD" not in run("plan", "-o", "json").out, "the mode of the operator is as it was"


def test_nothing_stops_where_a_pool_has_retired(run: Run) -> None:
    assert planned(run, RETIRED, LEFT) == {"t4": []}
    assert "kubectl get nodes -l karpenter.sh/nodepool=t4 returns no nodes" in run("plan").out
    write(BOTH)
    run("build")
    write(RETIRED)
    assert "it is being retired: no new nodes" in run("plan").out


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_the_plan_reports_what_the_engine_waits_for(run: Run, engine: str) -> None:
    def by(text: str) -> str:
        return text.replace("https://example.com/x}", f"https://example.com/x, engine: {engine}}}")

    planned(run, by(BOTH), by(LEFT))
    assert ("syncs nothing else of the Application" in run("plan").out) is (engine == "argocd")

    planned(run, by(RETIRED), by(LEFT))
    text = run("plan").out
    assert "syncs nothing else" not in text
    assert ("its remaining nodes are deleted too" in text) is (engine == "argocd")
    assert ("Flux keeps it (prune: disabled)" in text) is (engine == "flux")
