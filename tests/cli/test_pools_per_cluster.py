"""Pools with the same name on different clusters: every command uses the right one."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import FLEET, HEAD, tree

CLUSTERS = "".join(
    f'{HEAD}Cluster\nmetadata: {{name: {name}}}\nspec: {{region: swedencentral, kubernetesVersion: "1.36"}}\n---\n'
    for name in ("prod", "staging")
)
BASE = f"{FLEET}---\n{CLUSTERS}"
WORKLOAD = (
    f"{HEAD}GpuWorkload\nmetadata: {{name: chat, namespace: serving}}\nspec:\n  pools: [t4]\n"
    "  target: {kind: Deployment, name: chat}\n---\n"
)


def pool(clusters: str, size: str = "Standard_NC16as_T4_v3", more: str = "") -> str:
    """A pool called t4."""
    spec = f"spec:\n  clusters: {clusters}\n  sku: {size}\n  limits: {{gpus: 4}}\n{more}---\n"
    return f"{HEAD}GpuPool\nmetadata: {{name: t4}}\n{spec}"


def override(patch: str, more: str = "") -> str:
    """A pool on both clusters, with an override for staging."""
    return pool("[prod, staging]", more=f"{more}  overrides:\n  - clusters: [staging]\n    set: {patch}\n")


SMALL = "Standard_NC4as_T4_v3"
WAYS = {
    "an override": override(f"{{sku: {SMALL}}}"),
    "two documents": pool("[prod]") + pool("[staging]", SMALL),
}


@pytest.mark.parametrize("pools", WAYS.values(), ids=WAYS)
def test_each_cluster_is_simulated_with_its_own_pool(run: Run, pools: str) -> None:
    Path("fleet.yaml").write_text(BASE + WORKLOAD + pools)
    Path("pods.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  tolerations: [{key: sku, operator: Exists}]\n"
        "  containers:\n  - {name: c, image: x, resources: {limits: {nvidia.com/gpu: 1}}}\n"
    )
    ran = run("simulate", "--workloads", "pods.yaml", "-o", "json")
    assert ran.code == 0
    sizes = {(each["cluster"], each["sku"]) for each in json.loads(ran.out)["workloads"]}
    assert sizes == {("prod", "Standard_NC16as_T4_v3"), ("staging", SMALL)}


def test_a_reason_of_the_simulation_names_the_line_of_the_override(run: Run) -> None:
    text = BASE + WORKLOAD + override("{limits: {gpus: 0}}")
    Path("fleet.yaml").write_text(text)
    out = run("simulate", "--cluster", "staging").out
    line = text.splitlines().index("    set: {limits: {gpus: 0}}") + 1
    assert "unschedulable" in out
    assert f"at fleet.yaml:{line}:" in out
    assert "unschedulable" not in run("simulate", "--cluster", "prod").out


def test_the_plan_of_an_override_affects_only_its_cluster(run: Run) -> None:
    Path("fleet.yaml").write_text(BASE + WORKLOAD + pool("[prod, staging]"))
    assert run("build").code == 0
    before = tree()
    Path("fleet.yaml").write_text(BASE + WORKLOAD + override(f"{{sku: {SMALL}}}"))
    assert run("build").code == 0
    changed = {path for path, content in tree().items() if before.get(path) != content}
    assert {path.split("/")[0] for path in changed} == {"staging"}


@pytest.mark.parametrize("pools", WAYS.values(), ids=WAYS)
def test_both_ways_to_let_clusters_differ_build_the_same_objects(run: Run, pools: str) -> None:
    Path("fleet.yaml").write_text(BASE + WORKLOAD + pools)
    assert run("build").code == 0
    objects = {path: content for path, content in tree().items() if "/nodes/" in path}
    sizes = {path: SMALL.encode() in content for path, content in objects.items() if "nodepool-t4" in path}
    assert sizes == {"prod/nodes/nodepool-t4.yaml": False, "staging/nodes/nodepool-t4.yaml": True}


def test_a_pool_retires_and_leaves_on_one_cluster(run: Run) -> None:
    Path("fleet.yaml").write_text(BASE + override("{retire: true}"))
    assert run("build").code == 0
    pools = {path: content for path, content in tree().items() if "nodepool-t4" in path}
    assert ['cpu: "0"' in content.decode() for _, content in sorted(pools.items())] == [False, True]
    Path("fleet.yaml").write_text(BASE + pool("[prod]"))
    assert run("build").code == 0, "it had retired on staging"
    Path("fleet.yaml").write_text(BASE + pool("[staging]"))
    refused = run("build")
    assert (refused.code, refused.out.count("OUT007")) == (1, 1)
    assert "pool t4 is removed from prod" in refused.out
    assert run("build", "--allow-removal", "staging/t4").code == 1
    assert run("build", "--allow-removal", "prod/t4").code == 0


def test_a_workload_keeps_the_pool_that_stays_on_its_cluster(run: Run) -> None:
    """A pool that retires on one cluster is no longer selected there, but it is on the other."""
    other = (
        pool("[prod, staging]")
        .replace("name: t4", "name: a10")
        .replace("Standard_NC16as_T4_v3", "Standard_NV36ads_A10_v5")
    )
    Path("fleet.yaml").write_text(BASE + WORKLOAD.replace("[t4]", "[t4, a10]") + other + override("{retire: true}"))
    assert run("build").code == 0
    patches = {path.split("/")[0]: content.decode() for path, content in tree().items() if "deployment-chat" in path}
    assert {name: "- t4" in content for name, content in patches.items()} == {"prod": True, "staging": False}
