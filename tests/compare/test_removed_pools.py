"""Pools that are removed from the overlays: whether they had retired, their successor, and what stops on the nodes."""

from typing import Any

import pytest

from tests.compare.sides import AGENTS, CLASS, POOL, Body, between, edited, overlays, pool_between
from tests.helping.cases import for_each

KEPT = {"metadata/annotations": {"kustomize.toolkit.fluxcd.io/prune": "disabled"}}
TAINT = "gitgpu.dev/retiring=true:NoSchedule"
HELD = edited(AGENTS, KEPT)
STAY: Body = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "stays", "namespace": "gpu"},
    "data": {"a": "b"},
}


def agent(name: str = "agent", **spec: Any) -> Body:
    """A DaemonSet with this pod spec."""
    pods = {"containers": [{"name": "a", "image": "x:1"}], **spec}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": name, "namespace": "gpu"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": {"spec": pods}},
    }


def chosen(key: str, *values: str) -> Body:
    """Node affinity for some values of a label."""
    term = {"matchExpressions": [{"key": key, "operator": "In", "values": list(values)}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


@for_each(
    ("spec", "words"),
    [
        ({}, "it is not retired"),
        ({"nodeTaints": ["sku=gpu:NoSchedule"]}, "it is not retired"),
        (
            {"nodeTaints": ["sku=gpu:NoSchedule", TAINT]},
            "kubectl get nodes -l kubernetes.azure.com/agentpool=a returns no nodes",
        ),
        ({"nodeTaints": TAINT}, "it is not retired"),
    ],
)
def test_a_pool_of_aks_retires_by_its_taint(spec: Body, words: str) -> None:
    gone = edited(HELD, {f"spec/{key}": value for key, value in spec.items()})
    change = pool_between([gone, STAY], [STAY], "a")
    assert (change.replaced, words in change.reason) == ("none", True), change.reason


@for_each(
    ("limits", "retired"),
    [
        ({"nodes": "0"}, True),
        ({"cpu": "128", "nodes": 0}, True),
        ({"cpu": "0m"}, True),
        ({"nodes": "10"}, False),
        ({"cpu": "none"}, False),
        ({}, False),
    ],
)
def test_a_nodepool_retires_by_a_limit_of_zero(limits: Body, retired: bool) -> None:
    gone = edited(POOL, {"spec/limits": limits})
    change = pool_between([gone, CLASS], [CLASS])
    assert ("it is retired" in change.reason) is retired
    assert ("kubectl get nodes -l karpenter.sh/nodepool=p" in change.reason) is retired


def test_a_deleted_pool_that_had_retired_loses_few_nodes() -> None:
    gone = edited(AGENTS, {"spec/nodeTaints": [TAINT]})
    assert "its remaining nodes are deleted too" in pool_between([gone, STAY], [STAY], "a").reason
    assert "together with all its nodes" in pool_between([AGENTS, STAY], [STAY], "a").reason


def test_a_pool_with_the_same_spec_and_another_name_is_the_successor() -> None:
    renamed = edited(POOL, {"metadata/name": "q", "spec/template/spec/nodeClassRef/name": "q"})
    assert pool_between([POOL, CLASS], [renamed, CLASS]).successor == "q"
    assert pool_between([POOL, CLASS], [edited(renamed, {"spec/weight": 3}), CLASS]).successor == ""
    agents = edited(AGENTS, {"metadata/name": "b", "spec/azureName": "b"})
    assert pool_between([AGENTS, STAY], [agents, STAY], "a").successor == "b"
    assert (
        pool_between([AGENTS, STAY], [edited(agents, {"spec/vmSize": "Standard_NC16as_T4_v3"}), STAY], "a").successor
        == ""
    )


NODEPOOL, AGENTPOOL = "karpenter.sh/nodepool", "kubernetes.azure.com/agentpool"
STOPPED = "DaemonSet/gpu/agent: its pods are removed from these nodes"


@for_each(
    ("pool", "before", "after", "stops"),
    [
        (POOL, {"nodeSelector": {NODEPOOL: "p"}}, None, [STOPPED]),
        (POOL, {"affinity": chosen(NODEPOOL, "p", "q")}, {"affinity": chosen(NODEPOOL, "q")}, [STOPPED]),
        (POOL, {"affinity": chosen(NODEPOOL, "p", "q")}, {"affinity": chosen(NODEPOOL, "p")}, []),
        (POOL, {"affinity": chosen(NODEPOOL, "q")}, None, []),
        (POOL, {"affinity": chosen("other", "p")}, None, []),
        (POOL, {"nodeSelector": {"other": "p"}}, None, []),
        (POOL, {"nodeSelector": {AGENTPOOL: "p"}}, None, []),
        (POOL, {}, None, []),
        (HELD, {"nodeSelector": {AGENTPOOL: "a"}}, None, [STOPPED]),
        (HELD, {"nodeSelector": {AGENTPOOL: "a"}}, {}, [STOPPED]),
        (HELD, {"nodeSelector": {NODEPOOL: "a"}}, {}, []),
        (HELD, {"affinity": chosen(AGENTPOOL, "a")}, {"affinity": chosen(AGENTPOOL, "b")}, [STOPPED]),
    ],
)
def test_an_object_that_selected_the_removed_nodes_stops(
    pool: Body, before: Body, after: Body | None, stops: list[str]
) -> None:
    """An object that is removed, or that no longer selects them."""
    rest = [CLASS, STAY, *([] if after is None else [agent(**after)])]
    change = pool_between([pool, CLASS, STAY, agent(**before)], rest, pool["metadata"]["name"])
    assert list(change.stops) == stops


@pytest.mark.parametrize(("gone", "path"), [(POOL, "spec/template/metadata/labels"), (HELD, "spec/nodeLabels")])
def test_another_pool_that_changes_its_mig_layout_stops_nothing(gone: Body, path: str) -> None:
    """A layout of the removed pool that goes from a ConfigMap is no longer defined; another pool defines none."""
    layout = {path: {"nvidia.com/mig.config": "all-1g.10gb"}}
    other = edited(gone, {**layout, "metadata/name": "z"})
    changed = edited(other, {path: {"nvidia.com/mig.config": "all-disabled"}})
    text = edited(STAY, {"metadata/name": "layouts", "data/a": "all-1g.10gb"})
    before = [edited(gone, layout), other, CLASS, STAY, text]
    for after, stops in (([other, text], 0), ([changed, text], 0), ([other, edited(text, {"data/a": "b"})], 1)):
        result = pool_between(before, [CLASS, STAY, *after], gone["metadata"]["name"])
        assert len(result.stops) == stops


def test_an_object_that_stays_does_not_stop() -> None:
    kept = edited(agent(nodeSelector={NODEPOOL: "p"}), KEPT)
    assert pool_between([POOL, CLASS, STAY, kept], [CLASS, STAY]).stops == ()


def test_nothing_stops_on_the_nodes_of_a_pool_that_has_retired() -> None:
    gone, runs = edited(POOL, {"spec/limits": {"nodes": "0"}}), agent(nodeSelector={NODEPOOL: "p"})
    assert pool_between([gone, CLASS, STAY, runs], [CLASS, STAY]).stops == ()


UNADVERTISED = "the nodes no longer advertise GPUs: running pods keep theirs, new pods get none"
BY_NAME = "the components of the chart that select the pool by name"


@for_each(
    ("name", "meaning"),
    [
        ("nvidia-device-plugin", UNADVERTISED),
        ("amd-device-plugin", UNADVERTISED),
        ("nvidia-mps-control-daemon", "pods that share a GPU through MPS lose the MPS server"),
        ("dcgm-exporter", "no GPU metrics, so no scaling and no alerts"),
        ("dcgm-exporter-profiling", "no GPU metrics, so no scaling and no alerts"),
        ("amdgpu-driver", "no driver is installed on them"),
        ("gpu-problem-detector", "GPU health is no longer monitored"),
        ("gpu-feature-discovery", "GPU labels are no longer set"),
        ("nvidia-peermem", "GPUs no longer exchange data with InfiniBand NICs directly"),
    ],
)
def test_what_it_means_that_a_daemon_stops(name: str, meaning: str) -> None:
    runs = agent(name, nodeSelector={NODEPOOL: "p"})
    (stop,) = pool_between([POOL, CLASS, STAY, runs], [CLASS, STAY]).stops
    assert stop == f"DaemonSet/gpu/{name}: {meaning}"


@for_each(
    ("kind", "gone", "meaning"),
    [
        ("HelmRelease", True, "the chart is uninstalled"),
        ("HelmRelease", False, BY_NAME),
        ("Application", True, BY_NAME),
        ("NVIDIADriver", True, "the operator removes its driver"),
        ("NicClusterPolicy", True, "InfiniBand is no longer configured"),
    ],
)
def test_what_it_means_that_another_object_stops(kind: str, gone: bool, meaning: str) -> None:
    groups = {"HelmRelease": "helm.toolkit.fluxcd.io/v2", "Application": "argoproj.io/v1alpha1"}
    named: Body = {
        "apiVersion": groups.get(kind, "nvidia.com/v1alpha1"),
        "kind": kind,
        "metadata": {"name": "x", "namespace": "gpu"},
        "spec": {"nodeSelector": {NODEPOOL: "p"}},
    }
    left = [] if gone else [edited(named, {"spec": {"nodeSelector": {NODEPOOL: "q"}}})]
    (stop,) = pool_between([POOL, CLASS, STAY, named], [CLASS, STAY, *left]).stops
    assert stop.endswith(f": {meaning}")


LAYOUT = "nvidia.com/mig.config"


@pytest.mark.parametrize(
    ("above", "pool"), [("spec/template/metadata/labels", POOL), ("spec/nodeLabels", HELD)], ids=["nodepool", "aks"]
)
def test_a_mig_layout_that_leaves_with_the_pool(above: str, pool: Body) -> None:
    cut = edited(pool, {f"{above}": {LAYOUT: "layout-1"}})
    layouts = {**STAY, "metadata": {"name": "mig", "namespace": "gpu"}, "data": {"c": "layout-1: {}\nlayout-2: {}\n"}}
    fewer = {**layouts, "data": {"c": "layout-2: {}\n"}}
    change = pool_between([cut, CLASS, STAY, layouts], [CLASS, STAY, fewer], pool["metadata"]["name"])
    assert change.stops == (
        "ConfigMap/gpu/mig: the MIG layout layout-1 is removed, and restarted nodes are not partitioned",
    )
    more = {**layouts, "data": {"c": "layout-1: {}\n"}}
    assert pool_between([cut, CLASS, STAY, layouts], [CLASS, STAY, more], pool["metadata"]["name"]).stops == ()
    assert pool_between([pool, CLASS, STAY, layouts], [CLASS, STAY, fewer], pool["metadata"]["name"]).stops == ()


@for_each(
    ("spec", "nodes"),
    [
        ({}, 4),
        ({"enableAutoScaling": False, "count": 3}, 3),
        ({"enableAutoScaling": False}, None),
        ({"count": 3}, 4),
        ({"maxCount": "4"}, None),
        ({"vmSize": "Standard_D4s_v5"}, None),
    ],
)
def test_what_a_pool_of_aks_can_grow_to(spec: Body, nodes: int | None) -> None:
    limits = pool_between([], [edited(AGENTS, {f"spec/{key}": value for key, value in spec.items()})], "a").after
    assert limits is not None
    assert (limits.nodes, limits.gpus) == (nodes, nodes)
    assert (limits.price is None) == (nodes is None)


def test_a_removed_cluster_removes_its_pools() -> None:
    (change,) = between(overlays([POOL, CLASS]), {})
    assert change.kind.value == "removed"
    (change,) = between({}, overlays([POOL, CLASS]))
    assert change.kind.value == "added"


def test_the_name_of_a_removed_pool() -> None:
    assert "; the pool is deleted" in pool_between([AGENTS, STAY], [STAY], "a").reason
    assert (
        "; the NodePool is deleted" in pool_between([edited(POOL, {"metadata/annotations": {}}), CLASS], [CLASS]).reason
    )


def test_nothing_stops_if_the_nodes_are_deleted_too() -> None:
    """If a pool is deleted, so are its nodes, and what ran on them is not reported."""
    gone, runs = edited(POOL, {"metadata/annotations": {}}), agent(nodeSelector={NODEPOOL: "p"})
    assert pool_between([gone, CLASS, STAY, runs], [CLASS, STAY]).stops == ()


def test_a_pool_whose_class_alone_changes_has_changed() -> None:
    change = pool_between([POOL, CLASS], [POOL, edited(CLASS, {"spec/tags": {"a": "c"}})])
    assert change.kind is not None
    assert pool_between([POOL, CLASS, STAY], [POOL, CLASS, {**STAY, "data": {"a": "c"}}]).kind is None


@for_each(
    ("before", "after", "retires"),
    [
        ({}, {"spec/limits": {"nodes": "0"}}, True),
        ({"spec/limits": {"nodes": "0"}}, {"spec/limits": {"nodes": "0"}, "spec/weight": 5}, False),
        ({"spec/limits": {"nodes": "0"}}, {"spec/limits": {"nodes": "1"}}, False),
        ({}, {"spec/weight": 5}, False),
    ],
)
def test_only_an_edit_that_retires_a_pool_says_so(before: Body, after: Body, *, retires: bool) -> None:
    old, new = ([edited(POOL, changes), CLASS] for changes in (before, after))
    change = pool_between(old, new)
    assert (change.replaced, change.reason.startswith("it is being retired: ")) == ("none", retires), change.reason


def test_what_leaves_the_running_nodes_of_a_pool_that_stays_is_listed() -> None:
    """Before any of them is replaced."""
    runs = agent("nvidia-device-plugin", nodeSelector={NODEPOOL: "p"})
    assert pool_between([POOL, CLASS, runs], [POOL, CLASS]).stops == (
        f"DaemonSet/gpu/nvidia-device-plugin: {UNADVERTISED}",
    )
    elsewhere = agent("nvidia-device-plugin", nodeSelector={NODEPOOL: "other"})
    assert len(pool_between([POOL, CLASS, runs], [POOL, CLASS, elsewhere]).stops) == 1


def test_what_takes_over_stops_nothing() -> None:
    one, other = (agent(name, nodeSelector={NODEPOOL: "p"}) for name in ("dcgm-exporter", "dcgm-exporter-profiling"))
    assert pool_between([POOL, CLASS, one], [POOL, CLASS, other]).stops == ()


RDMA, MANAGED = "feature.node.kubernetes.io/pci-15b3.present", "kubernetes.azure.com/dcgm-exporter"
H100 = edited(HELD, {"spec/vmSize": "Standard_ND96isr_H100_v5"})
OF_AKS = edited(HELD, {"spec/gpuProfile": {"nvidia": {"managementMode": "Managed"}}})


@for_each(
    ("pool", "name", "rules", "stopped"),
    [
        (POOL, "dcgm-exporter", [("team", "In", "ml")], True),
        (POOL, "dcgm-exporter", [("team", "In", "web")], False),
        (POOL, "dcgm-exporter", [("team", "Exists")], True),
        (POOL, "dcgm-exporter", [("other", "Exists")], False),
        (POOL, "dcgm-exporter", [("team", "DoesNotExist")], False),
        (POOL, "dcgm-exporter", [("other", "DoesNotExist")], True),
        (POOL, "dcgm-exporter", [("team", "In", "ml"), ("other", "In", "a")], False),
        (POOL, "dcgm-exporter", [("team", "In", "ml"), (NODEPOOL, "NotIn", "p")], False),
        (POOL, "dcgm-exporter", [("team", "In", "ml"), (NODEPOOL, "NotIn", "q")], True),
        (POOL, "dcgm-exporter", [("node.kubernetes.io/instance-type", "NotIn", "Standard_NC4as_T4_v3")], True),
        (POOL, "dcgm-exporter", [("node.kubernetes.io/instance-type", "In", "Standard_NC64as_T4_v3")], False),
        (HELD, "dcgm-exporter", [("node.kubernetes.io/instance-type", "NotIn", "Standard_NC4as_T4_v3")], False),
        (HELD, "dcgm-exporter", [(MANAGED, "NotIn", "enabled")], True),
        (OF_AKS, "dcgm-exporter", [(MANAGED, "NotIn", "enabled")], False),
        (HELD, "nvidia-peermem", [(RDMA, "In", "true")], False),
        (H100, "nvidia-peermem", [(RDMA, "In", "true")], True),
        (HELD, "amdgpu-driver", [("feature.node.kubernetes.io/amd-vgpu", "In", "true")], False),
    ],
)
def test_running_nodes_are_selected_by_their_labels(
    pool: Body, name: str, rules: list[tuple[str, ...]], *, stopped: bool
) -> None:
    runs = agent(name, affinity=chosen(NODEPOOL))
    terms = [{"matchExpressions": [expression(*rule) for rule in rules]}]
    edit = {f"spec/template/spec/affinity/nodeAffinity/{REQUIRED}": terms}
    change = pool_between([pool, CLASS, STAY, edited(runs, edit)], [pool, CLASS, STAY], pool["metadata"]["name"])
    assert bool(change.stops) is stopped


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"


def test_daemon_sets_of_one_software_take_over_from_each_other() -> None:
    """By the names of pools, by labels, or one for each pool: the nodes have the same software before and after."""
    plugin = "nvidia-device-plugin"
    by_name = agent(plugin, affinity=chosen(NODEPOOL, "p", "q"))
    by_label = agent(plugin, affinity=chosen("team", "ml"))
    of_others = agent(plugin, affinity=chosen("team", "web"))
    of_pool = agent(f"{plugin}-pool-p", affinity=chosen(NODEPOOL, "p"))
    for before, after, stops in (
        ([by_name], [by_label], 0),
        ([by_label], [by_name], 0),
        ([by_name], [of_others, of_pool], 0),
        ([of_others, of_pool], [by_name], 0),
        ([of_others, of_pool], [of_others], 1),
        ([by_name], [of_others], 1),
        ([of_pool], [agent("nvidia-mps-control-daemon-pool-p", affinity=chosen(NODEPOOL, "p"))], 1),
    ):
        change = pool_between([POOL, CLASS, *before], [POOL, CLASS, *after])
        assert len(change.stops) == stops


@for_each("name", ["node-feature-discovery", "fleet-one.node-feature-discovery"])
def test_discovery_that_another_release_installs_does_not_stop(name: str) -> None:
    """Another pool brings or takes away an operator, or the fleet selects nodes by labels from now on."""
    worker = {"worker": {"affinity": chosen(NODEPOOL, "p")}}
    included = release("network-operator", {"node-feature-discovery": worker})
    without, own = release("network-operator", {"nfd": {"enabled": False}}), release(name, worker)
    assert pool_between([POOL, CLASS, included], [POOL, CLASS, without, own]).stops == ()
    [unseen] = pool_between([POOL, CLASS, own], [POOL, CLASS, release(name, {"worker": {"enable": False}})]).stops
    assert unseen.endswith("Node Feature Discovery no longer runs on them: they keep the labels that they have")


def release(name: str, values: Body) -> Body:
    meta = {"name": name, "namespace": "flux-system"}
    return {"kind": "HelmRelease", "apiVersion": "v1", "metadata": meta, "spec": {"values": values}}


def expression(key: str, operator: str, *values: str) -> Body:
    """An expression of an affinity."""
    return {"key": key, "operator": operator, "values": list(values)}


NOT_MANAGED = expression(MANAGED, "NotIn", "enabled")


@for_each(
    ("before", "after", "name", "expressions", "second"),
    [
        ("true", None, "nvidia-device-plugin", [expression(NODEPOOL, "In", "p")], True),
        ("True", "false", "nvidia-device-plugin", [expression(NODEPOOL, "In", "p")], True),
        ("true", None, "nvidia-device-plugin", [expression("team", "In", "ml")], True),
        (
            "true",
            None,
            "nvidia-device-plugin",
            [expression("team", "In", "ml"), expression(NODEPOOL, "NotIn", "q")],
            True,
        ),
        (
            "true",
            None,
            "nvidia-device-plugin",
            [expression("team", "In", "ml"), expression(NODEPOOL, "NotIn", "p")],
            False,
        ),
        ("true", None, "nvidia-device-plugin", [expression("team", "In", "web")], False),
        ("true", None, "nvidia-device-plugin", [expression(NODEPOOL, "In", "q")], False),
        ("true", None, "nvidia-device-plugin", [expression(NODEPOOL, "Exists")], True),
        ("true", None, "nvidia-device-plugin-pool-p", [expression(NODEPOOL, "In", "p")], True),
        ("true", None, "nvidia-device-plugin", [expression("team", "In", "ml"), NOT_MANAGED], False),
        ("true", None, "dcgm-exporter", [expression(NODEPOOL, "In", "p")], False),
        ("true", "true", "nvidia-device-plugin", [expression(NODEPOOL, "In", "p")], False),
        (None, None, "nvidia-device-plugin", [expression(NODEPOOL, "In", "p")], False),
    ],
)
def test_running_nodes_that_aks_managed_get_a_second_device_plugin(
    before: str | None, after: str | None, name: str, expressions: list[Body], *, second: bool
) -> None:
    def node_class(tag: str | None) -> Body:
        return edited(CLASS, {"spec/tags": {"EnableManagedGPUExperience": tag} if tag else {}})

    affinity = chosen(NODEPOOL)
    affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] = [
        {"matchExpressions": expressions}
    ]
    plugin = edited(agent(affinity=affinity), {"metadata/name": name})
    change = pool_between([POOL, node_class(before), STAY], [POOL, node_class(after), STAY, plugin])
    assert ("get a second one" in change.reason) is second


@pytest.mark.parametrize("opted_out", [True, False])
def test_an_operator_is_missed_only_where_its_software_runs(opted_out: bool) -> None:
    """Node Feature Discovery may also run on nodes whose label keeps the operator's software away."""
    own = edited(
        POOL, {"spec/template/metadata/labels": {"nvidia.com/gpu.deploy.operands": "false"} if opted_out else {}}
    )
    operator, discovery = (
        {
            "apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease",
            "metadata": {"name": name, "namespace": "flux-system"},
            "spec": {"values": values},
        }
        for name, values in (
            ("gpu-operator", {}),
            ("node-feature-discovery", {"worker": {"affinity": chosen(NODEPOOL, "p")}}),
        )
    )
    stops = pool_between([own, CLASS, operator, discovery], [own, CLASS]).stops
    assert any("gpu-operator: the chart is uninstalled" in line for line in stops) is not opted_out
