"""Where Karpenter releases decide differently: as of 1.14.3, minValues counts only values that the pod allows."""

from tests.helping.cases import for_each
from tests.simulate.worlds import A100, T4, ZONE, deployment, nodes, only, pool, wants

ZONES = ("eastus-1", "eastus-2", "eastus-3")
CAPACITY = "karpenter.sh/capacity-type"
POOL = pool("a100", A100, more=(wants(CAPACITY, "In", "spot", "on-demand", least=2),))
ON_DEMAND = deployment("w", nodeSelector={CAPACITY: "on-demand"})
SINCE = (
    "so with Karpenter {}; with {}, minValues counts only values that the pod allows: no node "
    "(a100: minValues requires 2 values of karpenter.sh/capacity-type, but the pod allows only on-demand)"
)


def running(*releases: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A cluster that runs one of these releases."""
    return (("karpenter", releases),)


@for_each(
    ("release", "verdict"),
    [
        ("1.12.1", "schedulable"),
        ("1.14.0", "schedulable"),
        ("1.14.2", "schedulable"),
        ("1.14.3", "unschedulable"),
        ("1.15", "unschedulable"),
        ("1.99", "unschedulable"),
    ],
)
def test_min_values_counts_only_values_that_the_pod_allows_since_1_14_3(release: str, verdict: str) -> None:
    result = only(POOL, ON_DEMAND, versions=running(release))
    assert (result.verdict, result.certain) == (verdict, True)
    assert [(reason.kind, reason.pool) for reason in result.reasons] == [("minValues", "a100")] * (verdict[0] == "u")


def test_a_pod_that_leaves_enough_values_gets_a_node() -> None:
    zones = pool("a100", A100, more=(wants(ZONE, "In", *ZONES, least=2),))
    pods = deployment("w", affinity={"nodeAffinity": _required(wants(ZONE, "In", *ZONES[:2]))})
    assert only(zones, pods, versions=running("1.15")).verdict == "schedulable"


def test_another_pool_takes_the_pod() -> None:
    other = pool("a0", T4)
    assert only(POOL, other, ON_DEMAND, versions=running("1.14.0")).pools == ("a100",)
    assert only(POOL, other, ON_DEMAND, versions=running("1.15.0")).pools == ("a0",)


def test_a_second_pod_does_not_join_a_node_that_it_would_narrow() -> None:
    """The first pod leaves two zones, both pods together leave one."""
    two = (wants(ZONE, "In", *ZONES, least=2), wants("karpenter.azure.com/sku-gpu-count", "Gt", "1"))
    several = pool("t4", "Standard_NC64as_T4_v3", more=two)
    first = deployment("a", affinity={"nodeAffinity": _required(wants(ZONE, "In", *ZONES[:2]))})
    second = deployment("b", affinity={"nodeAffinity": _required(wants(ZONE, "In", *ZONES[1:]))})
    for release, number in (("1.14.0", 1), ("1.15.0", 2)):
        assert len(nodes(several, first, second, versions=running(release))) == number


def test_a_release_that_is_not_known_is_a_doubt_that_names_both() -> None:
    result = only(POOL, ON_DEMAND, versions=running("1.14"))
    assert (result.verdict, result.certain) == ("schedulable", False)
    assert [doubt.message for doubt in result.doubts] == [SINCE.format("1.14.0 and 1.14.2", "1.14.3")]


def test_what_aks_runs_may_be_newer_than_what_is_known() -> None:
    result = only(POOL, ON_DEMAND)
    assert [doubt.message for doubt in result.doubts] == [SINCE.format("1.14.0 and 1.14.2", "1.14.3 and 1.15.0")]
    assert only(pool("a100", A100), ON_DEMAND).certain
    assert only(POOL, deployment("w")).certain


def _required(*expressions: object) -> dict[str, object]:
    terms = {"nodeSelectorTerms": [{"matchExpressions": list(expressions)}]}
    return {"requiredDuringSchedulingIgnoredDuringExecution": terms}
