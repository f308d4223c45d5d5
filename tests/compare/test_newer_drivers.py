"""The drivers of running nodes compared with those in the catalog."""

from typing import Any

import pytest

from gitgpu.compare.newer_drivers import foreign_documents, newer_drivers, nodes_in
from gitgpu.diagnostic import Severity
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each
from tests.patch.fleets import ID, compiled

SIZE = "Standard_NC24ads_A100_v4"
HERE = Span("nodes.json", 1, 1)
PLACES = SourceMap.of(HERE)
INPUTS: Any = compiled().made.checked.inputs
POOL = "karpenter.sh/nodepool"
DRIVER = "nvidia.com/cuda.driver-version.full"


def node(driver: str = "999.1.2", pool: str = "a100", size: str = SIZE, label: str = POOL) -> dict[str, Any]:
    """A node of the pool."""
    labels = {"node.kubernetes.io/instance-type": size, DRIVER: driver, label: pool}
    return {"kind": "Node", "metadata": {"name": "n1", "labels": labels}}


def reported(*nodes: dict[str, Any], inputs: Any = INPUTS) -> list[Any]:
    """The reports about nodes."""
    return list(newer_drivers([(each, HERE) for each in nodes], inputs))


def known_version() -> tuple[str, str]:
    """The name of the driver row of the size and its version."""
    sku = INPUTS.catalog.sku(SIZE)
    return sku.driver, INPUTS.catalog.facts("drivers", sku.driver)["version"]


def test_a_newer_driver_than_the_catalog_says() -> None:
    [diagnostic] = reported(node())
    row, version = known_version()
    assert (diagnostic.code, diagnostic.severity, diagnostic.span) == ("CAT018", Severity.WARNING, HERE)
    assert (
        diagnostic.message == f"node n1 reports driver 999.1.2; the catalog says that AKS installs {version} on {SIZE}"
    )
    assert diagnostic.help == f"update gitgpu; or add a row drivers/{row} to your own catalog"


@pytest.mark.parametrize("label", [POOL, "kubernetes.azure.com/agentpool", "agentpool"])
def test_the_labels_that_name_a_pool(label: str) -> None:
    assert len(reported(node(label=label))) == 1
    assert reported(node(label=label, pool="other")) == []


@for_each("other", [node("1.2.3"), node(known_version()[1]), node(""), node("odd"), node(size="Standard_NC9"), {}])
def test_nodes_without_a_newer_driver_do_not_hide_others(other: dict[str, Any]) -> None:
    assert reported(other) == []
    assert len(reported(other, node())) == 1


def test_the_driver_of_a_node_with_windows_is_another_one() -> None:
    on = {name: tuple(pool._replace(os="windows") for pool in pools) for name, pools in INPUTS.on.items()}
    assert reported(node(), inputs=INPUTS._replace(on=on)) == []


def test_each_driver_is_reported_once() -> None:
    assert len(reported(node("999.1.2"), node("999.1.3"))) == 1


def test_another_driver_than_that_of_aks_is_not_compared() -> None:
    own = compiled(driver="operator").made.checked.inputs
    assert reported(node(), inputs=own) == []
    managed = f"  provisioner: cluster-autoscaler\n  resourceId: {ID}/managedClusters/prod"
    assert len(reported(node(label="agentpool"), inputs=compiled(cluster=managed).made.checked.inputs)) == 1


def test_the_place_is_the_label_of_the_driver() -> None:
    text = "kind: Node\nmetadata:\n  name: n1\n  labels:\n    a: b\n    nvidia.com/cuda.driver-version.full: 1.2.3\n"
    [document], _ = parse(Text("nodes.yaml", text, "nodes.yaml"))
    [(_, place)] = nodes_in(document.data, document.places)
    assert (place.line, place.column) == (6, 42)


def test_the_nodes_of_a_list() -> None:
    listed = {"kind": "List", "items": [node(), {"kind": "Pod"}, node("2.0")]}
    assert [node_body["metadata"]["labels"][DRIVER] for node_body, _ in nodes_in(listed, PLACES)] == ["999.1.2", "2.0"]
    assert [node_body for node_body, _ in nodes_in(node(), PLACES)] == [node()]
    assert [*nodes_in({"kind": "Pod"}, PLACES)] == []


@pytest.mark.parametrize("kind", ["List", "NodeList"])
def test_a_list_may_be_empty(kind: str) -> None:
    assert list(foreign_documents([({"kind": kind, "items": []}, PLACES), (node(), PLACES)])) == []


@for_each(
    "data",
    [
        {"kind": "PodList", "items": []},
        {"kind": "List"},
        {"kind": "List", "items": [{"kind": "Pod"}]},
        {"kind": "Pod"},
        [],
        None,
    ],
)
def test_what_is_not_a_list_of_nodes(data: Any) -> None:
    [diagnostic] = foreign_documents([(data, PLACES)])
    assert (diagnostic.code, diagnostic.severity, diagnostic.span) == ("CAT011", Severity.ERROR, HERE)
    assert diagnostic.help == "pass the output of `kubectl get nodes -o json` with --nodes"
