"""When Flux treats objects as ready: Flux's logic with a real CEL engine, for every possible status."""

from collections.abc import Mapping
from typing import Any

import pytest

from gitgpu.emit.manifest import Layer
from tests.emit.fleets import (
    A100,
    CLUSTER_ID,
    H100,
    MI300X,
    Body,
    Emitted,
    cluster,
    emitted,
    fleet,
    pool,
    workload,
)
from tests.helping.cases import for_each

OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}
SCALED = workload("ranker", ["t4"], scaling={"metric": "query", "query": "up", "target": 1, "max": 2})
BY_FLUX, BY_OWNER = {"manager": "kustomize-controller"}, {"manager": "karpenter", "subresource": "status"}
RAISED = "raised"
PROGRESS, CURRENT = "InProgress", "Current"


def layers(output: Emitted) -> dict[str, Body]:
    """The specs of Flux's Kustomizations by layer."""
    return {body["spec"]["path"].rpartition("/")[2]: body["spec"] for body in output.every("Kustomization", Layer.SYNC)}


def expressions() -> dict[str, str]:
    """Every health expression by kind."""
    branch = pool("old", H100, **OPERATED, driverBranch="580")
    output = emitted(fleet(), cluster(), pool("t4"), branch, pool("amd", MI300X, **OPERATED), SCALED)
    checks = [expression for spec in layers(output).values() for expression in spec.get("healthCheckExprs", ())]
    assert all(set(check) == {"apiVersion", "kind", "current"} for check in checks), (
        "none of them calls an object failed"
    )
    return {check["kind"]: check["current"] for check in checks}


def judged(expression: str, body: Mapping[str, Any]) -> str:
    """The result of Flux's StatusEvaluator (runtime/cel of fluxcd/pkg), or RAISED if CEL fails."""
    cel = pytest.importorskip("cel_expr_python.cel", reason="cel-expr-python is not installed")
    seen = body.get("status", {}).get("observedGeneration")
    if seen is not None and seen != body["metadata"]["generation"]:
        return PROGRESS
    types = dict.fromkeys(("apiVersion", "kind", "metadata", "spec", "status"), cel.Type.DYN)
    value = cel.NewEnv(variables=types).compile(expression).eval(data=dict(body)).value()
    return {True: CURRENT, False: PROGRESS}[value] if isinstance(value, bool) else RAISED


def stored(status: Body | None, *, generation: int = 2, fields: bool = True) -> Body:
    """An object as stored in the API server, optionally without managed fields."""
    managers = [BY_FLUX] if status is None else [BY_FLUX, BY_OWNER]
    meta = {"name": "t4", "generation": generation, **({"managedFields": managers} if fields else {})}
    return {"apiVersion": "x/v1", "kind": "X", "metadata": meta, **({} if status is None else {"status": status})}


def conditions(*items: Body) -> Body:
    """A status with conditions."""
    return {"conditions": list(items)}


TRUE, FALSE = {"type": "Ready", "status": "True"}, {"type": "Ready", "status": "False"}
OTHER = {"type": "ValidationSucceeded", "status": "True"}


@for_each("status", [None, {}, conditions(FALSE), conditions(TRUE)])
def test_a_node_class_is_current_as_soon_as_it_exists(status: Body | None) -> None:
    """Flux applies it before the NodePools, and does not apply these until it is current."""
    assert judged(expressions()["AKSNodeClass"], stored(status)) == CURRENT


@for_each(
    ("status", "verdict"),
    [
        ({}, PROGRESS),
        ({"desiredNumberScheduled": 3, "numberReady": 0}, PROGRESS),
        ({"desiredNumberScheduled": 3, "numberReady": 3, "observedGeneration": 1}, PROGRESS),
        ({"desiredNumberScheduled": 3, "numberReady": 2, "observedGeneration": 2}, CURRENT),
        ({"desiredNumberScheduled": 0, "numberReady": 0, "observedGeneration": 2}, CURRENT),
        ({"desiredNumberScheduled": 3, "numberReady": 0, "numberUnavailable": 3, "observedGeneration": 2}, CURRENT),
    ],
)
def test_a_daemon_set_is_current_once_it_was_seen(status: Body, verdict: str) -> None:
    """A node with a pod that is not Ready, or that waits for another team's driver, must not block the layer."""
    assert judged(expressions()["DaemonSet"], stored(status)) == verdict


def test_no_release_waits_for_the_nodes() -> None:
    """Helm's wait includes DaemonSets: one node could fail a release, and Flux would roll back an upgrade."""
    operated = [pool("a100", A100, **OPERATED), pool("amd", MI300X, **OPERATED)]
    output = emitted(fleet(stack={"keda": "helm"}), cluster(), *operated)
    specs = {body["metadata"]["name"]: body["spec"] for body in output.every("HelmRelease")}
    patient = {
        name
        for name, spec in specs.items()
        if all(spec.get(part, {}).get("disableWait") for part in ("install", "upgrade", "rollback"))
    }
    assert patient == {"gpu-operator", "node-feature-discovery"}, "AMD's looks for hardware through the latter"
    assert {name for name, spec in specs.items() if "disableWait" in str(spec)} == patient


def test_the_driver_of_claims_runs_on_nodes_too() -> None:
    claims = cluster(
        kubernetesVersion="1.36", provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, stack={"allocation": "dra"}
    )
    output = emitted(fleet(), claims, pool("t4", nodes={"min": 1, "max": 2}))
    assert output.one("HelmRelease", "dra-driver-nvidia-gpu")["spec"]["upgrade"]["disableWait"] is True


@pytest.mark.parametrize("azure", [False, True], ids=["karpenter", "autoscaler"])
def test_the_nodes_layer_waits_for_no_pool(azure: bool) -> None:
    """One pool that is not Ready would block the workloads of all others, and later commits of the layer."""
    kind: Body = {"provisioner": "cluster-autoscaler", "resourceId": CLUSTER_ID} if azure else {}
    nodes: Body = {"nodes": {"min": 1, "max": 2}} if azure else {}
    gpu_pools = [
        pool("mi300x", MI300X, **OPERATED, **nodes),
        pool("t4", **nodes),
        pool("a100", A100, driver="aks", **nodes),
    ]
    spec = layers(emitted(fleet(), cluster(**kind), *gpu_pools))["nodes"]
    assert (spec["wait"], spec["timeout"]) == (False, "5m")
    assert "healthChecks" not in spec
    assert {check["kind"] for check in spec.get("healthCheckExprs", ())} == (set() if azure else {"AKSNodeClass"})


def test_only_the_controllers_may_take_long() -> None:
    """Flux applies no later commit of a layer while it waits for the objects of an earlier one."""
    specs = layers(emitted(fleet(), cluster(), pool("t4"), SCALED))
    assert {layer for layer, spec in specs.items() if spec["timeout"] != "5m"} == {"controllers"}
