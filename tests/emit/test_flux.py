"""Output for Flux: it waits for dependencies, never deletes nodes, and installs the tested versions."""

import re
from graphlib import TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit.manifest import Layer, Role
from tests.emit.fleets import CATALOG, PROMETHEUS, Body, Emitted, cluster, emitted, fleet, pool, pools, workload
from tests.helping.laid_out import lay_out

PRUNE = "kustomize.toolkit.fluxcd.io/prune"
SCALED = workload("ranker", ["pool-0"], scaling={"metric": "query", "query": "up", "target": 1, "max": 2})
STACKS = st.sampled_from(({}, {"keda": "helm"}, {"metrics": {**PROMETHEUS, "exporter": False}}))


def syncs(output: Emitted) -> dict[str, Body]:
    """The specs of Flux's Kustomizations by name."""
    return {body["metadata"]["name"]: body["spec"] for body in output.every("Kustomization", Layer.SYNC)}


@given(st.sampled_from(([], [SCALED])), pools(), STACKS)
def test_every_layer_is_synced_in_order(scaled: list[Body], gpu_pools: list[Body], stack: Body) -> None:
    """A Kustomization with a missing path fails forever, and so does one that depends on a missing name."""
    result = emitted(fleet(stack=stack), cluster(), *gpu_pools, *scaled)
    files = lay_out(result.manifests)
    applied = {m.layer for m in result.manifests if m.role is Role.RESOURCE} - {Layer.SYNC}
    assert {spec["path"] for spec in syncs(result).values()} == {f"./overlays/one/{layer}" for layer in applied}
    assert all(f"one/{layer}/kustomization.yaml" in files for layer in applied)
    waits = {
        name: [dependency["name"] for dependency in spec.get("dependsOn", ())] for name, spec in syncs(result).items()
    }
    assert {name for names in waits.values() for name in names} <= waits.keys()
    order = list(TopologicalSorter(waits).static_order())
    assert sorted(order) == sorted(waits)


def test_nodes_wait_for_the_software_and_workloads_for_the_nodes() -> None:
    output = emitted(fleet(), cluster(), pool("pool-0"), SCALED)
    waits = {
        name: [dependency["name"] for dependency in spec.get("dependsOn", ())] for name, spec in syncs(output).items()
    }
    assert waits == {
        "example-controllers": [],
        "example-nodes": ["example-controllers"],
        "example-monitoring": ["example-controllers"],
        "example-workloads": ["example-nodes", "example-monitoring"],
    }


@given(pools())
def test_flux_deletes_no_nodes(gpu_pools: list[Body]) -> None:
    """Not if an object or its namespace is removed from Git, nor if the Kustomization itself is removed."""
    result = emitted(fleet(stack={"keda": "helm"}), cluster(), *gpu_pools)
    for manifest in result.manifests:
        kept = manifest.body["metadata"].get("annotations", {}).get(PRUNE) == "disabled"
        assert kept is (manifest.body["kind"] in ("NodePool", "AKSNodeClass", "Namespace"))
    assert syncs(result)["example-nodes"]["deletionPolicy"] == "Orphan"


def test_nothing_waits_for_a_node() -> None:
    """A layer that waits blocks those that depend on it."""
    specs = syncs(emitted(fleet(), cluster(), pool("pool-0"), SCALED))
    checked = {
        (expression["apiVersion"], expression["kind"])
        for spec in specs.values()
        for expression in spec.get("healthCheckExprs", ())
    }
    assert checked == {
        ("apps/v1", "DaemonSet"),
        ("karpenter.azure.com/v1beta1", "AKSNodeClass"),
    }
    assert {name: spec["wait"] for name, spec in specs.items()} == {
        "example-controllers": True,
        "example-nodes": False,
        "example-monitoring": True,
        "example-workloads": False,
    }


def test_the_source_is_the_repository_of_the_fleet() -> None:
    delivery = {"revision": "release", "namespace": "gitops", "secret": "deploy-key", "interval": "5m", "path": "gpu"}
    output = emitted(fleet(delivery=delivery), cluster(), pool("t4"))
    source = output.one("GitRepository", "example")
    assert source["metadata"]["namespace"] == "gitops"
    assert source["spec"] == {
        "interval": "5m",
        "url": "https://github.com/contoso/gpu-fleet",
        "ref": {"branch": "release"},
        "secretRef": {"name": "deploy-key"},
    }
    for body in output.every("Kustomization", Layer.SYNC):
        assert body["metadata"]["namespace"] == "gitops"
        assert body["spec"]["sourceRef"] == {"kind": "GitRepository", "name": "example"}
        assert body["spec"]["path"].startswith("./gpu/one/")


@pytest.mark.parametrize("chart", ["gpu-operator", "keda"])
def test_a_chart_is_pinned(chart: str) -> None:
    pooled = pool("t4", driver="operator", image={"family": "Ubuntu2204"})
    output = emitted(fleet(stack={"keda": "helm"}), cluster(), pooled)
    row, release = CATALOG.must("charts", chart), output.one("HelmRelease", chart)
    spec = release["spec"]["chart"]["spec"]
    assert (spec["chart"], spec["version"]) == (row["chart"], row["version"])
    assert re.fullmatch(r"v?\d+\.\d+\.\d+", spec["version"])
    source = output.one(spec["sourceRef"]["kind"], spec["sourceRef"]["name"])
    assert source["spec"]["url"] == row["repository"]
    assert source["metadata"]["namespace"] == spec["sourceRef"]["namespace"]
    assert release["spec"]["targetNamespace"] in {body["metadata"]["name"] for body in output.every("Namespace")}
    assert release["spec"]["upgrade"]["crds"] == "CreateReplace"


@given(pools())
def test_every_object_is_in_an_existing_namespace(gpu_pools: list[Body]) -> None:
    """Except namespaces that Flux or the owners of the workloads create."""
    result = emitted(fleet(stack={"keda": "helm"}), cluster(), *gpu_pools)
    there = {body["metadata"]["name"] for body in result.every("Namespace")} | {"flux-system"}
    assert {m.ref.namespace for m in result.manifests if m.ref.namespace} <= there


def test_keda_can_use_the_identity_that_reads_the_metrics() -> None:
    identity = "11111111-2222-3333-4444-555555555555"
    output = emitted(fleet(stack={"keda": "helm", "metrics": {"identity": identity}}), cluster(), pool("t4"))
    values = output.one("HelmRelease", "keda")["spec"]["values"]
    assert values["podIdentity"]["azureWorkload"] == {"enabled": True, "clientId": identity}


def test_your_own_prometheus_is_queried_without_an_identity() -> None:
    metrics = {"scrape": "prometheus-operator", "identity": "11111111-2222-3333-4444-555555555555"}
    output = emitted(fleet(stack={"keda": "helm", "metrics": metrics}), cluster(), pool("t4"))
    assert "podIdentity" not in output.one("HelmRelease", "keda")["spec"].get("values", {})


def test_a_cluster_without_pools_is_not_an_error() -> None:
    output = emitted(fleet(), cluster("one"), cluster("two"), pool("t4"), name="two")
    assert [m.ref.kind for m in output.manifests] == ["GitRepository"]
