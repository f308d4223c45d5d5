"""The values of a running cluster that have no effect on its inferred stack, pools and workloads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.adopt.adoption import GpuNodes, SpecDocument
from gitgpu.adopt.node.agent_pool import agent_pool_keys
from gitgpu.adopt.node.node_objects import class_name, is_of_nodes, nodes_of
from gitgpu.adopt.node.node_pool import Around, node_pool_keys
from gitgpu.adopt.stack import stack
from gitgpu.adopt.stack.view import bare_view
from gitgpu.adopt.workloads import workloads
from gitgpu.inventory.observed import Azure, ObservedCluster
from tests.adopt.clusters import adopted, observed
from tests.adopt.test_recorded_imports import CATALOG, CONTEXT, RECORDED, clusters, flat, imported, outcome_line
from tests.helping.cases import for_each
from tests.helping.single_changes import unread

AZURE = Azure(region="swedencentral", kubernetes="1.34")


def cluster_of(bodies: Iterable[Any]) -> ObservedCluster:
    """A cluster with those of these objects that an API server would store."""
    stored = [body for body in bodies if {"kind", "apiVersion", "metadata"} <= body.keys() and body["metadata"]]
    return ObservedCluster("lab", AZURE, tuple(observed(body, line) for line, body in enumerate(stored, start=1)))


def parted(cluster: ObservedCluster) -> tuple[list[Any], list[Any]]:
    """The objects that create nodes, and the others."""
    bodies = [each.body for each in cluster.objects]
    return [body for body in bodies if is_of_nodes(body)], [body for body in bodies if not is_of_nodes(body)]


def of_stack(nodes: Sequence[Any], others: Sequence[Any]) -> Iterator[str]:
    """The stack of a cluster as lines."""
    cluster = cluster_of([*nodes, *others])
    part = stack(bare_view(cluster, CATALOG), adopted(cluster))
    yield from flat(part.stack, "stack")
    yield from flat(part.pools, "pools")
    yield from map(outcome_line, part.outcomes)


@pytest.mark.parametrize("name", ["stack-operator", "stack-plain", "installed-charts", "operator-nodes"])
def test_the_values_without_effect_on_the_stack(name: str, snapshot: SnapshotAssertion) -> None:
    for cluster in clusters((RECORDED / f"{name}.yaml").read_text(encoding="utf-8")):
        nodes, others = parted(cluster)
        assert unread(others, partial(of_stack, nodes)) == snapshot


def of_workloads(documents: Sequence[SpecDocument], around: Sequence[Any], specs: Mapping[str, Any]) -> Iterator[str]:
    """The workloads of a cluster as lines. `specs` replaces specs by kind and name; other objects do not change."""
    bodies = [{**body, "spec": specs.get(title(body), body.get("spec"))} for body in around]
    part = workloads(bare_view(cluster_of(bodies), CATALOG), documents)
    for document in part.documents:
        yield from flat(document.spec, f"{document.namespace}/{document.name}")
    yield from map(outcome_line, part.outcomes)


def title(body: Any) -> str:
    """The kind and the name of an object."""
    return f"{body['kind']} {body['metadata']['name']}"


def by_name(bodies: Iterable[Any]) -> list[list[Any]]:
    """A workload with its scaler."""
    grouped: dict[str, list[Any]] = {}
    for body in bodies:
        grouped.setdefault(body["metadata"]["name"], []).append(body)
    return list(grouped.values())


@pytest.mark.parametrize("name", ["workloads", "odd-workloads", "scaled-workloads"])
def test_the_values_without_effect_on_workloads(name: str, snapshot: SnapshotAssertion) -> None:
    text = (RECORDED / f"{name}.yaml").read_text(encoding="utf-8")
    known = [document for _, document in imported(text).documents if document.kind != "GpuWorkload"]
    [cluster] = clusters(text)
    nodes, others = parted(cluster)
    shared = [body for body in others if body["kind"].endswith("Authentication")]
    rest = [body for body in others if body not in shared]
    found = list[str]()
    for bodies, around in (*((bodies, [*bodies, *shared]) for bodies in by_name(rest)), (shared, others)):
        specs = {title(body): body["spec"] for body in bodies if "spec" in body}
        found += unread(specs, partial(of_workloads, known, [*nodes, *around]))
    assert found == snapshot


def of_agents(around: Around, nodes: GpuNodes, body: Any) -> Iterator[str]:
    """The keys of a GpuPool as lines."""
    return flat(agent_pool_keys(nodes._replace(observed=observed(body)), around, CATALOG))


def test_the_values_without_effect_of_a_node_pool(snapshot: SnapshotAssertion) -> None:
    [cluster] = clusters((RECORDED / "aks-node-pools.yaml").read_text(encoding="utf-8"))
    subnet = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/net/providers/Microsoft.Network"
    around = Around("operator", {}, subnet=f"{subnet}/virtualNetworks/v/subnets/gpu")
    found = list[str]()
    for nodes in nodes_of(cluster, "swedencentral", CONTEXT).gpu:
        spec = nodes.observed.body["spec"]

        def lines(spec: Any, nodes: GpuNodes = nodes) -> Iterator[str]:
            return of_agents(around, nodes, {**nodes.observed.body, "spec": spec})

        found += [f"--- {nodes.name}", *lines(spec), *unread(spec, lines)]
    assert found == snapshot


@for_each(
    ("more", "around", "changed"),
    [
        ({"osDiskSizeGB": 0, "spotMaxPrice": None, "maxPods": None}, Around("aks", {}), {"driver": "aks"}),
        ({"enableFIPS": False, "artifactStreamingProfile": {"enabled": False}, "enableEncryptionAtHost": False},
         Around("aks", {}), {"driver": "aks"}),
        ({"spotMaxPrice": -1}, Around("aks", {"driver": "managed"}), {"driver": "managed"}),
        ({"spotMaxPrice": -2}, Around("aks", {}), {"driver": "aks", "agentPool": {"spotMaxPrice": -2}}),
        ({"gpuProfile": {"driver": "None"}}, Around("none", {}), {"driver": "none"}),
        ({"gpuProfile": {"driver": "None"}}, Around("operator", {}), {"driver": "operator"}),
        ({"gpuProfile": {"driver": "None"}}, Around("aks", {}), {"driver": "none"}),
        ({"osType": "Windows"}, Around("aks", {}), {"driver": "aks", "os": "windows"}),
    ],
)  # fmt: skip
def test_a_node_pool_as_azure_prints_it(more: dict[str, Any], around: Around, changed: dict[str, Any]) -> None:
    """Unset values are null, 0 or -1. If AKS installs no driver, the stack decides what does."""
    spec = {"vmSize": "Standard_NC16as_T4_v3", "osType": "Linux", **more}
    body = {"apiVersion": "x/v1", "kind": "ManagedClustersAgentPool", "metadata": {"name": "gpu"}, "spec": spec}
    nodes = GpuNodes("gpu", observed(body), None, (CATALOG.sku("Standard_NC16as_T4_v3"),))  # type: ignore[arg-type]
    usual = {
        "sku": "Standard_NC16as_T4_v3", "os": "linux", "capacity": ["on-demand"], "nodes": {"min": 1, "max": 1},
        "taints": [],
    }  # fmt: skip
    made = agent_pool_keys(nodes, around, CATALOG)
    # The GPU Operator runs on Linux only. Where AKS installs the driver, gitgpu would keep it off the nodes.
    opted_in = {"operatorOptOut": False} if changed["driver"] in ("aks", "managed") and "os" not in changed else {}
    assert made == {**usual, **changed, **opted_in}


def of_karpenter(around: Around, bodies: Sequence[Any]) -> Iterator[str]:
    """The keys of GpuPools as lines."""
    nodes_of_cluster = nodes_of(cluster_of(bodies), "swedencentral", CONTEXT)
    for nodes in nodes_of_cluster.gpu:
        yield from flat(
            node_pool_keys(nodes, nodes_of_cluster.pools["NodePool", nodes.name], around, CONTEXT), nodes.name
        )
    yield from map(outcome_line, nodes_of_cluster.outcomes)


def test_the_values_without_effect_of_a_nodepool(snapshot: SnapshotAssertion) -> None:
    around = Around("operator", {})
    found = list[str]()
    for cluster in clusters((RECORDED / "node-pools.yaml").read_text(encoding="utf-8")):
        bodies = [each.body for each in cluster.objects]
        classes = {body["metadata"]["name"]: body for body in bodies if body["kind"] == "AKSNodeClass"}
        for body in bodies:
            if body["kind"] == "NodePool" and is_of_nodes(body):
                used = classes.get(class_name(body))
                given = [body, used] if used else [body]
                found += [f"--- {body['metadata']['name']}", *of_karpenter(around, given)]
                found += unread(given, partial(of_karpenter, around))
    assert found == snapshot
