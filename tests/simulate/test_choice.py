"""Which pool, which size and how many nodes are chosen: cases from Karpenter's own tests."""

import pytest

from tests.helping.cases import for_each
from tests.simulate.worlds import (
    A100,
    A100X2,
    A100X4,
    COUNT,
    GPU,
    H100X8,
    POOL,
    T4,
    T4X4,
    TAINT,
    ZONE,
    Body,
    daemon,
    deployment,
    nodes,
    only,
    pool,
    verdicts,
    wants,
)

SOFT = {**TAINT, "effect": "PreferNoSchedule"}


def test_one_pod_gets_the_cheapest_size_that_holds_it() -> None:
    result = only(pool("any", A100X4, A100, A100X2), deployment("w"))
    assert (result.verdict, result.pools, result.skus) == ("schedulable", ("any",), (A100,))
    assert result.high.price == 3.673


def test_a_gpu_pod_without_constraints_gets_the_cheapest_gpu_of_the_region() -> None:
    any_gpu = pool("any", more=(wants(COUNT, "Gt", "0"),))
    cheapest = {
        "eastus": "Standard_NV6ads_A10_v5",
        "swedencentral": "Standard_NC4as_T4_v3",
        "westus2": "Standard_NV6ads_A10_v5",
    }
    assert {region: only(any_gpu, deployment("w"), region=region).skus[0] for region in cheapest} == cheapest


def test_pods_that_fit_together_share_a_node_as_large_as_they_need() -> None:
    """Karpenter adds pods to an open node as long as any size holds all of them, at whatever price."""
    assert nodes(pool("a", A100, A100X2, A100X4), deployment("w", 3)) == [A100X4]
    assert nodes(pool("a", A100, A100X2, A100X4), deployment("w", 6)) == [A100X2, A100X4]
    assert nodes(pool("a", A100), deployment("w", 3)) == [A100] * 3


def test_large_pods_are_placed_first_and_small_ones_fill_the_gaps() -> None:
    by_name = verdicts(
        pool("h", H100X8),
        deployment("large", 2, gpus=5, requests={"cpu": "40"}),
        deployment("small", 6, requests={"cpu": "1"}),
    )
    assert (by_name["large"].high.nodes, by_name["small"].high.nodes) == (2, 2)
    assert by_name["small"].high.idle == 0


def test_a_pool_with_more_weight_goes_before_a_cheaper_one() -> None:
    assert only(pool("cheap", T4), pool("dear", A100, weight=10), deployment("w")).pools == ("dear",)


def test_pools_of_equal_weight_are_tried_in_reverse_alphabetical_order() -> None:
    assert only(pool("a", T4), pool("z", A100), deployment("w")).pools == ("z",)
    assert only(pool("ab", A100), pool("a", T4), deployment("w")).pools == ("ab",)


def test_pods_without_room_in_one_pool_go_to_the_next() -> None:
    result = only(pool("a", A100), pool("z", A100, limits={GPU: "2"}), deployment("w", 3))
    assert (result.verdict, result.pools, result.high.nodes) == ("schedulable", ("a", "z"), 3)


def test_only_nodes_that_fit_a_limit_completely_are_started() -> None:
    assert only(pool("h", H100X8, limits={GPU: "7"}), deployment("w")).high.placed == 0
    result = only(pool("h", H100X8, limits={GPU: "12"}), deployment("w", 2, gpus=8))
    assert (result.verdict, result.high.placed, result.high.nodes) == ("unschedulable", 1, 1)


def test_limits_on_cpu_and_memory_count() -> None:
    for limits in ({"cpu": "40"}, {"memory": "400Gi"}):
        assert only(pool("a", A100, limits=limits), deployment("w", 2)).high.placed == 1, limits


def test_a_limit_of_nodes_does_not_hold_within_a_batch() -> None:
    """Karpenter counts nodes against the limit only once they exist, so a batch of pods can exceed it."""
    result = only(pool("a", A100, limits={"nodes": "1"}), deployment("w", 2))
    assert (result.verdict, result.certain, result.high.nodes) == ("schedulable", False, 2)
    assert [doubt.kind for doubt in result.doubts] == ["limit"]
    assert only(pool("a", A100, limits={"nodes": "2"}), deployment("w", 2)).certain
    assert only(pool("a", A100, limits={"nodes": "0"}), deployment("w", 2)).verdict == "unschedulable"


def test_a_limit_counts_the_actual_size_and_not_the_largest_possible_one() -> None:
    """A new node first counts as the largest size that it may become, and once it exists, as its actual size."""
    sizes = pool("a", A100, A100X4, limits={GPU: "5"})
    alone = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [apart("w")]}}
    result = only(sizes, deployment("w", 5, affinity=alone))
    assert (result.high.placed, result.skus) == (5, (A100,))


def apart(name: str) -> Body:
    """Anti-affinity to pods of that name on the same node."""
    return {"labelSelector": {"matchLabels": {"app": name}}, "topologyKey": "kubernetes.io/hostname"}


def test_pods_with_required_anti_affinity_are_not_on_one_node() -> None:
    rule = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [apart("w")]}}
    assert only(pool("h", H100X8), deployment("w", 3, affinity=rule)).high.nodes == 3


def test_preferred_anti_affinity_is_respected_as_long_as_possible() -> None:
    term = {"weight": 1, "podAffinityTerm": apart("w")}
    rule = {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [term]}}
    assert only(pool("h", H100X8), deployment("w", 3, affinity=rule)).high.nodes == 3
    result = only(pool("h", H100X8, limits={GPU: "16"}), deployment("w", 3, affinity=rule))
    assert (result.verdict, result.high.nodes) == ("schedulable", 2)


def test_two_pods_with_the_same_host_port_are_not_on_one_node() -> None:
    port = {"ports": [{"containerPort": 80, "hostPort": 8080}]}
    assert only(pool("h", H100X8), deployment("w", 2, main=port)).high.nodes == 2
    assert only(pool("h", H100X8), deployment("w", 2)).high.nodes == 1


def spread(key: str, skew: int = 1, **more: object) -> list[Body]:
    """A topology spread of the pods of workload w."""
    constraint = {"maxSkew": skew, "topologyKey": key, "labelSelector": {"matchLabels": {"app": "w"}}}
    return [{"whenUnsatisfiable": "DoNotSchedule", **constraint, **more}]


def test_pods_are_spread_over_nodes() -> None:
    for skew, expected in ((1, 4), (2, 2), (4, 1)):
        rule = spread("kubernetes.io/hostname", skew)
        assert only(pool("h", H100X8), deployment("w", 4, topologySpreadConstraints=rule)).high.nodes == expected


def zonal(*zones: str) -> tuple[Body, ...]:
    """A requirement that allows only these zones."""
    return (wants(ZONE, "In", *zones),)


def test_pods_are_spread_over_the_zones_that_all_pools_have() -> None:
    rule = spread(ZONE)
    only_zones = pool("a", A100, more=zonal("eastus-1", "eastus-2", "eastus-3"))
    result = only(only_zones, deployment("w", 6, topologySpreadConstraints=rule))
    assert (result.verdict, result.high.nodes, result.zones) == ("schedulable", 6, ("eastus-1", "eastus-2", "eastus-3"))


def test_zones_of_other_pools_and_no_zone_count_for_a_spread_that_no_pod_reaches() -> None:
    """The pool has two zones; the other has three, and nodes without a zone. These stay empty and limit the skew."""
    here, elsewhere = pool("a", A100, more=zonal("eastus-1", "eastus-2")), pool("b", T4, labels={"for": "others"})
    asked = {"topologySpreadConstraints": spread(ZONE), "nodeSelector": {POOL: "a"}}
    result = only(here, elsewhere, deployment("w", 6, **asked))
    assert (result.high.placed, result.reasons[0].kind) == (2, "spread")
    named = {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchExpressions": list(zonal("eastus-1", "eastus-2"))}]
            }
        }
    }
    assert only(here, elsewhere, deployment("w", 6, **asked, affinity=named)).verdict == "schedulable"


def test_a_spread_with_schedule_anyway_is_dropped() -> None:
    here, elsewhere = pool("a", A100, more=zonal("eastus-1")), pool("b", T4, labels={"for": "others"})
    rule = spread(ZONE, whenUnsatisfiable="ScheduleAnyway")
    result = only(here, elsewhere, deployment("w", 3, nodeSelector={POOL: "a"}, topologySpreadConstraints=rule))
    assert result.verdict == "schedulable"


def affinity(*terms: list[Body], preferred: tuple[tuple[int, Body], ...] = ()) -> Body:
    """Node affinity with required alternatives and weighted preferences."""
    required = {"nodeSelectorTerms": [{"matchExpressions": term} for term in terms]}
    soft = [{"weight": weight, "preference": {"matchExpressions": [expression]}} for weight, expression in preferred]
    rules: Body = {}
    if terms:
        rules["requiredDuringSchedulingIgnoredDuringExecution"] = required
    if soft:
        rules["preferredDuringSchedulingIgnoredDuringExecution"] = soft
    return {"nodeAffinity": rules}


def test_the_first_alternative_that_works_is_taken() -> None:
    both = affinity([wants(POOL, "In", "nowhere")], [wants(POOL, "In", "a")])
    assert only(pool("a", A100), deployment("w", affinity=both)).pools == ("a",)
    first = affinity([wants(POOL, "In", "a")], [wants(POOL, "In", "z")])
    assert only(pool("a", A100), pool("z", T4), deployment("w", affinity=first)).pools == ("a",)


def test_the_heaviest_preference_counts_until_it_cannot_be_met() -> None:
    soft = affinity(preferred=((1, wants(POOL, "In", "a")), (50, wants(POOL, "In", "z"))))
    assert only(pool("a", A100), pool("m", T4), pool("z", T4X4), deployment("w", affinity=soft)).pools == ("z",)
    assert only(pool("a", A100), pool("m", T4), deployment("w", affinity=soft)).pools == ("a",)
    assert only(pool("m", T4), deployment("w", affinity=soft)).pools == ("m",)


def test_a_prefer_no_schedule_taint_is_tolerated_last() -> None:
    gentle, plain = pool("z", A100, taints=[SOFT]), pool("a", A100, taints=[])
    assert only(gentle, plain, deployment("w", tolerations=[])).pools == ("a",)
    assert only(gentle, deployment("w", tolerations=[])).pools == ("z",)


def test_startup_taints_do_not_repel_pods() -> None:
    waits = pool("a", A100, taints=[], startupTaints=[{"key": "wait", "effect": "NoSchedule"}])
    assert only(waits, deployment("w", tolerations=[])).verdict == "schedulable"


def test_the_api_server_of_aks_tolerates_the_taint_that_is_named_like_the_resource() -> None:
    named = pool("a", A100, taints=[{"key": GPU, "value": "x", "effect": "NoSchedule"}])
    assert only(named, deployment("w", tolerations=[])).verdict == "schedulable"


@pytest.mark.parametrize(("memory", "placed"), [("150Gi", 1), ("192Gi", 0)])
def test_requests_of_daemonsets_are_subtracted_from_every_node(memory: str, placed: int) -> None:
    """A node has 191.6 GiB left, and 1 GiB less if a DaemonSet requests it."""
    assert only(pool("a", A100), deployment("w", requests={"memory": memory})).high.placed == placed
    tight = deployment("w", requests={"memory": "191Gi"})
    assert only(pool("a", A100), tight).high.placed == 1
    assert only(pool("a", A100), tight, daemon("d", {"memory": "1Gi"})).high.placed == 0
    assert only(pool("a", A100), tight, daemon("d", {"memory": "1Gi"}, tolerations=[])).high.placed == 1
    assert only(pool("a", A100), tight, daemon("d", {"memory": "1Gi"}, nodeSelector={"team": "other"})).high.placed == 1


def test_an_init_container_counts_if_it_requests_more_than_the_containers() -> None:
    first: Body = {"initContainers": [{"name": "i", "image": "x", "resources": {"requests": {"memory": "200Gi"}}}]}
    assert only(pool("a", A100), deployment("w", **first)).high.placed == 0
    assert only(pool("a", A100, A100X2), deployment("w", **first)).skus == (A100X2,)


def test_min_values_of_a_pool_are_respected() -> None:
    picky = (wants("karpenter.azure.com/sku-name", "In", A100, A100X2, least=2),)
    assert only(pool("a", more=picky), deployment("w")).verdict == "schedulable"
    result = only(pool("a", more=picky), deployment("w", gpus=2))
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "minValues")


@for_each(
    ("term", "sku"),
    [
        (wants(COUNT, "Gt", "1"), A100X2),
        (wants(COUNT, "Gt", "3"), A100X4),
        (wants(COUNT, "Lt", "2"), A100),
        (wants(COUNT, "In", "2", "4"), A100X2),
        (wants(COUNT, "NotIn", "1"), A100X2),
        (wants("karpenter.azure.com/sku-memory", "Gt", "300000"), A100X2),
        (wants("topology.kubernetes.io/region", "In", "eastus"), A100),
        (wants("kubernetes.azure.com/os-sku", "In", "Ubuntu"), A100),
        (wants("kubernetes.azure.com/fips_enabled", "DoesNotExist"), A100),
        (wants("beta.kubernetes.io/arch", "In", "amd64"), A100),
    ],
)
def test_labels_choose_the_size(term: Body, sku: str) -> None:
    result = only(pool("a", A100, A100X2, A100X4), deployment("w", affinity=affinity([term])))
    assert (result.verdict, result.skus) == ("schedulable", (sku,))


def test_spot_is_preferred_at_equal_price_and_costs_the_given_share() -> None:
    both = pool("a", A100, more=(wants("karpenter.sh/capacity-type", "In", "spot", "on-demand"),))
    result = only(both, deployment("w"))
    assert (result.spot, result.high.price, result.high.maximum) == (True, None, 3.673)
    assert only(both, deployment("w"), spot={A100: 0.5}).high.price == 0.5
    dear = only(both, deployment("w"), spot={A100: 5.0})
    assert (dear.spot, dear.high.price) == (False, 3.673)


def test_a_static_pool_has_exactly_its_nodes() -> None:
    result = only(pool("a", A100, replicas=2), deployment("w", 3))
    assert (result.high.placed, result.high.nodes, result.reasons[0].kind) == (2, 2, "limit")


def test_a_pod_without_a_gpu_is_skipped_unless_a_gpu_node_would_accept_it() -> None:
    plain = deployment("web", gpus=0, tolerations=[])
    assert verdicts(pool("a", A100), plain) == {}
    assert only(pool("a", A100, taints=[]), plain).pools == ("a",)


def _started(cpu: str, **more: str) -> Body:
    return {"name": f"i{cpu}", "image": "x", "resources": {"requests": {"cpu": cpu}}, **more}


@for_each(
    ("spec", "sku"),
    [
        ({"initContainers": [_started("20")]}, A100),
        ({"initContainers": [_started("10", restartPolicy="Always"), _started("20")]}, A100X2),
        ({"initContainers": [_started("20"), _started("10", restartPolicy="Always")]}, A100),
        ({"initContainers": [_started("20")], "overhead": {"cpu": "5"}}, A100X2),
        ({"resources": {"requests": {"cpu": "30"}}}, A100X2),
        ({"resources": {"limits": {"memory": "300Gi"}}}, A100X2),
    ],
)
def test_a_pod_requests_the_largest_sum_of_its_containers(spec: Body, sku: str) -> None:
    """The smallest size has 23660m of cpu and 191 GiB left."""
    assert only(pool("a", A100, A100X2), deployment("w", **spec)).skus == (sku,)
