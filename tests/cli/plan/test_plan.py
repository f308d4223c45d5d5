"""`gitgpu plan`: its output and exit status, and that it changes nothing."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from tests.cli.conftest import Run
from tests.cli.fleets import BROKEN, SOUND, many, tree, write

REPORT = json.loads((Path(__file__).parents[3] / "schemas/report.schema.json").read_text("utf-8"))
WORKLOAD = """apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: web, namespace: serving}
spec: {pools: [t4], target: {kind: Deployment, name: web}}
"""
PAGE = f"{many('c1', 'c2')}---\n{WORKLOAD}"

MOVED = 'name: c1}\nspec: {region: swedencentral, kubernetesVersion: "1.37"'


def edit(old: str, new: str) -> None:
    """Edits fleet.yaml."""
    text = Path("fleet.yaml").read_text(encoding="utf-8")
    assert old in text
    write(text.replace(old, new))


def answer(run: Run, *words: str) -> dict[str, Any]:
    """The plan in JSON. Asserts that it fits its schema."""
    done = run("plan", "-o", "json", *words)
    assert done.out, done.err
    report: dict[str, Any] = json.loads(done.out)
    assert list(Draft7Validator(REPORT).iter_errors(report)) == []
    objects = sum(report["summary"][kind] for kind in ("added", "changed", "removed"))
    assert done.code == int(bool(objects or any(cluster["upgrade"] for cluster in report["clusters"])))
    return report


def commit(message: str = "one") -> None:
    """Commits everything."""
    Path(".git").rmdir() if not any(Path(".git").iterdir()) else None
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", message)):
        subprocess.run(["git", *identity, *words], check=True, capture_output=True)


@pytest.fixture
def built(run: Run) -> Run:
    """A fleet of two clusters whose overlays are current."""
    write(PAGE)
    assert run("build").code == 0
    return run


def test_nothing_changes_and_nothing_is_touched(built: Run) -> None:
    before = tree()
    done = built("plan")
    assert (done.code, done.out) == (0, "No changes compared with the output in overlays.\n")
    assert answer(built)["clusters"] == []
    assert tree() == before


def test_an_edit_is_reported_and_nothing_is_written(built: Run) -> None:
    before = tree()
    edit("limits: {gpus: 2}", "limits: {gpus: 4}, image: {osDiskGB: 256}")
    report = answer(built)
    assert [cluster["name"] for cluster in report["clusters"]] == ["c1", "c2"]
    cluster = report["clusters"][0]
    assert cluster["objects"] == {"added": 0, "changed": 2, "removed": 0}
    (pool,) = cluster["pools"]
    assert (pool["name"], pool["nodesReplaced"], pool["roll"]["waves"]) == ("t4", "all", 2)
    assert pool["atLimits"]["before"] == {
        "nodes": 2,
        "gpus": 2,
        "pricePerHour": 2.552,
        "unpriced": [],
        "priceDate": "2026-06-18",
    }
    assert cluster["atLimits"]["after"] == {"gpus": 4, "pricePerHour": 5.104}
    assert cluster["order"] == [{"layer": "nodes", "by": "Kustomization/flux-system/f-nodes", "after": []}]
    assert tree() == before


def test_a_reordered_fleet_is_the_same(built: Run) -> None:
    write("---\n".join(reversed(PAGE.split("---\n"))))
    assert built("plan").code == 0


def test_a_comment_in_the_fleet_moves_lines_and_changes_nothing(built: Run) -> None:
    write(f"# a comment\n\n{PAGE}")
    assert built("plan").code == 0


def test_clusters_with_the_same_changes_are_reported_once(built: Run) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, weight: 5")
    out = built("plan").out
    assert out.count("pool t4") == 1
    assert "\nc1, c2\n" in out


def test_one_cluster_of_several(built: Run) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, weight: 5")
    assert [cluster["name"] for cluster in answer(built, "--cluster", "*2")["clusters"]] == ["c2"]
    assert built("plan", "--cluster", "x*").code == 2


def test_without_overlays_everything_is_new(run: Run) -> None:
    write(SOUND)
    report = answer(run)
    assert report["against"] == "nothing: there is no output in overlays"
    assert report["clusters"][0]["change"] == "added"
    assert report["clusters"][0]["pools"][0]["reason"] == "a new pool"


def test_a_renamed_pool_is_a_new_pool_and_the_engine_keeps_the_old_one(built: Run) -> None:
    edit("name: t4", "name: t4-new")
    edit("pools: [t4]", "pools: [t4-new]")
    old, new = answer(built)["clusters"][0]["pools"]
    assert (old["change"], old["renamedTo"], old["nodesReplaced"]) == ("removed", "t4-new", "none")
    assert (new["change"], new["nodesReplaced"]) == ("added", "none")
    assert "Flux keeps it (prune: disabled)" in built("plan").out


def test_a_renamed_pool_that_nothing_keeps_loses_its_nodes(built: Run) -> None:
    path = Path("overlays/c1/nodes/nodepool-t4.yaml")
    path.write_text(path.read_text(encoding="utf-8").replace("prune: disabled", "prune: enabled"), encoding="utf-8")
    edit("name: t4", "name: t4-new")
    edit("pools: [t4]", "pools: [t4-new]")
    old = answer(built)["clusters"][0]["pools"][0]
    assert (old["name"], old["nodesReplaced"]) == ("t4", "all")


def test_argo_cd_asks_before_it_deletes(run: Run) -> None:
    write(PAGE.replace("spec: {delivery: {", "spec: {delivery: {engine: argocd, "))
    run("build")
    edit("[c1, c2], sku", "[c1], sku")
    cluster = answer(run)["clusters"][0]
    assert cluster["engine"] == "argocd"
    assert any("Prune=confirm" in leaving["reason"] or "folder" in leaving["reason"] for leaving in cluster["leaving"])


def test_a_cluster_that_leaves(built: Run) -> None:
    edit("[c1, c2], sku", "[c1], sku")
    text = Path("fleet.yaml").read_text(encoding="utf-8")
    write("---\n".join(part for part in text.split("---\n") if "name: c2" not in part))
    (cluster,) = answer(built)["clusters"]
    assert (cluster["name"], cluster["change"], cluster["order"]) == ("c2", "removed", [])
    assert all(leaving["stays"] for leaving in cluster["leaving"])
    assert not any(pool["stops"] for pool in cluster["pools"]), "nothing is deleted"


def test_an_edit_by_hand_of_the_overlays_shows(built: Run) -> None:
    path = Path("overlays/c1/nodes/nodepool-t4.yaml")
    path.write_text(path.read_text(encoding="utf-8").replace('gpu: "2"', 'gpu: "9"'), encoding="utf-8")
    (change,) = answer(built)["clusters"][0]["changes"]
    assert change["fields"] == [{"path": 'spec.limits."nvidia.com/gpu"', "before": "9", "after": "2"}]


def test_a_default_that_the_overlays_wrote_is_not_a_change(built: Run) -> None:
    path = Path("overlays/c1/nodes/aksnodeclass-t4.yaml")
    path.write_text(
        path.read_text(encoding="utf-8").replace("spec: {}", "spec: {imageFamily: Ubuntu}"), encoding="utf-8"
    )
    done = built("plan")
    assert done.code == 0
    assert done.out.splitlines()[1] == "c1: AKSNodeClass/t4 only sets or unsets default values: spec.imageFamily"


def test_against_a_revision(built: Run) -> None:
    commit()
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, maxPods: 50")
    assert built("build").code == 0
    assert answer(built)["clusters"] == []
    report = answer(built, "--against", "main")
    assert report["against"].startswith("the overlays of main (")
    assert report["clusters"][0]["pools"][0]["nodesReplaced"] == "all"


def test_a_revision_without_overlays_is_built_from_its_fleet(run: Run) -> None:
    write(PAGE)
    commit()
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, maxPods: 50")
    report = answer(run, "--against", "HEAD")
    assert "built with this release" in report["against"]
    assert report["clusters"][0]["objects"] == {"added": 0, "changed": 1, "removed": 0}


def test_against_a_directory(built: Run) -> None:
    write(PAGE, "old/fleet.yaml")
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, maxPods: 50")
    for where in ("overlays", "old"):
        assert [cluster["name"] for cluster in answer(built, "--against", where)["clusters"]] == ["c1", "c2"]
    write("nothing", "empty/readme.txt")
    done = built("plan", "--against", "empty")
    assert (done.code, "INP009" in done.err, done.out) == (2, True, "")


@pytest.mark.parametrize("side", ["HEAD", "old", "spec", "overlays"])
def test_a_kubernetes_upgrade_is_not_an_edit_but_replaces_nodes(built: Run, side: str) -> None:
    commit()
    for folder in ("old", "spec"):
        write(Path("fleet.yaml").read_bytes(), f"{folder}/fleet.yaml")
    for path in ("c1/nodes/nodepool-t4.yaml", "c1/kustomization.yaml"):
        write(Path("overlays", path).read_bytes(), f"old/overlays/{path}")
    edit('name: c1}\nspec: {region: swedencentral, kubernetesVersion: "1.36"', MOVED)
    by_name = {
        cluster["name"]: cluster for cluster in answer(built, "--against", side, "--minutes-per-node", "10")["clusters"]
    }
    cluster = by_name["c1"]
    assert (cluster["upgrade"]["before"], cluster["upgrade"]["after"], cluster["upgrade"]["back"]) == (
        "1.36",
        "1.37",
        False,
    )
    (pool,) = cluster["upgrade"]["pools"]
    assert (pool["nodesReplaced"], pool["roll"]["minutes"]) == ("all", 20)
    assert (cluster["pools"][0]["nodesReplaced"], cluster["upgrade"]["pools"][0]["name"]) == ("none", "t4")
    assert "c2" not in by_name or by_name["c2"]["upgrade"] is None
    output = built("plan", "--against", side).out
    assert "  upgrade: Kubernetes 1.36 -> 1.37 in the spec, not applied by Flux or Argo CD" in output
    assert "    pool t4: all nodes are replaced (up to 2 nodes, 2 GPUs), 1 node at a time, 2 waves" in output
    assert "- Kubernetes 1.36" in built("plan", "--against", side, "-o", "markdown").out
    assert built("plan", "--against", "HEAD", "--fail-on", "replace").code == 0  # the edit itself replaces no node


def test_an_upgrade_without_pools_replaces_nothing(built: Run) -> None:
    edit("[c1, c2]", "[c2]")
    assert built("build", "--allow-removal", "c1/t4").code == 0
    edit('name: c1}\nspec: {region: swedencentral, kubernetesVersion: "1.36"', MOVED)
    assert "in the spec, not applied by Flux or Argo CD; no existing pool has nodes to replace" in built("plan").out


@pytest.mark.parametrize(("version", "expected"), [("1.36.2", ""), ("1.35", "do not support downgrades")])
def test_a_more_exact_or_an_older_version(built: Run, version: str, expected: str) -> None:
    commit()
    edit('"1.36"', f'"{version}"')
    assert expected in built("plan", "--against", "HEAD").out
    assert all(not cluster["upgrade"]["pools"] for cluster in answer(built, "--against", "HEAD")["clusters"])


@pytest.mark.parametrize("name", ["--upload-pack=touch x", "nowhere", "-"])
def test_an_invalid_revision_is_refused(built: Run, name: str) -> None:
    commit()
    done = built("plan", f"--against={name}")
    assert (done.code, "INP008" in done.err, done.out) == (2, True, "")


def test_a_fleet_with_errors_has_no_plan(built: Run) -> None:
    write(BROKEN)
    done = built("plan", "-o", "json")
    assert (done.code, json.loads(done.out)["kind"], "LNK004" in done.err) == (2, "Findings", True)
    done = built("plan")
    assert (done.code, done.out, "LNK004" in done.err) == (2, "", True)


def test_overlays_that_cannot_be_read_have_no_plan(built: Run) -> None:
    write("a: [", "overlays/c1/nodes/nodepool-t4.yaml")
    done = built("plan")
    assert (done.code, done.out) == (2, "")
    assert "overlays/c1/nodes/nodepool-t4.yaml:1" in done.err


def test_overlays_of_unexpected_shapes_are_compared(built: Run) -> None:
    head = "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: t4}\n"
    for spec in ("5", "[]", "null", "{template: 1}", "{template: {spec: {taints: 1, nodeClassRef: [x]}}}"):
        write(f"{head}spec: {spec}\n", "overlays/c1/nodes/nodepool-t4.yaml")
        assert answer(built)["clusters"][0]["pools"][0]["change"] == "changed"
    write("apiVersion: v1\nkind: List\nmetadata: 7\n", "overlays/c1/nodes/nodepool-t4.yaml")
    assert built("plan").code == 1


def test_fail_on_and_protect_decide_the_exit_code(built: Run) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, weight: 5")
    codes = {words: built("plan", "--fail-on", words).code for words in ("change", "replace", "never")}
    assert codes == {"change": 1, "replace": 0, "never": 0}
    edit("weight: 5", "maxPods: 50")
    assert built("plan", "--fail-on", "replace").code == 1
    protected = {glob: built("plan", "--fail-on", "replace", "--protect", glob).code for glob in ("h*", "t*", "c2/t4")}
    assert protected == {"h*": 2, "t*": 1, "c2/t4": 1}


def test_protect_with_a_pattern_that_matches_nothing_is_refused(built: Run) -> None:
    assert "no pool matches h100" in built("plan", "--fail-on", "replace", "--protect", "h100").err
    assert built("plan", "--protect", "t4").code == 2


def test_how_long_a_rollout_takes(built: Run) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, maxPods: 50")
    assert answer(built)["clusters"][0]["pools"][0]["roll"]["minutes"] is None
    assert answer(built, "--minutes-per-node", "12")["clusters"][0]["pools"][0]["roll"]["minutes"] == 24
    assert "24 min while budgets are open" in built("plan", "--minutes-per-node", "12").out


def test_markdown_can_be_posted_as_a_comment(built: Run) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, tags: {a: 'x```y'}, maxPods: 50")
    out = built("plan", "-o", "markdown").out
    assert out.startswith("<!-- gitgpu plan -->\n**gitgpu plan: 0 to add, 2 to change, 0 to remove")
    assert out.count("<details>") == out.count("</details>") == 1
    assert "\n````diff\n" in out
    assert "**all nodes are replaced** (up to 2 nodes, 2 GPUs)" in out
    write(PAGE)
    assert "**gitgpu plan: no changes**" in built("plan", "-o", "markdown").out


@pytest.mark.parametrize(("most", "table", "words"), [(600, True, "Too long to show"), (250, False, "Truncated")])
def test_a_comment_that_is_too_long_omits_the_fields_first(
    built: Run, monkeypatch: pytest.MonkeyPatch, most: int, table: bool, words: str
) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, maxPods: 50")
    assert "<details>" in built("plan", "-o", "markdown").out
    monkeypatch.setattr("gitgpu.report.plans.markdown._MAX_CHARACTERS", most)
    out = built("plan", "-o", "markdown").out
    assert (words in out, "**all nodes are replaced**" in out, "<details>" in out) == (True, table, False)


def test_the_gpus_of_a_scaled_workload_are_shown(built: Run) -> None:
    edit("name: web}}", "name: web}, gpus: 1, scaling: {metric: gpu-utilization, target: 70, max: 3}}")
    metrics = "{server: 'http://p:9090', identity: 11111111-2222-3333-4444-555555555555}"
    edit("spec: {delivery:", f"spec: {{defaults: {{stack: {{keda: addon, metrics: {metrics}}}}}, delivery:")
    assert "its pods can request 3 nvidia.com/gpu instead of 0" in built("plan").out


def test_of_two_fleets_in_a_directory_the_first_default_name_is_used(built: Run) -> None:
    write(PAGE, "old/fleet.yaml")
    write(PAGE.replace("limits: {gpus: 2}", "limits: {gpus: 4}"), "old/fleet/fleet.yaml")
    assert answer(built, "--against", "old")["clusters"] == []


def test_kubernetes_versions_are_read_even_from_a_broken_fleet_of_a_revision(built: Run) -> None:
    """The versions of its clusters, not of other objects with a Kubernetes version."""
    other = "---\napiVersion: {}\nkind: {}\nmetadata: {{name: c1}}\nspec: {{kubernetesVersion: '1.30'}}\n"
    others = [("cluster.x-k8s.io/v1beta1", "Cluster"), ("gitgpu.dev/v1alpha1", "GpuPool")]
    write(f"{PAGE}{''.join(other.format(*names) for names in others)}---\n[kubernetesVersion]\n")
    commit()
    write(PAGE)
    edit('name: c1}\nspec: {region: swedencentral, kubernetesVersion: "1.36"', MOVED)
    [cluster] = answer(built, "--against", "HEAD")["clusters"]
    assert (cluster["name"], cluster["upgrade"]["before"], cluster["upgrade"]["after"]) == ("c1", "1.36", "1.37")


def test_a_truncated_comment_ends_with_a_whole_line(built: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, maxPods: 50")
    whole = built("plan", "-o", "markdown").out.splitlines()
    for most in range(100, 300, 7):
        monkeypatch.setattr("gitgpu.report.plans.markdown._MAX_CHARACTERS", most)
        kept, _, _ = built("plan", "-o", "markdown").out.partition("\nTruncated: ")
        assert set(kept.splitlines()) <= set(whole), most


def test_a_diff_without_backticks_is_in_the_usual_fence(built: Run) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 2}, maxPods: 50")
    assert "\n```diff\n" in built("plan", "-o", "markdown").out


def test_a_revision_with_neither_overlays_nor_a_fleet(run: Run) -> None:
    write("", "README")
    commit()
    write(PAGE)
    report = answer(run, "--against", "HEAD")
    assert report["against"].startswith("nothing: HEAD (")
    assert report["against"].endswith(") has no output in overlays")
    assert [cluster["change"] for cluster in report["clusters"]] == ["added", "added"]


@pytest.mark.parametrize(("words", "side"), [(("--against", "HEAD"), "HEAD:"), ((), "")])
def test_overlays_that_are_all_unreadable_are_not_missing(built: Run, words: tuple[str, ...], side: str) -> None:
    for path in tree():
        Path("overlays", path).unlink()
    write(b"\xff", "overlays/c1/nodes/nodepool-t4.yaml")
    commit()
    done = built("plan", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"{side}overlays/c1/nodes/nodepool-t4.yaml:1:1: error[INP002] byte 0xff is not UTF-8")


def test_a_revision_is_shown_with_its_commit_unless_it_is_one(built: Run) -> None:
    commit()
    whole = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    named = {name: answer(built, "--against", name)["against"] for name in ("main", whole, whole[:12])}
    assert named == {
        "main": f"the overlays of main ({whole[:10]})",
        whole: f"the overlays of {whole}",
        whole[:12]: f"the overlays of {whole[:12]}",
    }


@pytest.mark.parametrize("side", ["old/", "old//"])
def test_a_directory_with_a_fleet_is_built_with_this_release(built: Run, side: str) -> None:
    write(Path("fleet.yaml").read_bytes(), "old/fleet.yaml")
    assert built("plan", "--against", side).out == (
        f"No changes compared with the fleet in {side}, built with this release.\n"
    )


def test_a_revision_without_overlays_whose_fleet_is_unreadable(run: Run) -> None:
    write(SOUND, "fleet/a.yaml")
    write(b"\xff", "fleet/b.yaml")
    commit()
    write("", "fleet/b.yaml")
    done = run("plan", "--against", "HEAD")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("HEAD:fleet/b.yaml:1:1: error[INP002] byte 0xff is not UTF-8")
