"""A retiring pool: it gets no new nodes, everything for running pods is kept, and it can become empty."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit import pages
from gitgpu.emit.manifest import Layer
from tests.emit.fleets import (
    A100,
    BY_NAME,
    CLUSTER_ID,
    H100,
    T4,
    Body,
    Emitted,
    cluster,
    emitted,
    fleet,
    placed,
    plans,
    pool,
    pools,
    taints,
    workload,
)

OPERATED: Body = {"driver": "operator", "image": {"family": "Ubuntu2204"}}
RETIRING = ("gitgpu.dev/retiring", "true", "NoSchedule")
AZURE: Body = {"provisioner": "cluster-autoscaler", "resourceId": CLUSTER_ID}


def page(name: str, *documents: Body) -> str:
    """A page of the runbook."""
    [runbook] = [runbook for runbook in pages() if runbook.name == name]
    return runbook.write(plans(*documents)["one"])


def served(output: Emitted) -> dict[str, Body]:
    """The objects that serve nodes, by kind and name: everything except the pools themselves."""
    kinds = ("NodePool", "AKSNodeClass", "ManagedClustersAgentPool")
    bodies = (m.body for m in output.manifests if m.layer in (Layer.CONTROLLERS, Layer.NODES))
    return {f"{body['kind']}/{body['metadata']['name']}": dict(body) for body in bodies if body["kind"] not in kinds}


@given(pools(), st.data())
def test_only_the_limits_of_a_node_pool_change(gpu_pools: list[Body], data: st.DataObject) -> None:
    """Karpenter compares nodes with the template and the class, so a change to these would replace all of them."""
    index = data.draw(st.integers(0, len(gpu_pools) - 1))
    retired = [
        {**body, "spec": {**body["spec"], "retire": True}} if at == index else body for at, body in enumerate(gpu_pools)
    ]
    before, after = emitted(fleet(), cluster(), *gpu_pools), emitted(fleet(), cluster(), *retired)
    name = gpu_pools[index]["metadata"]["name"]
    was, now = before.one("NodePool", name)["spec"], after.one("NodePool", name)["spec"]
    assert set(now["limits"].values()) == {"0"}
    assert "cpu" in now["limits"], "Karpenter does not count the GPUs of every size, and it counts the CPUs of all"
    assert {**now, "limits": was.get("limits")} == {**was, "limits": was.get("limits")}
    assert before.every("AKSNodeClass") == after.every("AKSNodeClass")
    assert served(before) == served(after), "all that serves the nodes stays until they are empty"


def test_argo_cd_does_not_ask_about_a_pool_that_has_retired() -> None:
    """While Argo CD asks, it syncs nothing else in the Application."""
    argo = cluster(delivery={"engine": "argocd", "namespaces": "create"})
    retired, stays = pool("old", retire=True), pool("new")
    output = emitted(fleet(), argo, retired, stays, workload("chat", ["new"]))
    asked = {
        (body["kind"], body["metadata"]["name"]): body["metadata"]["annotations"]["argocd.argoproj.io/sync-options"]
        for kind in ("NodePool", "AKSNodeClass", "Namespace")
        for body in output.every(kind)
    }
    quiet = {name for name, options in asked.items() if "Prune=confirm" not in options}
    assert quiet == {("NodePool", "old"), ("AKSNodeClass", "old")}
    assert all("Delete=confirm" in options for options in asked.values()), "deleting the Application still asks"


def test_empty_nodes_of_a_retired_pool_are_not_kept() -> None:
    disruption = {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "Never"}
    output = emitted(
        fleet(), cluster(), pool("old", disruption=disruption, retire=True), pool("new", disruption=disruption)
    )
    after = {
        body["metadata"]["name"]: body["spec"]["disruption"]["consolidateAfter"] for body in output.every("NodePool")
    }
    assert after == {"old": "0s", "new": "Never"}


def test_workloads_use_their_other_pools() -> None:
    old, new = pool("old", retire=True), pool("new")
    patch = emitted(fleet(), cluster(), old, new, workload("chat", ["old", "new"])).patches()["chat"]
    assert placed(patch["spec"]["template"]["spec"]["affinity"]) == ["new"]
    alone = emitted(fleet(), cluster(), old, new, workload("chat", ["old"])).patches()["chat"]
    assert placed(alone["spec"]["template"]["spec"]["affinity"]) == ["old"], "its owner includes the patch as before"


def node_pool(**spec: Any) -> Body:
    """The AKS node pool named old, and another one."""
    output = emitted(fleet(), cluster(**AZURE), pool("old", **spec), pool("new", nodes={"min": 1, "max": 2}))
    body: Body = output.one("ManagedClustersAgentPool", "old")["spec"]
    return body


@pytest.mark.parametrize("bounds", [{"min": 2, "max": 2}, {"min": 1, "max": 3}, {"min": 0, "max": 4}])
def test_a_node_pool_of_aks_may_shrink_to_nothing_and_takes_no_new_pods(bounds: Body) -> None:
    was, now = node_pool(nodes=bounds), node_pool(nodes=bounds, retire=True)
    assert (now["enableAutoScaling"], now["minCount"], now["maxCount"]) == (True, 0, bounds["max"])
    assert "count" not in now, "it would be sent again and again"
    assert "gitgpu.dev/retiring=true:NoSchedule" in now["nodeTaints"]
    changed = {key for key in was.keys() | now.keys() if was.get(key) != now.get(key)}
    assert changed <= {"enableAutoScaling", "minCount", "maxCount", "count", "nodeTaints"}, "AKS changes these in place"


def test_what_serves_the_nodes_tolerates_the_taint_and_workloads_do_not() -> None:
    both = workload("chat", ["old", "new"]), workload("batch", ["old"])
    old, new = pool("old", nodes={"min": 0, "max": 2}, retire=True), pool("new", nodes={"min": 0, "max": 2})
    output = emitted(fleet(), cluster(stack=BY_NAME, **AZURE), old, new, *both)
    for body in output.every("DaemonSet"):
        assert RETIRING in taints(body["spec"]["template"]["spec"]["tolerations"]), body["metadata"]["name"]
    for name in ("chat", "batch"):
        spec = output.patches()[name]["spec"]["template"]["spec"]
        assert RETIRING not in taints(spec.get("tolerations", ()))


def test_the_commands_of_a_retired_node_pool() -> None:
    old, new = pool("old", nodes={"min": 2, "max": 2}, retire=True), pool("new", nodes={"min": 0, "max": 2})
    script = page("node-pools.sh", fleet(), cluster(**AZURE), old, new)
    assert re.search(r"^retire old \S*gitgpu.dev/retiring=true:NoSchedule\S* 2$", script, re.MULTILINE)
    assert "create old" not in script, "a pool that is on its way out is not made again"
    assert "create new" in script
    assert "retire" not in page("node-pools.sh", fleet(), cluster(**AZURE), new)
    assert "create ? 0" in page("node-pools.bicep", fleet(), cluster(**AZURE), new)
    assert "count" not in page("node-pools.bicep", fleet(), cluster(**AZURE), old), "it would remove nodes with pods"


def test_nodes_that_the_autoscaler_must_not_touch_keep_their_number() -> None:
    managed = pool("old", nodes={"min": 2, "max": 2}, driver="managed", retire=True)
    script = page("node-pools.sh", fleet(), cluster(**AZURE), managed)
    assert re.search(r"^retire old \S*gitgpu.dev/retiring=true:NoSchedule\S*$", script, re.MULTILINE)
    claims = {**AZURE, "kubernetesVersion": "1.36", "stack": {"allocation": "dra"}}
    claimed = emitted(fleet(), cluster(**claims), pool("old", nodes={"min": 2, "max": 2}, retire=True))
    spec = claimed.one("ManagedClustersAgentPool", "old")["spec"]
    assert (spec["enableAutoScaling"], spec["count"]) == (False, 2)


def test_no_job_proves_a_pool_that_gets_no_nodes() -> None:
    output = emitted(fleet(stack={"verify": True}), cluster(), pool("old", retire=True), pool("new"))
    assert {body["metadata"]["name"] for body in output.every("Job")} == {"new"}


@given(st.lists(st.sampled_from([T4, A100, H100]), max_size=3), st.booleans())
def test_the_mode_of_the_operator_depends_on_no_pool(sizes: list[str], branch: bool) -> None:
    """Without NVIDIADriver mode, the operator deletes every NVIDIADriver driver, including those of other pools."""
    others = [pool(f"other-{at}", size, **OPERATED) for at, size in enumerate(sizes)]
    operated = pool("one", A100, **OPERATED, **({"driverBranch": "580"} if branch else {}))
    values = emitted(fleet(), cluster(), operated, *others).operator_values() or {}
    assert values["driver"]["nvidiaDriverCRD"] == {"enabled": True}


def test_a_driver_object_is_kept_until_its_pool_is_removed() -> None:
    slices: Body = {"mig": {"profiles": {"1g.10gb": 7}}}
    old = pool("old", A100, **OPERATED, driverBranch="580", partition=slices)
    new = pool("new", A100, **OPERATED, driverBranch="580", partition=slices)
    both = emitted(fleet(), cluster(), {**old, "spec": {**old["spec"], "retire": True}}, new)
    left = emitted(fleet(), cluster(), new)
    assert {body["metadata"]["name"] for body in both.every("NVIDIADriver")} == {"old", "new"}
    assert left.one("NVIDIADriver", "new") == both.one("NVIDIADriver", "new")
    assert (left.operator_values() or {})["driver"] == (both.operator_values() or {})["driver"]
