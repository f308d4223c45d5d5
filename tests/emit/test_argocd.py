"""Output for Argo CD: all objects in waves, confirmation before nodes are deleted, and all sources."""

import pytest
from hypothesis import given

from gitgpu.emit.manifest import Layer, Role
from tests.emit.fleets import (
    A100,
    CATALOG,
    CLUSTER_ID,
    Body,
    Emitted,
    cluster,
    document,
    emitted,
    fleet,
    pool,
    pools,
    workload,
)
from tests.helping.cases import for_each
from tests.helping.laid_out import lay_out
from tests.oracles.lua import health

WAVE, OPTIONS = "argocd.argoproj.io/sync-wave", "argocd.argoproj.io/sync-options"
ARGO = {"engine": "argocd"}
NODE_CLASS = "resource.customizations.health.karpenter.azure.com_AKSNodeClass"
DAEMON_SET = "resource.customizations.health.apps_DaemonSet"
OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}
SCALED = workload("ranker", ["pool-0"], scaling={"metric": "query", "query": "up", "target": 1, "max": 2})


def served(*documents: Body, **stack: object) -> Emitted:
    """The output for a cluster with Argo CD."""
    return emitted(fleet(delivery=ARGO, stack=stack), cluster(), *documents)


@given(pools())
def test_every_object_has_the_wave_of_its_layer(gpu_pools: list[Body]) -> None:
    """Software comes before nodes, nodes before workloads. The Applications themselves have no wave."""
    result = served(*gpu_pools, SCALED, keda="helm")
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
def test_argo_cd_asks_before_it_removes_nodes(gpu_pools: list[Body]) -> None:
    for manifest in served(*gpu_pools, keda="helm").manifests:
        options = manifest.body["metadata"].get("annotations", {}).get(OPTIONS, "").split(",")
        precious = manifest.body["kind"] in ("NodePool", "AKSNodeClass", "Namespace")
        assert ("Prune=confirm" in options) is precious
        assert ("Delete=confirm" in options) is precious


@given(pools())
def test_every_source_is_listed(gpu_pools: list[Body]) -> None:
    result = served(*gpu_pools, SCALED)
    files = lay_out(result.manifests)
    spec = result.one("Application", "example-one")["spec"]
    folders = [source["path"].removeprefix("overlays/") for source in spec["sources"]]
    applied = {m.layer for m in result.manifests if m.role is Role.RESOURCE} - {Layer.SYNC}
    assert sorted(folders) == sorted(f"one/{layer}" for layer in applied)
    assert all(f"{folder}/kustomization.yaml" in files for folder in folders)


def test_an_application_goes_to_its_cluster() -> None:
    output = emitted(fleet(delivery={**ARGO, "destination": "prod", "namespace": "gitops"}), cluster(), pool("t4"))
    application = output.one("Application", "example-one")
    assert application["metadata"]["namespace"] == "gitops"
    assert application["spec"]["destination"] == {"name": "prod"}
    assert application["spec"]["sources"][0]["targetRevision"] == "main"
    assert served(pool("t4")).one("Application", "example-one")["spec"]["destination"] == {"name": "one"}


@pytest.mark.parametrize("chart", ["gpu-operator", "keda"])
def test_a_chart_is_an_application_and_pinned(chart: str) -> None:
    output = served(pool("t4", **OPERATED), keda="helm")
    row, spec = CATALOG.must("charts", chart), output.one("Application", f"example-one.{chart}")["spec"]
    assert (spec["source"]["chart"], spec["source"]["targetRevision"]) == (row["chart"], row["version"])
    assert spec["source"]["repoURL"] == row["repository"]
    assert spec["destination"] == {"name": "one", "namespace": row["namespace"]}
    assert output.every("HelmRelease") == []


def test_no_object_is_in_a_namespace_of_flux() -> None:
    output = emitted(fleet(delivery={"namespace": "flux-apps"}), cluster(delivery={"engine": "argocd"}), pool("t4"))
    assert output.one("Application", "example-one")["metadata"]["namespace"] == "argocd"


def test_a_cluster_with_nothing_on_it_needs_no_engine() -> None:
    assert emitted(fleet(delivery=ARGO), cluster(), cluster("two"), pool("t4"), name="two").manifests == ()


def test_a_chart_has_the_same_values_with_flux_and_argo_cd() -> None:
    pooled = pool("t4", partition={"timeSlicing": {"replicas": 2}}, **OPERATED)
    flux, argo = emitted(fleet(), cluster(), pooled), served(pooled)
    values = argo.one("Application", "example-one.gpu-operator")["spec"]["source"]["helm"]["valuesObject"]
    assert flux.one("HelmRelease", "gpu-operator")["spec"]["values"] == values


@given(pools())
def test_the_engine_changes_no_decision(gpu_pools: list[Body]) -> None:
    flux, argo = emitted(fleet(), cluster(), *gpu_pools), served(*gpu_pools)
    for kind in ("NodePool", "AKSNodeClass", "DaemonSet", "ConfigMap", "ServiceMonitor"):
        assert [body.get("spec", body.get("data")) for body in flux.every(kind)] == [
            body.get("spec", body.get("data")) for body in argo.every(kind)
        ]


def test_argo_cd_gets_health_scripts() -> None:
    """They are a component for the owner of argocd-cm. Argo CD's own manifest of it has no namespace."""
    patch = served(pool("t4")).patches()["argocd-cm"]
    assert patch["metadata"] == {"name": "argocd-cm"}
    assert set(patch["data"]) == {NODE_CLASS, DAEMON_SET}
    files = lay_out(served(pool("t4")).manifests)
    assert "one/sync/argocd-cm/kustomization.yaml" in files
    assert "kind: Component" in files["one/sync/argocd-cm/kustomization.yaml"]


def verdict(key: str, body: Body) -> str:
    """The result of the emitted health script for an object."""
    return health(served(pool("t4")).patches()["argocd-cm"]["data"][key], body)["status"]


@for_each(
    ("status", "expected"),
    [
        (None, "Progressing"),
        ({}, "Progressing"),
        ({"conditions": []}, "Progressing"),
        ({"conditions": [{"type": "ImagesReady", "status": "False"}]}, "Progressing"),
        ({"conditions": [{"type": "Ready", "status": "Unknown", "message": None}]}, "Progressing"),
        ({"conditions": [{"type": "Ready", "status": "True"}]}, "Healthy"),
        ({"conditions": [{"type": "ImagesReady", "status": "True"}, {"type": "Ready", "status": "False"}]}, "Degraded"),
    ],
)
def test_the_health_of_a_node_class(status: Body | None, expected: str) -> None:
    assert verdict(NODE_CLASS, {"metadata": {"generation": 1}, "status": status}) == expected


def daemon_set(status: Body | None, **spec: object) -> Body:
    """The emitted device plugin in its second generation, with a status."""
    body = served(pool("t4")).every("DaemonSet")[0]
    meta = {**body["metadata"], "generation": 2}
    return {**body, "metadata": meta, "spec": {**body["spec"], **spec}, "status": status}


SICK = {"observedGeneration": 2, "desiredNumberScheduled": 4, "updatedNumberScheduled": 4, "numberAvailable": 3}
ROLLING = {**SICK, "updatedNumberScheduled": 1, "numberAvailable": 4}


@for_each(
    ("status", "expected"),
    [
        (None, "Progressing"),
        ({}, "Progressing"),
        ({**SICK, "observedGeneration": 1}, "Progressing"),
        (SICK, "Healthy"),
        (ROLLING, "Healthy"),
        ({"observedGeneration": 2}, "Healthy"),
    ],
)
def test_one_unhealthy_node_does_not_block_later_waves(status: Body | None, expected: str) -> None:
    assert verdict(DAEMON_SET, daemon_set(status)) == expected


@for_each(
    ("status", "strategy", "expected"),
    [
        (None, "RollingUpdate", "Progressing"),
        (SICK, "RollingUpdate", "Progressing"),
        (ROLLING, "RollingUpdate", "Progressing"),
        (SICK, "OnDelete", "Healthy"),
        ({**SICK, "numberAvailable": 4}, "RollingUpdate", "Healthy"),
    ],
)
@for_each("labels", [None, {"app.kubernetes.io/managed-by": "Helm"}])
def test_the_health_of_other_daemon_sets_does_not_change(
    status: Body | None, strategy: str, expected: str, labels: Body | None
) -> None:
    """A script in argocd-cm applies to every DaemonSet of this Argo CD."""
    ours = daemon_set(status, updateStrategy={"type": strategy})
    foreign = {**ours, "metadata": {**ours["metadata"], "labels": labels}}
    assert verdict(DAEMON_SET, foreign) == expected


def test_a_retry_applies_the_latest_commit() -> None:
    """Otherwise the fix for a failed sync waits until the last retry of the old revision."""
    assert served(pool("t4")).one("Application", "example-one")["spec"]["syncPolicy"]["retry"]["refresh"] is True


def test_argo_cd_asks_only_after_everything_else_is_applied() -> None:
    """Argo CD stops before the wave that needs the confirmation."""
    for kind in ("NodePool", "AKSNodeClass", "Namespace"):
        for body in served(pool("t4")).every(kind):
            assert "PruneLast=true" in body["metadata"]["annotations"][OPTIONS].split(",")


def waves(output: Emitted) -> dict[str, set[int]]:
    """The waves of the objects of each layer."""
    by_layer: dict[str, set[int]] = {}
    for manifest in output.manifests:
        if manifest.role is Role.RESOURCE and manifest.layer is not Layer.SYNC:
            by_layer.setdefault(manifest.layer, set()).add(int(manifest.body["metadata"]["annotations"][WAVE]))
    return by_layer


def test_no_wave_waits_for_nodes_or_scalers() -> None:
    """A pool that is not Ready, and a ScaledObject, which is Degraded until its metric exists, are in the last wave."""
    output = served(pool("a100", A100), pool("pool-0"), SCALED, keda="helm")
    assert waves(output) == {"controllers": {0}, "monitoring": {1}, "nodes": {3}, "workloads": {3}}


def test_only_models_wait_for_their_pool() -> None:
    """KAITO rejects a model while its pool has no node, and Argo CD then waits for the rest of the wave."""
    chat = {"pools": ["a100"], "inference": {"preset": "phi-4-mini-instruct"}}
    models = document("GpuWorkload", "chat", chat, namespace="serving")
    nodes = pool("a100", A100, image={"osDiskGB": 512})
    output = served(nodes, pool("pool-0"), SCALED, models, kaito="helm", keda="helm")
    assert waves(output) == {"controllers": {0}, "monitoring": {1}, "nodes": {2, 3}, "workloads": {2, 3}, "models": {3}}
    early = {m.ref.name for m in output.manifests if m.body["metadata"].get("annotations", {}).get(WAVE) == "2"}
    assert early == {"a100", "a100-first-node"}


def test_a_cluster_without_pools_has_no_application_without_sources() -> None:
    """Argo CD rejects an Application without sources."""
    output = emitted(fleet(delivery=ARGO), cluster("one"), cluster("two"), pool("t4"), name="two")
    assert [body for body in output.every("Application") if not body["spec"].get("sources")] == []


@pytest.mark.parametrize(
    ("stack", "owned"),
    [
        ({"allocation": "dra", "driver": "operator"}, False),
        ({"allocation": "dra", "driver": "operator", "versions": {"gpu-operator": "v26.3.3"}}, True),
        ({"driver": "operator"}, True),
    ],
)
def test_the_definition_of_compute_domains_has_one_owner(stack: Body, owned: bool) -> None:
    """Since v26.7.0, the chart of the GPU Operator has a copy of the DRA driver's definition."""
    fixed = pool("a", A100, image={"family": "Ubuntu2204"}, nodes={"min": 1, "max": 2})
    own = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, kubernetesVersion="1.36", stack=stack)
    result = emitted(fleet(delivery=ARGO), own, fixed)
    spec = result.one("Application", "example-one.gpu-operator")["spec"]
    named = [entry["name"] for entry in spec.get("ignoreDifferences", ())]
    shared = ["computedomaincliques.resource.nvidia.com", "computedomains.resource.nvidia.com"]
    assert named == ([] if owned else shared)
    assert ("RespectIgnoreDifferences=true" in spec["syncPolicy"]["syncOptions"]) is not owned
    if "allocation" in stack:
        driver = result.one("Application", "example-one.dra-driver-nvidia-gpu")["spec"]
        assert "ignoreDifferences" not in driver
