"""Properties of the simulation, on small random clusters."""

from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitgpu.simulate.forecast import Forecast, Verdict
from tests.simulate.worlds import (
    A100,
    A100X2,
    A100X4,
    CLASS,
    COUNT,
    GPU,
    H100X8,
    T4,
    Body,
    deployment,
    forecast,
    pool,
    wants,
)

SIZES = [A100, A100X2, A100X4, H100X8, T4]
calm = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def pools(draw: Any, name: str) -> Body:
    """A NodePool of equal weight."""
    sizes = draw(st.lists(st.sampled_from(SIZES), min_size=1, max_size=3, unique=True))
    labels = draw(st.sampled_from([{}, {"team": "ml"}, {"team": "web"}]))
    limits = draw(st.sampled_from([{}, {GPU: "4"}, {GPU: "16"}, {"nodes": "2"}]))
    taints = draw(st.sampled_from([{}, {"taints": []}]))
    return pool(name, *sizes, labels=labels, **({"limits": limits} if limits else {}), **taints)


@st.composite
def works(draw: Any, name: str) -> Body:
    """A Deployment."""
    more: Body = {}
    if draw(st.booleans()):
        more["nodeSelector"] = {"team": draw(st.sampled_from(["ml", "web", "other"]))}
    if draw(st.booleans()):
        more["tolerations"] = []
    if draw(st.booleans()):
        term = [wants(COUNT, "Gt", draw(st.sampled_from(["0", "1", "4"])))]
        required = {"nodeSelectorTerms": [{"matchExpressions": term}]}
        more["affinity"] = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    memory = draw(st.sampled_from(["1Gi", "100Gi", "195Gi", "500Gi"]))
    gpus, replicas = draw(st.sampled_from([1, 2, 8])), draw(st.integers(1, 5))
    return deployment(name, replicas, gpus=gpus, requests={"memory": memory}, **more)


def clusters(pool_count: int = 3, work_count: int = 3) -> Any:
    """Some pools and some workloads."""
    return st.tuples(
        st.tuples(*(pools(f"p{at}") for at in range(pool_count))),
        st.tuples(*(works(f"w{at}") for at in range(work_count))),
    )


def reported(result: Forecast) -> list[tuple[object, ...]]:
    """A forecast without places."""
    plain = (verdict._replace(place=None, reasons=(), number=None) for verdict in result.verdicts)  # type: ignore[arg-type]
    return [
        (*bare, [(reason.pool, reason.message) for reason in real.reasons])
        for bare, real in zip(plain, result.verdicts, strict=True)
    ]


@calm
@given(clusters(), st.randoms(use_true_random=False))
def test_the_order_of_documents_has_no_effect(cluster: Any, random: Any) -> None:
    documents = [CLASS, *cluster[0], *cluster[1]]
    shuffled = random.sample(documents, len(documents))
    first, other = forecast(*documents), forecast(*shuffled)
    assert reported(first) == reported(other)
    assert (first.low, first.high) == (other.low, other.high)


@calm
@given(clusters(2, 1), pools("p9"))
def test_another_pool_never_takes_a_node_away(cluster: Any, more: Body) -> None:
    """At equal weights, and with a single workload, so that no other workload can take the new nodes."""
    before = forecast(CLASS, *cluster[0], *cluster[1]).verdicts[0]
    after = forecast(CLASS, *cluster[0], more, *cluster[1]).verdicts[0]
    assert after.high.placed >= before.high.placed


@calm
@given(clusters())
def test_no_node_is_overbooked_and_no_limit_exceeded(cluster: Any) -> None:
    result = forecast(CLASS, *cluster[0], *cluster[1])
    limits = {body["metadata"]["name"]: body["spec"].get("limits", {}) for body in cluster[0]}
    for node in result.high:
        assert sum(share.slots for share in node.shares) <= node.slots
    for name, limit in limits.items():
        mine = [node for node in result.high if node.pool == name]
        assert sum(node.gpus for node in mine) <= int(limit.get(GPU, 10**6))
        most = int(limit.get("nodes", 10**6))
        sure = {verdict.number for verdict in result.verdicts if verdict.certain}
        assert len(mine) <= most or not any(share.workload in sure for node in mine for share in node.shares)


@calm
@given(clusters())
def test_the_cost_is_the_sum_of_the_nodes(cluster: Any) -> None:
    result = forecast(CLASS, *cluster[0], *cluster[1])
    shares: Decimal = sum(
        (Decimal(str(verdict.high.price)) for verdict in result.verdicts if verdict.high.price is not None), Decimal(0)
    )
    nodes: Decimal = sum((Decimal(str(node.price)) for node in result.high if node.price is not None), Decimal(0))
    assert abs(shares - nodes) < Decimal("0.01")


def easier(workload: Body, verdict: Verdict, nodes: list[Body]) -> tuple[Body, list[Body]]:
    """The cluster without the obstacle that the first reason names."""
    reason = verdict.reasons[0]
    spec = workload["spec"]["template"]["spec"]
    body = next(node for node in nodes if node["metadata"]["name"] == reason.pool)
    if reason.kind == "taint":
        spec = {**spec, "tolerations": [{"operator": "Exists"}]}
    elif reason.kind in ("label", "size"):
        spec = {key: value for key, value in spec.items() if key not in ("nodeSelector", "affinity")}
    elif reason.kind == "resource":
        spec = {**spec, "containers": [{"name": "main", "image": "x", "resources": {"limits": {GPU: "1"}}}]}
    elif reason.kind == "limit":
        body = {**body, "spec": {key: value for key, value in body["spec"].items() if key != "limits"}}
    template = {**workload["spec"]["template"], "spec": spec}
    changed = [body if node["metadata"]["name"] == reason.pool else node for node in nodes]
    return {**workload, "spec": {**workload["spec"], "template": template}}, changed


@calm
@given(clusters(3, 1))
def test_removing_a_reason_leads_to_the_next_reason_or_to_a_node(cluster: Any) -> None:
    nodes, (workload,) = list(cluster[0]), cluster[1]
    seen: list[tuple[str, str, str]] = []
    for _ in range(12):
        verdict = forecast(CLASS, *nodes, workload).verdicts[0]
        if verdict.verdict == "schedulable":
            return
        assert {reason.pool for reason in verdict.reasons} == {node["metadata"]["name"] for node in nodes}
        first = verdict.reasons[0]
        assert (first.pool, first.kind, first.message) not in seen
        seen.append((first.pool, first.kind, first.message))
        workload, nodes = easier(workload, verdict, nodes)
    raise AssertionError(seen)
