"""Queues of Kueue: who is admitted, with which flavor, and what the others wait for."""

from collections.abc import Mapping
from typing import Any

import pytest

from gitgpu.simulate.forecast import Verdict
from tests.helping.cases import for_each
from tests.simulate.worlds import A100, CLASS, GPU, TAINT, Body, deployment, forecast, pod_spec, pool, verdicts

API = "kueue.x-k8s.io/v1beta2"
NODES = (CLASS, pool("a100", A100), pool("spare", A100))


def flavor(name: str = "a100", **spec: Any) -> Body:
    labels = {"karpenter.sh/nodepool": name}
    return {
        "apiVersion": API,
        "kind": "ResourceFlavor",
        "metadata": {"name": name},
        "spec": {"nodeLabels": labels, **spec},
    }


def queue(
    name: str, quota: int | Mapping[str, int], cohort: str = "", spec: Mapping[str, Any] = {}, **limits: Any
) -> tuple[Body, Body]:
    """A ClusterQueue for GPUs, and a LocalQueue with its name in namespace a."""
    quotas = {"a100": quota} if isinstance(quota, int) else quota
    flavors = [
        {"name": each, "resources": [{"name": GPU, "nominalQuota": amount, **limits}]}
        for each, amount in quotas.items()
    ]
    written: Body = {
        "namespaceSelector": {},
        "resourceGroups": [{"coveredResources": [GPU], "flavors": flavors}],
        **spec,
    }
    written |= {"cohortName": cohort} if cohort else {}
    own = {"apiVersion": API, "kind": "ClusterQueue", "metadata": {"name": name}, "spec": written}
    local = {"apiVersion": API, "kind": "LocalQueue", "metadata": {"name": name, "namespace": "a"}}
    return own, {**local, "spec": {"clusterQueue": name}}


def job(name: str, of: str, pods: int = 1, gpus: int = 1, priority: str = "", **spec: Any) -> Body:
    """A suspended Job, as Kueue creates them."""
    labels = {"kueue.x-k8s.io/queue-name": of} | ({"kueue.x-k8s.io/priority-class": priority} if priority else {})
    template = {"spec": {"restartPolicy": "Never", **pod_spec(gpus, **spec)}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "a", "labels": labels},
        "spec": {"suspend": True, "parallelism": pods, "completions": pods, "template": template},
    }


def placed(answers: dict[str, Verdict]) -> dict[str, int]:
    return {name.removeprefix("a/"): answer.high.placed for name, answer in answers.items()}


def test_jobs_start_until_the_quota_is_used_up() -> None:
    answers = verdicts(*NODES, flavor(), *queue("q", 3), job("one", "q", 2), job("three", "q"), job("two", "q", 2))
    assert placed(answers) == {"one": 2, "three": 1, "two": 0}
    [reason] = answers["two"].reasons
    assert reason.kind == "queue"
    assert "2 nvidia.com/gpu requested, 0 of 3 are left" in reason.message
    assert answers["one"].pools == ("a100",)


@pytest.mark.parametrize(("pods", "waits"), [(4, False), (2, True)])
def test_only_a_job_that_fits_while_nothing_runs_can_wait_for_others(pods: int, waits: bool) -> None:
    answers = verdicts(*NODES, flavor(), *queue("q", 3), job("one", "q", 2), job("two", "q", pods))
    [reason] = answers["two"].reasons
    assert ("wait until other workloads end" in reason.help, not answers["two"].certain) == (waits, waits)


def test_strict_fifo_lets_nobody_pass() -> None:
    strict = queue("q", 3, spec={"queueingStrategy": "StrictFIFO"})
    answers = verdicts(*NODES, flavor(), *strict, job("a", "q", 2), job("b", "q", 2), job("c", "q"))
    assert placed(answers) == {"a": 2, "b": 0, "c": 0}
    assert "StrictFIFO" in answers["c"].reasons[0].message


@pytest.mark.parametrize(("limits", "expected"), [({}, 4), ({"borrowingLimit": 1}, 3)])
def test_a_queue_borrows_in_its_cohort(limits: dict[str, Any], expected: int) -> None:
    answers = verdicts(*NODES, flavor(), *queue("q", 2, "all", **limits), *queue("r", 2, "all"), *jobs("q", 5))
    assert sum(placed(answers).values()) == expected


def test_a_queue_lends_up_to_its_limit() -> None:
    answers = verdicts(*NODES, flavor(), *queue("q", 2, "all"), *queue("r", 2, "all", lendingLimit=1), *jobs("q", 5))
    assert sum(placed(answers).values()) == 3


def test_own_quota_comes_before_borrowing() -> None:
    world = (*NODES, flavor(), *queue("q", 1, "all"), *queue("r", 1, "all"))
    answers = verdicts(*world, *jobs("q", 2), job("z", "r"))
    assert placed(answers) == {"q0": 1, "q1": 0, "z": 1}


def test_a_higher_priority_starts_first() -> None:
    urgent = {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": "urgent"}, "value": 10}
    answers = verdicts(*NODES, flavor(), *queue("q", 1), urgent, job("a", "q"), job("b", "q", priority="urgent"))
    assert placed(answers) == {"a": 0, "b": 1}


def test_the_order_of_equal_workloads_is_a_doubt() -> None:
    """Only the time of creation can say which of them starts."""
    answers = verdicts(*NODES, flavor(), *queue("q", 1), *jobs("q", 3), job("large", "q", 2))
    told = {name: order_doubts(answer) for name, answer in answers.items()}
    words = "may start it before Job q0: they have the same priority, and the input does not say which is older"
    assert told["q0"] == told["large"] == []
    assert [words in text for text in told["q1"]] == [True]


def test_a_known_order_is_not_a_doubt() -> None:
    first, last = jobs("q", 2)
    first["metadata"]["creationTimestamp"] = "2026-11-02T00:00:00Z"
    last["metadata"]["creationTimestamp"] = "2026-11-01T00:00:00Z"
    answers = verdicts(*NODES, flavor(), *queue("q", 1), first, last)
    assert placed(answers) == {"q0": 0, "q1": 1}
    assert order_doubts(answers["q0"]) == []
    urgent = {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": "urgent"}, "value": 10}
    answers = verdicts(*NODES, flavor(), *queue("q", 1), urgent, job("a", "q"), job("b", "q", priority="urgent"))
    assert order_doubts(answers["a"]) == []


def test_the_order_in_a_cohort_is_a_doubt_too() -> None:
    three = (*queue("q", 0, "all"), *queue("r", 0, "all"), *queue("s", 1, "all"), *queue("t", 1))
    answers = verdicts(*NODES, flavor(), *three, job("a", "q"), job("b", "r"), job("c", "t"))
    assert placed(answers) == {"a": 1, "b": 0, "c": 1}
    assert ["before Job a:" in text for text in order_doubts(answers["b"])] == [True]


def order_doubts(answer: Verdict) -> list[str]:
    return [doubt.message for doubt in answer.doubts if "may start it before" in doubt.message]


def test_the_next_flavor_is_tried() -> None:
    world = (*NODES, flavor(), flavor("spare"), *queue("q", {"a100": 1, "spare": 1}))
    answers = verdicts(*world, *jobs("q", 2))
    assert {name: answer.pools for name, answer in answers.items()} == {"q0": ("a100",), "q1": ("spare",)}


def test_a_flavor_that_does_not_match_is_skipped() -> None:
    tainted = flavor(nodeTaints=[{**TAINT, "key": "other"}])
    answers = verdicts(*NODES, tainted, flavor("spare"), *queue("q", {"a100": 1, "spare": 1}), job("a", "q"))
    assert answers["a"].pools == ("spare",)


def test_pods_of_a_deployment_start_one_by_one() -> None:
    queued = deployment("chat", 3)
    queued["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "q"}
    [answer] = verdicts(*NODES, flavor(), *queue("q", 2), queued).values()
    assert (answer.high.replicas, answer.high.placed) == (3, 2)


@pytest.mark.parametrize(("quota", "expected"), [(9, 5), (3, 3)])
def test_pods_that_an_autoscaler_adds_are_queued_too(quota: int, expected: int) -> None:
    """The Deployment says nothing about its replicas: the autoscaler does."""
    queued = deployment("chat", 1)
    queued["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "q"}
    scaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "chat", "namespace": queued["metadata"]["namespace"]},
        "spec": {
            "minReplicas": 1,
            "maxReplicas": 5,
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat"},
        },
    }
    [answer] = verdicts(*NODES, flavor(), *queue("q", quota), queued, scaler).values()
    assert (answer.high.replicas, answer.high.placed) == (5, expected)
    assert [reason.kind for reason in answer.reasons] == ["queue"] * (expected < 5)


def test_a_stopped_queue_admits_nothing() -> None:
    answers = verdicts(*NODES, flavor(), *queue("q", 2, spec={"stopPolicy": "Hold"}), job("a", "q"))
    assert (placed(answers), "ClusterQueue q is stopped" in answers["a"].reasons[0].message) == ({"a": 0}, True)


@for_each(
    ("selector", "labels", "expected"),
    [
        ({"matchLabels": {"team": "a"}}, {"team": "a"}, 1),
        ({"matchLabels": {"team": "a"}}, {"team": "b"}, 0),
        ({"matchLabels": {"team": "a"}}, {}, 0),
        ({"matchLabels": {"team": "a"}}, None, 1),  # other labels of a namespace are known only from its object
        ({"matchLabels": {"kubernetes.io/metadata.name": "b"}}, None, 0),
        (None, {}, 0),
    ],
)
def test_a_queue_admits_only_namespaces_that_it_selects(
    selector: Body | None, labels: Body | None, expected: int
) -> None:
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a", "labels": labels}}
    selecting = queue("q", 2, spec={"namespaceSelector": selector})
    answers = verdicts(*NODES, flavor(), *selecting, job("a", "q"), *([] if labels is None else [space]))
    assert placed(answers) == {"a": expected}
    assert ["select" in reason.message for reason in answers["a"].reasons] == [True] * (1 - expected)


@for_each(
    ("topologies", "annotated", "expected"),
    [
        (("a100",), False, "spare"),
        (("a100",), True, "a100"),
        (("a100", "spare"), False, "a100"),
        ((), True, ""),
    ],
)
def test_a_flavor_with_a_topology_is_for_pods_that_ask_for_one(
    topologies: tuple[str, ...], annotated: bool, expected: str
) -> None:
    """Unless all flavors of the queue have one."""
    both = [flavor(name, **({"topologyName": "hosts"} if name in topologies else {})) for name in ("a100", "spare")]
    queued = job("a", "q")
    if annotated:
        annotations = {"kueue.x-k8s.io/podset-preferred-topology": "kubernetes.io/hostname"}
        queued["spec"]["template"]["metadata"] = {"annotations": annotations}
    topology = {"apiVersion": API, "kind": "Topology", "metadata": {"name": "hosts"}}
    levels = {"spec": {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]}}
    answers = verdicts(*NODES, *both, topology | levels, *queue("q", {"a100": 1, "spare": 1}), queued)
    assert answers["a"].pools == ((expected,) if expected else ())


def test_a_queue_that_is_not_in_the_input_is_a_doubt() -> None:
    [answer] = verdicts(*NODES, flavor(), job("a", "q")).values()
    assert any("Kueue decides" in doubt.message for doubt in answer.doubts)
    assert not [reason for reason in answer.reasons if reason.kind == "queue"]


def team_uses(*objects: Body) -> dict[str, tuple[int, int | None, int | None, int | None]]:
    """The quota of each team, and what is used, borrowed and lent of it."""
    uses = forecast(*NODES, flavor(), *objects).teams
    return {use.team: (use.quota, use.used, use.borrowed, use.lent) for use in uses if use.resource == GPU}


def test_what_each_team_uses_borrows_and_lends() -> None:
    two = (*queue("q", 1, "all"), *queue("r", 1, "all"))
    assert team_uses(*two, *jobs("q", 2)) == {"q": (1, 2, 1, 0), "r": (1, 0, 0, 1)}
    assert team_uses(*two, *jobs("q", 1)) == {"q": (1, 1, 0, 0), "r": (1, 0, 0, 0)}
    assert team_uses(*queue("q", 1), *queue("r", 1), *jobs("q", 2)) == {"q": (1, 1, 0, 0), "r": (1, 0, 0, 0)}


def test_a_resource_that_a_team_can_have_nothing_of_is_omitted() -> None:
    """Kueue requires an entry for each resource of a group in each flavor."""
    nothing = queue("r", 0, "all", borrowingLimit=0)
    assert team_uses(*queue("q", 1, "all"), *nothing, *jobs("q", 1)) == {"q": (1, 1, 0, 0)}
    assert team_uses(*queue("q", 1, "all"), *queue("r", 0, "all", borrowingLimit=1), *jobs("q", 1))["r"] == (0, 0, 0, 0)


def test_which_of_several_teams_lends_is_not_known() -> None:
    three = (*queue("q", 1, "all"), *queue("r", 1, "all"), *queue("s", 1, "all"))
    assert team_uses(*three, *jobs("q", 2)) == {"q": (1, 2, 1, 0), "r": (1, 0, 0, None), "s": (1, 0, 0, None)}
    assert team_uses(*three, *jobs("q", 3)) == {"q": (1, 3, 2, 0), "r": (1, 0, 0, 1), "s": (1, 0, 0, 1)}


def test_a_team_has_the_part_of_the_price_that_its_workloads_have() -> None:
    answer = forecast(*NODES, flavor(), *queue("q", 2), *queue("r", 2), *jobs("q", 2), job("one", "r"))
    costs = {use.team: use.price.exact for use in answer.teams if use.resource == GPU}
    prices = [verdict.high.price or 0 for verdict in answer.verdicts]
    assert costs["q"]
    assert costs["r"]
    assert round(costs["q"] + costs["r"], 4) == round(sum(prices), 4)


def test_without_queues_there_are_no_teams() -> None:
    assert forecast(*NODES, deployment("chat", 1)).teams == ()


def jobs(of: str, number: int) -> tuple[Body, ...]:
    return tuple(job(f"{of}{index}", of) for index in range(number))
