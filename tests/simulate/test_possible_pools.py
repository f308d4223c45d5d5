"""The pools that could run a pod if limits and other pods are ignored: `gitgpu import` writes them to the spec."""

from gitgpu.objects.objects import Objects
from gitgpu.simulate import Setup, possible_pools
from gitgpu.simulate.admission import admit, rejection_norms
from tests.helping.cases import for_each
from tests.rules.objects.samples import shared_norms, somewhere
from tests.simulate.clusters import nodes_with
from tests.simulate.worlds import (
    A100,
    A100X4,
    CLASS,
    GPU,
    NAME,
    POOL,
    T4,
    Body,
    catalog,
    daemon,
    deployment,
    pool,
    wants,
)

KUBERNETES = "1.36"
POOLS = [
    pool("a", A100, labels={"team": "a"}),
    pool("b", A100, A100X4, labels={"team": "b"}, limits={"nodes": "0"}),
    pool("ac", T4, more=(wants("team", "In", "a", "c"),)),
    pool("not-b", T4, more=(wants("team", "NotIn", "b"),)),
    pool("any", A100, T4, more=(wants("team", "Exists"),)),
    pool("none", A100X4),
    pool("tainted", A100, taints=[{"key": "other", "effect": "NoSchedule"}]),
    pool("absent", A100, owner="absent"),
]


def possible(*bodies: Body) -> list[tuple[str, list[str]]]:
    """Each workload with the pools that could run its pods."""
    norms = shared_norms()
    items = [admit(given, KUBERNETES, rejection_norms(norms))[0] for given in somewhere(CLASS, *POOLS, *bodies)]
    assert all(item.sound for item in items)
    present = frozenset(item.identity for item in items)
    objects = Objects(
        tuple(items), present, catalog(), norms.kinds, KUBERNETES, closed=False, run_cache=norms.run_cache
    )
    pairs = possible_pools(objects, Setup("c", "eastus", 110), lambda pod: bool(pod.requests().get(GPU)))
    return [(pod.item.identity.name, [*names]) for pod, names in pairs]


@for_each(
    ("asked", "names"),
    [
        ({}, ["a", "ac", "any", "b", "none", "not-b"]),
        ({"nodeSelector": {POOL: "b"}}, ["b"]),
        ({"nodeSelector": {POOL: "tainted"}}, []),
        ({"nodeSelector": {POOL: "unknown"}}, []),
        ({"nodeSelector": {"team": "a"}}, ["a", "ac", "any", "not-b"]),
        ({"nodeSelector": {"team": "b"}}, ["any", "b"]),
        ({"nodeSelector": {"team": "z"}}, ["any", "not-b"]),
        ({"nodeSelector": {"team": "a", NAME: A100}}, ["a", "any"]),
        ({"nodeSelector": {"team": "a", POOL: "ac"}}, ["ac"]),
        ({"affinity": nodes_with([wants("team", "In", "b", "c")])}, ["ac", "any", "b", "not-b"]),
        ({"affinity": nodes_with([wants("team", "NotIn", "a")])}, ["ac", "any", "b", "none", "not-b"]),
        ({"affinity": nodes_with([wants("team", "DoesNotExist")])}, ["none", "not-b"]),
        ({"affinity": nodes_with([wants("team", "In", "a")], [wants(POOL, "In", "none")])},
         ["a", "ac", "any", "none", "not-b"]),
        ({"gpus": 4}, ["b", "none"]),
        ({"gpus": 2, "nodeSelector": {"team": "a"}}, []),
        ({"tolerations": []}, []),
        ({"tolerations": [{"operator": "Exists"}]}, ["a", "ac", "any", "b", "none", "not-b", "tainted"]),
    ],
)  # fmt: skip
def test_the_pools_that_could_run_a_pod(asked: Body, names: list[str]) -> None:
    assert possible(deployment("w", **asked)) == [("w", names)]


def test_workloads_with_gpus_are_in_order_and_each_pod_is_placed_separately() -> None:
    """More pods than the pools have room for make no difference, nor does a DaemonSet."""
    workloads = deployment("w", 9000, gpus=4), deployment("cpu", gpus=0), daemon("d", {}), deployment("b", gpus=1)
    assert [name for name, _ in possible(*workloads)] == ["b", "w"]
    assert dict(possible(*workloads))["w"] == ["b", "none"]


def test_without_workloads_that_request_gpus_there_is_nothing() -> None:
    assert possible(deployment("cpu", gpus=0)) == []
