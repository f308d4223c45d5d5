"""What a pod requests from a node, computed as in the scheduler."""

from decimal import Decimal
from typing import Any

from gitgpu.objects.objects import Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.node_constraints import requested_devices
from gitgpu.objects.workload.pods import Pod
from tests.helping.cases import for_each
from tests.rules.objects.samples import somewhere


def pod(**spec: Any) -> Pod:
    """A pod with this spec."""
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}
    return Pod(Item(somewhere(body)[0], identity(body), Scope.NAMESPACED), ("spec",), spec, {})


def container(always: bool = False, limits: Any = None, **requests: Any) -> dict[str, Any]:
    """A container. With `always`, a sidecar: an init container that keeps running."""
    resources = {"requests": requests, "limits": limits or {}}
    return {"name": "c", "resources": resources} | ({"restartPolicy": "Always"} if always else {})


ONE, TWO, FIVE = container(cpu="1"), container(cpu="2"), container(cpu="5")
BESIDE = container(always=True, cpu="1")


@for_each(
    ("spec", "cpu"),
    [
        ({"containers": [ONE, TWO]}, "3"),
        ({"initContainers": [FIVE], "containers": [ONE, TWO]}, "5"),
        ({"initContainers": [TWO], "containers": [ONE, TWO]}, "3"),
        ({"initContainers": [TWO, FIVE, TWO], "containers": [ONE]}, "5"),
        ({"initContainers": [BESIDE], "containers": [ONE, TWO]}, "4"),
        ({"initContainers": [BESIDE, FIVE], "containers": [ONE]}, "6"),
        ({"initContainers": [FIVE, BESIDE], "containers": [ONE]}, "5"),
        ({"initContainers": [container(cpu="100m")], "containers": [container()]}, "0.1"),
        ({"containers": [container(cpu="100m")]}, "0.1"),
        ({"containers": [container(cpu="1", limits={"cpu": "2"})]}, "1"),
        ({"containers": [container(limits={"cpu": "2"})]}, "2"),
        ({"containers": [ONE, TWO], "resources": {"requests": {"cpu": "8"}}}, "8"),
        ({"containers": [ONE], "overhead": {"cpu": "250m"}}, "1.25"),
        ({"containers": [{"name": "c"}], "overhead": {"cpu": "250m"}}, "0.25"),
        ({"containers": [container(cpu="many")]}, "0"),
    ],
)
def test_the_requests_of_a_pod(spec: dict[str, Any], cpu: str) -> None:
    assert pod(**spec).requests() == {"cpu": Decimal(cpu)}


GPU = {"nvidia.com/gpu": 1}


@for_each(
    ("resources", "places"),
    [
        ({"limits": GPU}, ["limits"]),
        ({"requests": GPU}, ["requests"]),
        ({"limits": GPU, "requests": GPU}, ["limits"]),
        ({"limits": {"cpu": 1, "kubernetes.io/batch": 1}}, []),
        ({}, []),
    ],
)
def test_each_extended_resource_of_a_container_is_found_once(resources: dict[str, Any], places: list[str]) -> None:
    devices = list(pod(containers=[{"name": "c", "resources": resources}]).devices())
    expected = [
        (("spec", "containers", 0, "resources", place, "nvidia.com/gpu"), "nvidia.com/gpu", "1") for place in places
    ]
    assert devices == expected


def test_devices_are_extended_resources_with_a_count_above_zero() -> None:
    limits = {"cpu": 1, "nvidia.com/gpu": 2, "rdma/ib": 0}
    assert requested_devices(pod(containers=[container(limits=limits)])) == {"nvidia.com/gpu": 2}


FIELDS = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]}
RACK = {"matchExpressions": [{"key": "rack", "operator": "Exists"}]}
UNREADABLE = {"matchExpressions": [{"key": "rack"}]}


@for_each(
    ("selector", "terms", "keys"),
    [
        ({}, None, [set()]),
        ({"team": "a"}, None, [{"team"}]),
        ({"team": "a"}, [RACK], [{"team", "rack"}]),
        ({}, [RACK, RACK], [{"rack"}, {"rack"}]),
        ({}, [FIELDS, FIELDS | RACK, {}, UNREADABLE, None], []),
        ({}, [], []),
    ],
)
def test_the_terms_of_a_pod(selector: dict[str, str], terms: Any, keys: list[set[str]]) -> None:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    affinity = {} if terms is None else {"affinity": {"nodeAffinity": required}}
    assert [set(term) for term in pod(nodeSelector=selector, **affinity).terms()] == keys
