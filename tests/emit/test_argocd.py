"""What Argo CD reads: everything in waves, nothing precious removed without a person's word, every source there."""

import shutil
import subprocess

import pytest
from hypothesis import given

from gitgpu.emit.manifest import Layer, Role
from gitgpu.write.layout import lay_out
from tests.emit.fleets import CATALOG, Body, Emitted, cluster, emitted, fleet, pool, pools, workload

WAVE, OPTIONS = "argocd.argoproj.io/sync-wave", "argocd.argoproj.io/sync-options"
ARGO = {"engine": "argocd"}
OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}
SCALED = workload("ranker", ["pool-0"], scaling={"metric": "query", "query": "up", "target": 1, "max": 2})


def served(*documents: Body, **stack: object) -> Emitted:
    """What is emitted for a cluster that Argo CD serves."""
    return emitted(fleet(delivery=ARGO, stack=stack), cluster(), *documents)


@given(pools())
def test_everything_has_its_wave(found: list[Body]) -> None:
    """Software before nodes before what looks at them; Argo CD itself is pointed at Applications without waves."""
    result = served(*found, SCALED, keda="helm")
    waves: dict[Layer, set[str]] = {}
    for manifest in result.manifests:
        if manifest.role is Role.RESOURCE:
            annotations = manifest.body["metadata"].get("annotations", {})
            waves.setdefault(manifest.layer, set()).add(annotations.get(WAVE, ""))
    assert waves.pop(Layer.SYNC) == {""}
    assert all(len(wave) == 1 for wave in waves.values())
    order = sorted(waves, key=lambda layer: int(min(waves[layer])))
    assert [layer for layer in order if layer is not Layer.MONITORING] == [
        layer for layer in (Layer.CONTROLLERS, Layer.NODES, Layer.WORKLOADS) if layer in waves
    ]


@given(pools())
def test_argo_cd_asks_before_it_takes_nodes_away(found: list[Body]) -> None:
    for manifest in served(*found, keda="helm").manifests:
        options = manifest.body["metadata"].get("annotations", {}).get(OPTIONS, "").split(",")
        precious = manifest.body["kind"] in ("NodePool", "AKSNodeClass", "Namespace")
        assert ("Prune=confirm" in options) is precious
        assert ("Delete=confirm" in options) is precious


@given(pools())
def test_every_source_is_there(found: list[Body]) -> None:
    result = served(*found, SCALED)
    files = lay_out(result.manifests)
    spec = result.one("Application", "example-one")["spec"]
    folders = [source["path"].removeprefix("overlays/") for source in spec["sources"]]
    applied = {m.layer for m in result.manifests if m.role is Role.RESOURCE} - {Layer.SYNC}
    assert sorted(folders) == sorted(f"one/{layer}" for layer in applied)
    assert all(f"{folder}/kustomization.yaml" in files for folder in folders)


def test_an_application_goes_to_its_cluster() -> None:
    found = emitted(fleet(delivery={**ARGO, "destination": "prod", "namespace": "gitops"}), cluster(), pool("t4"))
    application = found.one("Application", "example-one")
    assert application["metadata"]["namespace"] == "gitops"
    assert application["spec"]["destination"] == {"name": "prod"}
    assert application["spec"]["sources"][0]["targetRevision"] == "main"
    assert served(pool("t4")).one("Application", "example-one")["spec"]["destination"] == {"name": "one"}


@pytest.mark.parametrize("chart", ["gpu-operator", "keda"])
def test_a_chart_is_an_application_and_pinned(chart: str) -> None:
    found = served(pool("t4", **OPERATED), keda="helm")
    row, spec = CATALOG.must("charts", chart), found.one("Application", f"example-one.{chart}")["spec"]
    assert (spec["source"]["chart"], spec["source"]["targetRevision"]) == (row["chart"], row["version"])
    assert spec["source"]["repoURL"] == row["repository"]
    assert spec["destination"] == {"name": "one", "namespace": row["namespace"]}
    assert found.every("HelmRelease") == []


def test_a_namespace_of_flux_is_none_of_argo_cd() -> None:
    found = emitted(fleet(delivery={"namespace": "flux-apps"}), cluster(delivery={"engine": "argocd"}), pool("t4"))
    assert found.one("Application", "example-one")["metadata"]["namespace"] == "argocd"


def test_a_cluster_with_nothing_on_it_needs_no_engine() -> None:
    assert emitted(fleet(delivery=ARGO), cluster(), cluster("two"), pool("t4"), name="two").manifests == ()


def test_flux_and_argo_cd_give_a_chart_the_same_values() -> None:
    pooled = pool("t4", partition={"timeSlicing": {"replicas": 2}}, **OPERATED)
    flux, argo = emitted(fleet(), cluster(), pooled), served(pooled)
    values = argo.one("Application", "example-one.gpu-operator")["spec"]["source"]["helm"]["valuesObject"]
    assert flux.one("HelmRelease", "gpu-operator")["spec"]["values"] == values


@given(pools())
def test_the_engine_changes_no_decision(found: list[Body]) -> None:
    flux, argo = emitted(fleet(), cluster(), *found), served(*found)
    for kind in ("NodePool", "AKSNodeClass", "DaemonSet", "ConfigMap", "ServiceMonitor"):
        assert [body.get("spec", body.get("data")) for body in flux.every(kind)] == [
            body.get("spec", body.get("data")) for body in argo.every(kind)
        ]


def test_argo_cd_learns_when_a_node_class_is_healthy() -> None:
    """As a component for whoever owns argocd-cm; Argo CD's own manifests of it name no namespace."""
    patch = served(pool("t4")).patches()["argocd-cm"]
    assert patch["metadata"] == {"name": "argocd-cm"}
    [(key, script)] = patch["data"].items()
    assert key == "resource.customizations.health.karpenter.azure.com_AKSNodeClass"
    assert [word for word in ("Healthy", "Degraded", "Progressing") if word not in script] == []
    files = lay_out(served(pool("t4")).manifests)
    assert "one/sync/argocd-cm/kustomization.yaml" in files
    assert "kind: Component" in files["one/sync/argocd-cm/kustomization.yaml"]


@pytest.mark.parametrize(("ready", "verdict"), [("", "Progressing"), ("True", "Healthy"), ("False", "Degraded")])
def test_the_health_script_runs(ready: str, verdict: str) -> None:
    lua = shutil.which("lua") or shutil.which("luajit")
    if lua is None:
        pytest.skip("no Lua on this machine")
    [script] = served(pool("t4")).patches()["argocd-cm"]["data"].values()
    status = f'obj.status = {{conditions = {{{{type = "Ready", status = "{ready}"}}}}}}' if ready else ""
    program = f"obj = {{}} {status}\nlocal function health()\n{script}\nend\nprint(health().status)"
    done = subprocess.run([lua, "-"], input=program, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == verdict


def test_a_cluster_without_pools_has_no_application_without_sources() -> None:
    """Argo CD refuses an Application that has none."""
    found = emitted(fleet(delivery=ARGO), cluster("one"), cluster("two"), pool("t4"), name="two")
    assert [body for body in found.every("Application") if not body["spec"].get("sources")] == []
