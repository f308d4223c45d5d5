"""Software that selects single pools: a pool that is added or removed changes nothing for the nodes of the others."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit.manifest import Role
from gitgpu.model.software.names import daemon_of
from tests.emit.fleets import CLUSTER_ID, H100, MI300X, T4, Body, Emitted, cluster, emitted, fleet, pool, selects
from tests.helping.cases import for_each

ND = "Standard_ND96isr_H100_v5"
OUR_NICS = "feature.node.kubernetes.io/gitgpu-infiniband"
FIXED: Body = {"provisioner": "fixed", "nodes": {"min": 1, "max": 1}}
TAINTED: Body = {"taints": [{"key": "team", "value": "a", "effect": "NoSchedule"}]}
KINDS: Mapping[str, Body] = {
    "aks": {},
    "aks-tainted": TAINTED,
    "aks-without-label": {"operatorOptOut": False},
    "aks-rdma": {"sku": ND, "rdma": "shared", **FIXED},
    "aks-rdma-tainted": {"sku": ND, "rdma": "shared", **TAINTED},
    "aks-rdma-without-label": {"sku": ND, "rdma": "shared", "operatorOptOut": False},
    "aks-infiniband": {"sku": ND},
    "aks-rdma-managed": {"sku": ND, "rdma": "managed", **FIXED},
    "managed": {"driver": "managed"},
    "none": {"driver": "none"},
    "none-tainted": {"driver": "none", **TAINTED},
    "operator": {"driver": "operator", "image": {"family": "Ubuntu2204"}},
    "operator-h100": {"driver": "operator", "sku": H100, **TAINTED},
    "operator-rdma": {"driver": "operator", "sku": ND, "rdma": "shared", **FIXED},
    "operator-infiniband": {"driver": "operator", "sku": ND},
    "amd": {"sku": MI300X, "driver": "none", "devicePlugin": True},
    "amd-tainted": {"sku": MI300X, "driver": "none", "devicePlugin": True, **TAINTED, **FIXED},
    "amd-left": {"sku": MI300X, "driver": "none"},
    "amd-operator": {"sku": MI300X, "driver": "operator"},
    "amd-operator-tainted": {"sku": MI300X, "driver": "operator", **TAINTED, **FIXED},
    "amd-operator-rdma": {"sku": MI300X, "driver": "operator", "rdma": "shared", **FIXED},
}
OURS = ("amd-device-plugin", "amdgpu-driver", "gpu-problem-detector", "nvidia-peermem")
POLICIES = ("NicClusterPolicy", "DeviceConfig")
# Node Feature Discovery also runs on these pools, and their sizes have InfiniBand NICs.
EXCLUDED = {"operator-infiniband", "amd-operator", "amd-operator-tainted"}


def built(kinds: Mapping[str, str], selection: str = "labels") -> Emitted:
    """A cluster with pools of these kinds, by the names of the pools."""
    own = cluster(resourceId=CLUSTER_ID, stack={"nodeSelection": selection, "health": "npd"})
    specs = ((name, dict(KINDS[kind])) for name, kind in kinds.items())
    return emitted(fleet(), own, *(pool(name, spec.pop("sku", T4), **spec) for name, spec in specs))


def software(output: Emitted) -> dict[tuple[str, str], Any]:
    """The pod templates of gitgpu's DaemonSets for single pools, and the specs of the policies of operators."""
    bodies = [manifest.body for manifest in output.manifests if manifest.role is Role.RESOURCE]
    parts: dict[tuple[str, str], Any] = {}
    for body in bodies:
        name = body["metadata"]["name"]
        if body["kind"] == "DaemonSet" and name.startswith(OURS):
            parts["DaemonSet", name] = body["spec"]["template"]
        if body["kind"] in POLICIES:
            parts[body["kind"], name] = body["spec"]
    return parts


def fit(kinds: Sequence[str]) -> bool:
    """Whether one cluster can have these pools: all its AMD pools have the same owner of their software."""
    drivers = {KINDS[kind]["driver"] for kind in kinds if kind.startswith("amd")}
    return len(drivers) < 2


SEVERAL = st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4).filter(fit)


def test_a_further_pool_changes_nothing_of_another_pool() -> None:
    """For every pair of kinds, whether the further pool is added or removed."""
    names = {kind: f"pool{at}" for at, kind in enumerate(KINDS)}
    alone = {kind: software(built({name: kind})) for kind, name in names.items()}
    changes: dict[str, set[str]] = {}
    for pair in filter(fit, combinations_with_replacement(KINDS, 2)):
        together = software(built({"more": pair[1], **{names[kind]: kind for kind in pair}}))
        for own, further in {pair, pair[::-1]}:
            for kind, name in (key for key, part in alone[own].items() if together.get(key) != part):
                changes.setdefault(further, set()).add(f"{kind} {name}")
    assert changes == {kind: {"NicClusterPolicy nic-cluster-policy"} for kind in EXCLUDED}


@given(SEVERAL)
def test_daemon_sets_run_on_the_nodes_that_the_names_of_the_pools_select(kinds: list[str]) -> None:
    named = {f"pool{at}": kind for at, kind in enumerate(kinds)}
    by_name, by_label = built(named, "pools"), built(named)
    for part in OURS:
        assert places(by_label, part) == places(by_name, part)


def places(output: Emitted, part: str) -> list[str]:
    """The pools of the DaemonSets of a part. Asserts that none is there twice."""
    bodies = [body for body in output.every("DaemonSet") if body["metadata"]["name"].startswith(part)]
    terms = [term for body in bodies for term in terms_of(body)]
    found = [name for term in terms for name in term["matchExpressions"][0]["values"]]
    assert len(set(found)) == len(found)
    return sorted(found)


@given(SEVERAL)
def test_the_policy_selects_the_nodes_that_the_names_of_the_pools_select(kinds: list[str]) -> None:
    named = {f"pool{at}": kind for at, kind in enumerate(kinds)}
    by_name, by_label = (built(named, way).every("NicClusterPolicy") for way in ("pools", "labels"))
    assert len(by_name) == len(by_label)
    for old, new in zip(by_name, by_label, strict=True):
        for name, kind in named.items():
            labels = node_labels(name, KINDS[kind])
            assert chosen(new, labels) is chosen(old, labels), name


def terms_of(body: Body) -> list[Body]:
    """The terms for the nodes of a DaemonSet, each with the names of pools alone."""
    affinity = body["spec"]["template"]["spec"]["affinity"]["nodeAffinity"]
    terms: list[Body] = affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert all(len(term["matchExpressions"]) == 1 for term in terms)
    return terms


def node_labels(name: str, spec: Body) -> dict[str, str]:
    """The labels of a node of the pool, with those that Node Feature Discovery sets where gitgpu runs its worker."""
    key = "kubernetes.azure.com/agentpool" if "provisioner" in spec else "karpenter.sh/nodepool"
    labels = {key: name}
    if spec.get("driver") == "operator" or spec.get("rdma") == "shared":
        labels |= dict.fromkeys(("feature.node.kubernetes.io/pci-15b3.present", OUR_NICS), "true")
    return labels if spec.get("sku") in (ND, MI300X) else {key: name}


def chosen(policy: Body, labels: Mapping[str, str]) -> bool:
    """Whether the policy is for nodes with these labels."""
    return selects({"nodeAffinity": policy["spec"]["nodeAffinity"]}, labels)


def test_a_node_outside_the_fleet_gets_no_driver() -> None:
    """Another Node Feature Discovery labels it by its hardware, as the ones of the operators do."""
    output = built({"own": "operator-rdma", "amd": "amd-operator"})
    labels = {"feature.node.kubernetes.io/pci-15b3.present": "true", "feature.node.kubernetes.io/amd-vgpu": "true"}
    [policy] = output.every("NicClusterPolicy")
    assert not chosen(policy, {**labels, "karpenter.sh/nodepool": "elsewhere"})
    assert chosen(policy, {**labels, OUR_NICS: "true", "kubernetes.azure.com/agentpool": "own"})
    for body in output.every("DaemonSet"):
        assert not selects(
            body["spec"]["template"]["spec"]["affinity"], {**labels, "karpenter.sh/nodepool": "elsewhere"}
        )


def test_the_policy_selects_by_a_label_that_the_rule_of_the_fleet_sets() -> None:
    assert OUR_NICS in str(built({"own": "operator-rdma"}).discovery())
    assert OUR_NICS not in str(built({"own": "operator-rdma"}, "pools").discovery())


def test_selectors_never_match_the_pods_of_two_daemon_sets() -> None:
    named = {f"pool{at}": kind for at, kind in enumerate(("amd", "amd-tainted", "none", "operator", "aks-rdma"))}
    bodies = [*built(named).every("DaemonSet"), *built(named, "pools").every("DaemonSet")]
    pods = {str(body["metadata"]): body["spec"]["template"]["metadata"]["labels"] for body in bodies}
    for body in bodies:
        wanted = body["spec"]["selector"]["matchLabels"].items()
        assert [meta for meta, labels in pods.items() if wanted <= labels.items()] == [str(body["metadata"])]


def test_a_new_plugin_starts_only_when_the_old_one_has_ended() -> None:
    """The kubelet takes the end of the old one for that of the new one, which does not register again."""
    [before], [after] = (built({"own": "amd"}, way).every("DaemonSet") for way in ("pools", "labels"))
    [term] = after["spec"]["template"]["spec"]["affinity"]["podAntiAffinity"][
        "requiredDuringSchedulingIgnoredDuringExecution"
    ]
    assert term == {
        "labelSelector": {"matchLabels": before["spec"]["template"]["metadata"]["labels"]},
        "topologyKey": "kubernetes.io/hostname",
    }
    assert before["metadata"]["namespace"] == after["metadata"]["namespace"]
    assert term["labelSelector"]["matchLabels"] != after["spec"]["template"]["metadata"]["labels"]


@for_each("part", OURS)
def test_every_taint_is_tolerated(part: str) -> None:
    outputs = [built({"one": amd, "own": "none", "rdma": "aks-rdma"}) for amd in ("amd", "amd-operator")]
    every = [body for output in outputs for body in output.every("DaemonSet")]
    bodies = [body for body in every if body["metadata"]["name"].startswith(part)]
    assert bodies
    for body in bodies:
        assert body["spec"]["template"]["spec"]["tolerations"] == [{"operator": "Exists"}]


def test_the_names_of_long_pools_are_accepted() -> None:
    name = "a" * 57  # the longest that Karpenter accepts
    [body] = built({name: "amd"}).every("DaemonSet")
    assert len(body["metadata"]["name"]) <= 253
    assert all(len(value) <= 63 for value in body["spec"]["template"]["metadata"]["labels"].values())


def test_every_daemon_set_is_known_by_its_software() -> None:
    """What `plan` and `build` say about it depends on that."""
    named = {f"pool{at}": kind for at, kind in enumerate(("amd", "aks-rdma", "none", "aks-without-label"))}
    names = [body["metadata"]["name"] for way in ("pools", "labels") for body in built(named, way).every("DaemonSet")]
    assert [name for name in names if not daemon_of(name)] == []
    assert {daemon_of(name) for name in names} >= {"amd-device-plugin", "gpu-problem-detector", "nvidia-peermem"}
