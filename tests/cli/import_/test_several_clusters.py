"""`gitgpu import` of several clusters: into one fleet at once or one after the other, without harm to any of them."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.adopt.test_observing import FLUX
from tests.cli.conftest import KNOWN, Run

ONE = ("--cluster", "one", "--region", "swedencentral", *KNOWN)
TWO = ("--cluster", "two", "--region", "westeurope", *KNOWN)


def node_pool(
    name: str, template: dict[str, Any] | None = None, labels: dict[str, str] | None = None
) -> dict[str, Any]:
    """A NodePool with the node class `gpu`."""
    key = "karpenter.azure.com/sku-name"
    spec = {
        "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"},
        "requirements": [
            {"key": key, "operator": "In", "values": ["Standard_NC24ads_A100_v4"]},
            {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
        ],
        **(template or {}),
    }
    body = {"metadata": {"labels": labels}, "spec": spec} if labels else {"spec": spec}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": name}, "spec": {"template": body}}


def node_class(spec: dict[str, Any]) -> dict[str, Any]:
    """The node class `gpu`."""
    return {
        "apiVersion": "karpenter.azure.com/v1beta1",
        "kind": "AKSNodeClass",
        "metadata": {"name": "gpu"},
        "spec": spec,
    }


def export(name: str, *objects: dict[str, Any]) -> str:
    """The file with these objects, as a server prints them: with the UIDs of the cluster."""
    for number, body in enumerate(objects):
        body["metadata"] |= {"uid": f"{name}-{number}"}
    path = Path(f"{name}.yaml")
    path.write_text(yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": list(objects)}), encoding="utf-8")
    return str(path)


def first(taint: str = "one") -> tuple[dict[str, Any], ...]:
    """Two pools of a cluster that share most settings."""
    taints = {"taints": [{"key": "gpu", "value": taint, "effect": "NoSchedule"}], "expireAfter": "720h"}
    return node_class({"osDiskSizeGB": 256, "maxPods": 60}), node_pool("a", taints), node_pool("b", taints)


def texts(folder: str) -> dict[str, str]:
    """All files below a directory."""
    return {path.as_posix(): path.read_text("utf-8") for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_further_cluster_changes_no_other(run: Run, force: tuple[str, ...]) -> None:
    assert run("import", export("one", *first()), *ONE).code == 0
    assert run("build").code == 0
    fleet, overlays = texts("fleet"), texts("overlays/one")
    never = {"taints": [{"key": "gpu", "value": "two", "effect": "NoSchedule"}], "expireAfter": "Never"}
    other = export(
        "two", node_class({"imageFamily": "AzureLinux", "osDiskSizeGB": 512, "maxPods": 110}), node_pool("c", never)
    )
    ran = run("import", other, *TWO, *force)
    assert ran.code == 0, ran
    assert ran.out.startswith(
        "3 GPU pools: no node is replaced; software unknown on 1\n  one/a: no node is replaced, software unchanged\n"
        "  one/b: no node is replaced, software unchanged\n  two/c: no node is replaced, software unknown\n"
    )
    assert {path: text for path, text in texts("fleet").items() if "two" not in path} == fleet
    assert run("build").code == 0
    assert texts("overlays/one") == overlays
    assert run("import", other, *TWO, "--check").code == 0
    assert run("import", "one.yaml", *ONE, "--check").code == 0


def test_a_value_of_the_fleet_that_a_new_cluster_does_not_have_is_refused(run: Run) -> None:
    assert run("import", export("one", *first()), *ONE).code == 0
    fleet = Path("fleet/fleet.yaml")
    defaults = "  defaults: {pool: {labels: {team: ml}}, stack: {versions: {nvidia-device-plugin: v0.19.3}}}\n"
    fleet.write_text(fleet.read_text("utf-8") + defaults, encoding="utf-8")
    before = texts("fleet")
    ran = run("import", export("two", *first("two")), *TWO, "--force")
    assert (ran.code, ran.out) == (2, "")
    assert "[IMP012] this also applies to GpuPool a of cluster two, which runs without spec.labels" in ran.err
    assert "[IMP012] this also applies to Cluster two, which runs without spec.stack.versions" in ran.err
    assert texts("fleet") == before


def test_a_file_that_other_clusters_need_is_not_replaced(run: Run) -> None:
    assert run("import", export("one", *first()), *ONE).code == 0
    Path("fleet/clusters/one").rename("fleet/clusters/two")
    before = texts("fleet")
    ran = run("import", export("two", *first("two")), *TWO, "--force")
    assert (ran.code, ran.out) == (2, "")
    assert (
        "fleet/clusters/two/cluster.yaml:4:9: error[IMP013] this import would change what is built for cluster one: "
        in ran.err
    )
    assert texts("fleet") == before


def test_a_file_of_an_earlier_run_that_describes_the_same_pools_is_named(run: Run) -> None:
    assert run("import", export("one", *first()), *ONE).code == 0
    Path("fleet/clusters/one").rename("fleet/clusters/old")
    ran = run("import", "one.yaml", *ONE, "--force")
    assert ran.code == 1, ran
    assert "LNK003: duplicate GpuPool 'a' on one; the first is at fleet/clusters/old/pools/a.yaml" in (ran.err)
    assert "an earlier import or you wrote the other: remove one of the two" in ran.err


def test_without_force_nothing_is_written_beside_a_file_with_the_same_documents(run: Run) -> None:
    """Such as the files of another layout."""
    assert run("import", export("one", *first()), *ONE).code == 0
    Path("fleet/clusters/one/cluster.yaml").rename("fleet/one.yaml")
    Path("fleet/clusters/one/pools").rename("fleet/pools")
    before = texts("fleet")
    ran = run("import", "one.yaml", *ONE)
    assert (ran.code, ran.out, texts("fleet")) == (2, "", before)
    assert "fleet/one.yaml:4:9: error[IMP018] Cluster one is in this file already" in ran.err
    assert "fleet/pools/b.yaml:5:9: error[IMP018] GpuPool b of one is in this file already" in ran.err


def test_force_names_the_documents_and_the_pools_that_do_not_run(run: Run) -> None:
    of_class, a, b = first()
    assert run("import", export("one", of_class, a, b), *ONE).code == 0
    pool = Path("fleet/clusters/one/pools/a.yaml")
    pool.write_text(f"{pool.read_text('utf-8')}  limits: {{gpus: 3}}\n", encoding="utf-8")
    ran = run("import", export("one", of_class, a), *ONE, "--force")
    assert ran.code == 1, ran
    assert "GpuPool a: --force removes spec.limits" in ran.err
    assert "Replaced 2 documents: Cluster one, GpuPool a\n" in ran.err
    assert "fleet/clusters/one/pools/b.yaml:5:9: IMP019: the input does not contain pool b of cluster one" in ran.err
    Path("fleet/clusters/one/pools/b.yaml").unlink()
    again = run("import", "one.yaml", *ONE, "--force")
    assert again.code == 0, again
    assert "Replaced" not in again.err


def test_an_existing_fleet_with_an_error_gets_no_cluster(run: Run) -> None:
    assert run("import", export("one", *first()), *ONE).code == 0
    path = Path("fleet/clusters/one/cluster.yaml")
    path.write_text(path.read_text("utf-8").replace("swedencentral", "sweden"), encoding="utf-8")
    ran = run("import", export("two", *first("two")), *TWO)
    assert (ran.code, ran.out) == (2, "")
    assert "fleet/clusters/one/cluster.yaml:" in ran.err
    assert not Path("fleet/clusters/two").exists()


@pytest.mark.parametrize("option", [(), ("--dry-run",), ("--check",), ("--force",)])
@pytest.mark.parametrize("same", [False, True])
def test_two_clusters_without_names_are_not_one(run: Run, option: tuple[str, ...], *, same: bool) -> None:
    """Objects with the same name in two exports are equal, but their UIDs are not: nothing is written."""
    paths = export("one", *first()), export("two", *first("one" if same else "two"))
    assert run("import", paths[0], *ONE).code == 0
    before = texts("fleet")
    ran = run("import", *paths, "--region", "swedencentral", *KNOWN, *option)
    assert (ran.code, ran.out) == (2, "")
    assert "error[IMP006]" in ran.err
    assert texts("fleet") == before


def test_overlays_of_gitgpu_are_no_second_source(run: Run) -> None:
    """They are what the fleet wants, and may be newer than what runs."""
    export("one", *first())
    assert run("import", "one.yaml", *ONE).code == 0
    pool = Path("fleet/clusters/one/pools/b.yaml")
    pool.write_text(pool.read_text("utf-8").replace("name: b\n", "name: new\n"), encoding="utf-8")
    assert run("build").code == 0
    ran = run("import", ".", *ONE, "--check")
    assert ran.code == 1, ran
    assert "one/new: new; not running yet" in ran.out
    assert "NodePool/b: the fleet has no pool b on cluster one" in ran.out
    assert "IMP006" not in ran.err
    assert run("import", "overlays", "--out", "again", "--region", "swedencentral", *KNOWN).code == 0


def test_overlays_beside_manifests_of_the_same_pools_are_one_note(run: Run) -> None:
    """Not one for each file: a repository has both while it is handed over."""
    for name in ("one", "two"):
        Path(f"clusters/{name}").mkdir(parents=True)
        Path(f"clusters/{name}/pools.yaml").write_text(yaml.safe_dump_all(first(name)), encoding="utf-8")
    assert run("import", "clusters", *ONE[2:]).code == 0
    assert run("build").code == 0
    Path("clusters/two/pools.yaml").unlink()  # handed over
    ran = run("import", ".", *ONE[2:], "--check")
    assert ran.code == 0, ran
    assert "overlays/one/nodes/aksnodeclass-gpu.yaml:3:1: 3 generated objects: written by gitgpu; what runs" in ran.out
    assert "the same object is read from" not in ran.out
    assert "two/b: no node is replaced" in ran.out


def serving(folder: str) -> None:
    """A Deployment with GPUs and its ScaledObject, as files of a directory."""
    pod = {"containers": [{"name": "main", "image": "x:1", "resources": {"limits": {"nvidia.com/gpu": 1}}}]}
    placed = {"nodeSelector": {"karpenter.sh/nodepool": "a"}, "tolerations": [{"key": "gpu", "operator": "Exists"}]}
    template = {"metadata": {"labels": {"app": "w"}}, "spec": {**pod, **placed}}
    trigger = {"type": "prometheus", "metadata": {"serverAddress": "http://p:9090", "query": "q", "threshold": "5"}}
    meta = {"name": "w", "namespace": "ml"}
    target = {"selector": {"matchLabels": {"app": "w"}}, "template": template}
    scaled = {"scaleTargetRef": {"name": "w"}, "minReplicaCount": 1, "maxReplicaCount": 3, "triggers": [trigger]}
    objects = [
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": target},
        {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": meta, "spec": scaled},
    ]
    Path(folder, "w.yaml").write_text(yaml.safe_dump_all(objects), encoding="utf-8")


def test_a_workload_is_only_on_the_cluster_that_has_it(run: Run) -> None:
    """Another cluster has a pool of the same name."""
    for name in ("one", "two"):
        Path(f"apps/{name}").mkdir(parents=True)
        Path(f"apps/{name}/pools.yaml").write_text(yaml.safe_dump_all(first()), encoding="utf-8")
        Path(f"clusters/{name}").mkdir(parents=True)
        Path(f"clusters/{name}/k.yaml").write_text(FLUX % ("apps", f"apps/{name}"), encoding="utf-8")
    serving("apps/one")
    ran = run("import", "clusters", "apps", *ONE[2:])
    assert ran.code == 0, ran
    assert [path for path in texts("fleet") if "workloads" in path] == ["fleet/clusters/one/workloads/ml/w.yaml"]
    serving("apps/two")
    assert run("import", "clusters", "apps", *ONE[2:], "--out", "both").code == 0
    workloads = [path for path in sorted(texts("both")) if "workloads" in path]
    assert workloads == [f"both/clusters/{name}/workloads/ml/w.yaml" for name in ("one", "two")]
    assert run("build", "both").code == 0


def test_a_workload_of_the_fleet_does_not_reach_a_new_cluster(run: Run) -> None:
    Path("one").mkdir()
    Path("one/pools.yaml").write_text(yaml.safe_dump_all(first()), encoding="utf-8")
    serving("one")
    assert run("import", "one", *ONE).code == 0
    everywhere = Path("fleet/clusters/one/workloads/ml/w.yaml")
    everywhere.write_text(everywhere.read_text("utf-8").replace("  clusters: [one]\n", ""), encoding="utf-8")
    before = texts("fleet")
    ran = run("import", export("two", *first("two")), *TWO)
    assert (ran.code, ran.out, texts("fleet")) == (2, "", before), ran
    assert "error[IMP012] GpuWorkload w would also run on cluster two, which has its pool" in ran.err


CLASSES = st.fixed_dictionaries(
    {},
    optional={
        "imageFamily": st.sampled_from(["Ubuntu2204", "AzureLinux"]),
        "osDiskSizeGB": st.sampled_from([128, 256]),
        "maxPods": st.sampled_from([60, 110]),
        "tags": st.sampled_from([{"team": "a"}, {"team": "b", "cost": "1"}]),
        "kubelet": st.sampled_from([{"cpuManagerPolicy": "static"}, {"imageGCHighThresholdPercent": 90}]),
    },
)
TEMPLATES = st.fixed_dictionaries(
    {},
    optional={
        "taints": st.sampled_from([[], [{"key": "gpu", "value": "x", "effect": "NoSchedule"}]]),
        "startupTaints": st.sampled_from([[{"key": "wait", "effect": "NoSchedule"}]]),
        "expireAfter": st.sampled_from(["Never", "720h", "24h"]),
    },
)
LABELS = st.sampled_from([None, {"team": "a"}, {"team": "b", "nvidia.com/gpu.count": "1"}])
POOLS = st.lists(st.tuples(TEMPLATES, LABELS), min_size=1, max_size=3)


@given(classes=st.tuples(CLASSES, CLASSES), pools=st.tuples(POOLS, POOLS), force=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=12)
def test_no_cluster_harms_another(run: Run, classes: Any, pools: Any, *, force: bool, tmp_path_factory: Any) -> None:
    """A cluster is added, and the output of the first stays the same and says nothing else about the second."""
    import os  # noqa: PLC0415

    os.chdir(tmp_path_factory.mktemp("fleet"))
    for name, of_class, specs in zip(("one", "two"), classes, pools, strict=True):
        export(name, node_class(of_class), *(node_pool(f"p{n}", *spec) for n, spec in enumerate(specs)))
    assert run("import", "one.yaml", *ONE).code == 0
    assert run("build").code == 0
    fleet, overlays = texts("fleet"), texts("overlays/one")
    ran = run("import", "two.yaml", *TWO, *(["--force"] if force else []))
    if ran.code == 2:
        assert "IMP012" in ran.err
        assert texts("fleet") == fleet
        return
    assert ran.code == 0, ran
    assert run("build").code == 0
    assert texts("overlays/one") == overlays
    assert run("import", "two.yaml", *TWO, "--check").code == 0
    assert run("import", "two.yaml", *TWO, "--out", "own").code == 0
    assert run("build", "own", "--out", "alone").code == 0
    alone = {path.removeprefix("alone/"): text for path, text in texts("alone/two/nodes").items()}
    together = {path.removeprefix("overlays/"): text for path, text in texts("overlays/two/nodes").items()}
    assert together == alone


def test_what_flux_applies_is_read_too_in_a_repository(run: Run) -> None:
    """Outside a Git work tree, only what was passed is read. A fleet without pools would be no answer."""
    Path("clusters/one").mkdir(parents=True)
    Path("clusters/one/k.yaml").write_text(FLUX % ("nodes", "nodes/one"), encoding="utf-8")
    Path("nodes/one").mkdir(parents=True)
    Path("nodes/one/pools.yaml").write_text(yaml.safe_dump_all(first()), encoding="utf-8")
    Path(".git").rmdir()
    ran = run("import", "clusters/one", *ONE[2:])
    assert (ran.code, ran.out) == (2, "")
    assert "clusters/one/k.yaml:1:1: error[IMP020] these objects apply other files" in ran.err
    assert "pass the directories that they apply (nodes/one), or the root of the repository" in ran.err
    assert not Path("fleet").exists()
    Path(".git").mkdir()
    assert run("import", "clusters/one", *ONE[2:]).code == 0
    assert "fleet/clusters/one/pools/a.yaml" in texts("fleet")
    Path("nodes/one/pools.yaml").rename("nodes/one/README.md")  # a directory without manifests is read once
    assert "error[IMP020]" in run("import", "clusters/one", *ONE[2:], "--out", "other").err


def test_an_object_with_a_placeholder_as_its_name_is_an_error(run: Run) -> None:
    """It may be a pool, which the fleet would lose."""
    Path("all").mkdir()
    for name in ("a", "${NAME}"):
        Path(f"all/pool-{name[0]}.yaml").write_text(yaml.safe_dump(node_pool(name)), encoding="utf-8")
    Path("all/class.yaml").write_text(yaml.safe_dump(node_class({})), encoding="utf-8")
    ran = run("import", "all", "--dry-run", *ONE)
    assert ran.code == 1
    assert "all/pool-$.yaml:4:9: LNT002: contains the placeholder ${NAME} as a name" in ran.out + ran.err


@pytest.mark.parametrize("out", ["", "out: rendered\n"])
def test_a_fleet_below_the_root_of_its_repository(run: Run, out: str) -> None:
    """Flux reads the overlays at their path in the repository, for the clusters that are there and for new ones."""
    Path("infra").mkdir()
    config = f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet]\n{out}"
    Path("infra/.gitgpu.yaml").write_text(config, encoding="utf-8")
    assert run("import", export("one", *first()), *ONE, "--out", "infra/fleet").code == 0
    assert run("build", "infra/fleet").code == 0
    ran = run("import", export("two", *first()), *TWO, "--out", "infra/fleet")
    assert "IMP013" not in ran.out + ran.err
    assert ran.code == 0


@pytest.mark.parametrize(("out", "unread"), [(".", "clusters"), ("fleet", "clusters and fleet.yaml")])
def test_a_configuration_that_names_other_files_is_reported(run: Run, out: str, unread: str) -> None:
    """`gitgpu init` names one file: a build would not read the clusters of an import, and not say so."""
    assert run("init", ".").code == 0
    ran = run("import", export("one", *first()), *ONE, "--out", out)
    warning = f"IMP026: `fleet` does not include what is written to {out}: no build reads it; add {unread} of"
    assert warning in ran.err
    config = Path(".gitgpu.yaml")
    config.write_text(config.read_text("utf-8").replace("[fleet.yaml]", f"[{out}]"), encoding="utf-8")
    assert "IMP026" not in run("import", export("one", *first()), *ONE, "--out", out, "--force").err


def test_without_a_key_for_the_fleet_nothing_is_reported(run: Run) -> None:
    Path(".gitgpu.yaml").write_text("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n", encoding="utf-8")
    assert "IMP026" not in run("import", export("one", *first()), *ONE).err
