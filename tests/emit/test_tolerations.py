"""DaemonSets tolerate exactly the taints of their nodes; workloads run on exactly their pools."""

from hypothesis import given
from hypothesis import strategies as st

from tests.emit.fleets import (
    AZURE,
    BY_NAME,
    MI300X,
    T4,
    Body,
    Emitted,
    Tainted,
    cluster,
    emitted,
    fleet,
    met,
    placed,
    pool,
    pools,
    taints,
    workload,
)


def all_met(output: Emitted, names: list[str], *, starting: bool) -> set[Tainted]:
    """The taints on the nodes of several pools."""
    every = [met(output.one("NodePool", name), starting=starting) for name in names]
    return set().union(*every)


@given(pools())
def test_daemon_sets_tolerate_the_taints_of_their_nodes(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(), cluster(stack=BY_NAME), *gpu_pools)
    for body in result.every("DaemonSet"):
        spec = body["spec"]["template"]["spec"]
        assert taints(spec.get("tolerations", ())) == all_met(result, placed(spec["affinity"]), starting=True)


@given(pools())
def test_the_operator_tolerates_the_taints_of_its_nodes(gpu_pools: list[Body]) -> None:
    by_label, result = (emitted(fleet(), cluster(stack=stack), *gpu_pools) for stack in ({}, BY_NAME))
    if (worker := by_label.discovery()) and (values := by_label.operator_values()):
        assert taints(worker["tolerations"]) == all_met(by_label, placed(worker["affinity"]), starting=True)
        assert values["daemonsets"]["tolerations"] == [{"operator": "Exists"}], "further pools may have other taints"
    if worker := result.discovery():
        assert taints(worker["tolerations"]) == all_met(result, placed(worker["affinity"]), starting=True)
    served: dict[str, list[str]] = {"amd": [], "nvidia": []}
    for body in gpu_pools:
        if body["spec"]["driver"] == "operator":
            served["amd" if body["spec"]["sku"] == MI300X else "nvidia"].append(body["metadata"]["name"])
    if values := result.operator_values():
        assert taints(values["daemonsets"]["tolerations"]) == all_met(result, served["nvidia"], starting=True)
    for config in result.every("DeviceConfig"):
        parts = config["spec"]["devicePlugin"], config["spec"]["metricsExporter"]
        tolerations = [part[key] for part in parts for key in part if key.lower().endswith("tolerations")]
        assert len(tolerations) == 3
        assert all(taints(toleration) == all_met(result, served["amd"], starting=True) for toleration in tolerations)


@given(pools(least=2), st.data())
def test_a_workload_tolerates_the_taints_of_its_pools(gpu_pools: list[Body], data: st.DataObject) -> None:
    """Startup taints are removed before pods are scheduled. A pod that tolerates them would start too early."""
    usable = [body for body in gpu_pools if "MI300X" not in body["spec"]["sku"]]
    names = sorted(body["metadata"]["name"] for body in usable)
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True)) if names else []
    if not chosen:
        return
    result = emitted(fleet(), cluster(), *gpu_pools, workload("ranker", chosen))
    pod = result.patches()["ranker"]["spec"]["template"]["spec"]
    assert placed(pod["affinity"]) == sorted(chosen)
    assert taints(pod.get("tolerations", ())) == all_met(result, chosen, starting=False)


def test_a_workload_is_placed_on_the_pools_of_its_cluster_only() -> None:
    both: Body = {"clusters": ["one", "two"]}
    documents = [
        fleet(),
        cluster("one"),
        cluster("two"),
        cluster("three"),
        pool("everywhere", **both),
        pool("here", taints=[{"key": "team", "value": "search", "effect": "NoSchedule"}]),
        workload("ranker", ["here", "everywhere"]),
    ]
    patches = (emitted(*documents, name=name).patches()["ranker"] for name in ("one", "two"))
    one, two = (patch["spec"]["template"]["spec"] for patch in patches)
    assert placed(one["affinity"]) == ["everywhere", "here"]
    assert placed(two["affinity"]) == ["everywhere"]
    assert {taint.key for taint in taints(one["tolerations"])} == {"sku", "team"}
    assert {taint.key for taint in taints(two["tolerations"])} == {"sku"}
    assert emitted(*documents, name="three").patches() == {}


def test_a_pod_requests_gpus_for_its_container() -> None:
    target = {"kind": "StatefulSet", "name": "trainer", "container": "torch"}
    train = workload("pretrain", ["amd"], gpus=8, target=target)
    output = emitted(fleet(), cluster(), pool("amd", "Standard_ND96isr_MI300X_v5", driver="none"), train)
    patch = output.patches()["trainer"]
    assert (patch["apiVersion"], patch["kind"]) == ("apps/v1", "StatefulSet")
    asked = patch["spec"]["template"]["spec"]["containers"]
    assert asked == [{"name": "torch", "resources": {"limits": {"amd.com/gpu": "8"}}}]


def test_only_a_pool_with_only_spot_nodes_has_the_spot_taint() -> None:
    """On-demand nodes of a mixed pool stay open to pods that do not tolerate spot."""
    output = emitted(fleet(), cluster(), pool("a", capacity=["spot"]), pool("b", capacity=["spot", "on-demand"]))
    templates = (body["spec"]["template"]["spec"] for body in output.every("NodePool"))
    spot, both = (taints(template["taints"]) for template in templates)
    assert {taint.key for taint in spot} == {"sku", "kubernetes.azure.com/scalesetpriority"}
    assert {taint.key for taint in both} == {"sku"}


def test_a_pool_without_taints_needs_no_toleration() -> None:
    output = emitted(fleet(), cluster(stack=BY_NAME), pool("open", taints=[]), workload("ranker", ["open"]))
    assert "taints" not in output.one("NodePool", "open")["spec"]["template"]["spec"]
    assert "tolerations" not in output.patches()["ranker"]["spec"]["template"]["spec"]
    assert "tolerations" not in output.one("DaemonSet", "nvidia-device-plugin")["spec"]["template"]["spec"]


def test_a_taint_without_a_value_is_tolerated_by_its_key() -> None:
    bare = {"key": "nvidia.com/gpu", "effect": "NoSchedule"}
    output = emitted(fleet(), cluster(), pool("t4", T4, taints=[bare]), workload("ranker", ["t4"]))
    assert output.one("NodePool", "t4")["spec"]["template"]["spec"]["taints"] == [bare]
    patch = output.patches()["ranker"]["spec"]["template"]["spec"]
    assert patch["tolerations"] == [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]


def test_the_owner_of_a_workload_may_set_its_namespace_last() -> None:
    """Kustomize sets `namespace:` after patches, so a patch with a namespace would silently match nothing."""
    scaled = workload("ranker", ["t4"], scaling={"target": 70, "max": 4})
    output = emitted(fleet(stack={"metrics": AZURE}), cluster(), pool("t4"), scaled)
    assert "namespace" not in output.patches()["ranker"]["metadata"]
    assert output.one("ScaledObject", "ranker")["metadata"]["namespace"] == "serving"
