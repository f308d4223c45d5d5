"""Malformed objects: unreadable parts are omitted, and nothing crashes."""

import copy
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.stack import stack
from gitgpu.adopt.stack.view import bare_view
from gitgpu.adopt.workloads import workloads
from gitgpu.inventory.observed import Azure, Inventory, ObservedCluster
from gitgpu.model.catalog import catalog
from gitgpu.runs.import_ import import_fleet
from gitgpu.runs.import_check import check_running_clusters
from tests.adopt.clusters import adopted, observed, spec_documents
from tests.adopt.test_real_clusters import DETECT, JOB, MANAGED, NODE_POOL, VLLM, WORKSPACE
from tests.adopt.test_stack import CONFIG, KEDA_ADDON, MONITOR, OPERATED, PLUGIN, SCALED, helm
from tests.adopt.test_workloads import HPA, POOL
from tests.helping.nested import entries
from tests.runs.test_import import AGENT_POOL
from tests.runs.test_import import POOL as NODES

CATALOG = catalog(())
TEXT = "---\n".join(
    [
        *(NODE_POOL, MANAGED, PLUGIN, CONFIG, OPERATED, MONITOR, KEDA_ADDON, SCALED, DETECT, VLLM, WORKSPACE, JOB, HPA),
        *(helm("keda", "{operator: {replicaCount: 2}}"), helm("gpu-operator"), helm("dcgm-exporter")),
    ]
)
BODIES = [body for body in yaml.load_all(TEXT, yaml.CSafeLoader) if body]
JUNK: st.SearchStrategy[Any] = st.sampled_from([None, 1, "x", True, [], {}, [None], ["x"], {"a": None}, [{}], 1.5])
DOCUMENTS = spec_documents(
    [
        {"kind": kind, "metadata": {"name": name}, "spec": spec}
        for kind, name, spec in [
            ("Fleet", "contoso", {"delivery": {"repository": "https://github.com/contoso/gpus"}}),
            ("Cluster", "lab", {"region": "swedencentral", "kubernetesVersion": "1.36"}),
            ("GpuPool", "gpu", POOL),
        ]
    ],
    "Fleet",
    "Cluster",
    "GpuPool",
)


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value except those that identify an object: its kind, version and name."""
    paths = [above] if above else []
    for key, inner in entries(value):
        if (*above, key) not in {("kind",), ("apiVersion",), ("metadata", "name"), ("metadata",), ("chart",)}:
            paths += places(inner, (*above, key))
    return paths


PLACES = [(at, path) for at, body in enumerate(BODIES) for path in places(body)]


@given(st.lists(st.tuples(st.sampled_from(PLACES), JUNK), min_size=1, max_size=4))
@example([((BODIES.index(yaml.load(MANAGED, yaml.CSafeLoader)), ("spec", "gpuProfile", "nvidia")), "x")])
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
def test_unexpected_values_cause_no_crash(changes: list[tuple[tuple[int, tuple[Any, ...]], Any]]) -> None:
    bodies = copy.deepcopy(BODIES)
    for (at, path), junk in changes:
        _put(bodies[at], path, junk)
    azure = Azure(region="swedencentral", kubernetes="1.36")
    cluster = ObservedCluster("lab", azure, tuple(map(observed, bodies)))
    part = stack(bare_view(cluster, CATALOG), _pools(cluster))
    adopted_part = workloads(bare_view(cluster, CATALOG), DOCUMENTS)
    assert part.outcomes
    assert len({id(each.observed) for each in (*part.outcomes, *adopted_part.outcomes)}) <= len(bodies) + 2


@pytest.mark.parametrize("text", [NODES, AGENT_POOL], ids=["karpenter", "agents"])
@pytest.mark.parametrize("junk", [None, 1, "x", True, [], {}, [None], {"a": None}], ids=repr)
def test_odd_nodes_are_compared_with_a_fleet(junk: Any, text: str) -> None:
    """`import --check` also reads objects that the API server would reject."""
    nodes = [*yaml.load_all(text, yaml.CSafeLoader)]
    fleet = import_fleet(of_nodes(nodes), ClusterOptions(), (), "fleet")
    for at, body in enumerate(nodes):
        for path in places(body):
            changed = copy.deepcopy(nodes)
            _put(changed[at], path, junk)
            assert len(check_running_clusters(of_nodes(changed), ClusterOptions(), fleet.checked).verdicts) == 1


def of_nodes(bodies: list[Any]) -> Inventory:
    """A cluster with these pools and node classes."""
    azure = Azure(region="swedencentral", kubernetes="1.36")
    return Inventory((ObservedCluster("lab", azure, tuple(map(observed, copy.deepcopy(bodies)))),))


def _pools(cluster: ObservedCluster) -> Any:
    """The pools that fit their schemas, which are the unchanged ones. Only these are passed on by adoption."""
    whole = [each for each in cluster.objects if each.body in BODIES]
    return adopted(cluster._replace(objects=tuple(whole)))


def _put(value: Any, path: tuple[Any, ...], junk: Any) -> None:
    for part in path[:-1]:
        known = (isinstance(value, dict) and part in value) or (
            isinstance(value, list) and isinstance(part, int) and part < len(value)
        )
        if not known:
            return
        value = value[part]
    if isinstance(value, dict) or (isinstance(value, list) and isinstance(path[-1], int) and path[-1] < len(value)):
        value[path[-1]] = copy.deepcopy(junk)
