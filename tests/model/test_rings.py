"""Rings: their clusters, the settings that these get, and faults in rings."""

import re
from collections.abc import Sequence

import pytest

from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.effective import Effective, EffectiveQuery, effective
from tests.helping.cases import for_each
from tests.model.test_link import CLUSTER, FLEET, linked, reported


def fleet(*rings: str, defaults: str = "") -> str:
    """A Fleet with these rings, from its sixth line on."""
    head = FLEET.replace("{delivery: {repository: https://example.com/x}}", "")
    lines = ["  delivery: {repository: https://example.com/x}", f"  defaults: {{stack: {{{defaults}}}}}", "  rings:"]
    return "\n".join((head.rstrip(), *lines, *(f"  - {ring}" for ring in rings), ""))


def cluster(name: str, labels: str = "", stack: str = "") -> str:
    """A Cluster with labels and a stack."""
    text = CLUSTER.replace("c1", name).replace("env: prod", labels)
    return text.replace('"1.36"}', f'"1.36", stack: {{{stack}}}}}') if stack else text


BOTH = cluster("c1", "ring: canary"), cluster("c2", "ring: prod")
CANARY = "{name: canary, clusters: {matchLabels: {ring: canary}}"
PROD = "{name: prod, clusters: [c2]"


def test_the_stack_of_a_ring_is_between_fleet_and_cluster() -> None:
    """Key by key: the cluster over its ring over the fleet."""
    written = (
        fleet(f"{CANARY}, stack: {{keda: helm, health: npd}}}}", f"{PROD}}}", defaults="keda: none, discovery: gfd"),
        cluster("c1", "ring: canary", "health: none"),
        cluster("c2", "ring: prod"),
    )
    inputs, faults = linked(*written)
    assert not faults
    assert inputs
    assert inputs.fleet.rings == ("canary", "prod")
    stacks = [(each.ring, each.stack.keda, each.stack.health, each.stack.discovery) for each in inputs.clusters]
    assert stacks == [("canary", "helm", "none", "gfd"), ("prod", "none", "none", "gfd")]


def test_values_of_charts_are_those_of_fleet_ring_and_cluster() -> None:
    values = "values: {{keda: {{image: {}}}}}".format
    written = fleet(f"{CANARY}, stack: {{{values('ring')}}}}}", f"{PROD}}}", defaults=values("fleet"))
    inputs, _ = linked(written, cluster("c1", "ring: canary", values("own")), BOTH[1])
    assert inputs
    layers = [[(layer.part, layer.values["keda"]["image"]) for layer in each.values] for each in inputs.clusters]
    assert layers == [[("", "fleet"), ("ring canary", "ring"), ("", "own")], [("", "fleet")]]


def test_an_effective_cluster_names_the_line_of_its_ring() -> None:
    text = "---\n".join((fleet(f"{CANARY}, stack: {{keda: helm}}}}", f"{PROD}}}", defaults="health: npd"), *BOTH))
    documents, faults = shape([Text("f.yaml", text, "f.yaml")])
    assert not faults
    seen = effective(documents, EffectiveQuery("Cluster", "", "c1", "c1"))
    assert isinstance(seen, Effective)
    lines = {value.pointer[-1]: value.span.line if value.span else 0 for value in seen.values}
    ring = text.splitlines().index(next(line for line in text.splitlines() if "name: canary" in line)) + 1
    assert (lines["keda"], lines["health"], lines["adapter"]) == (ring, ring - 2, 0)


@for_each(
    ("rings", "code", "pointer"),
    [
        ((f"{CANARY}}}", "{name: canary, clusters: [c2]}"), "LNK011", "/spec/rings/1/name"),
        ((f"{CANARY}}}", "{name: prod, clusters: [c2, c1]}"), "LNK012", "/spec/rings/1/clusters/1"),
        (("{name: prod, clusters: [c1, c2]}", f"{CANARY}}}"), "LNK012", "/spec/rings/1/clusters/matchLabels"),
        ((f"{CANARY}}}", "{name: prod, clusters: [c2, c3]}"), "LNK004", "/spec/rings/1/clusters/1"),
        (
            (f"{CANARY}}}", f"{PROD}}}", "{name: dr, clusters: {matchLabels: {ring: dr}}}"),
            "LNK006",
            "/spec/rings/2/clusters/matchLabels",
        ),
    ],
)
def test_a_fault_of_a_ring_has_its_place(rings: Sequence[str], code: str, pointer: str) -> None:
    assert [(fault.split()[0], fault.split()[2]) for fault in reported(fleet(*rings), *BOTH)] == [(code, pointer)]


def test_of_a_cluster_in_two_rings_both_places_are_named() -> None:
    _, faults = linked(fleet(f"{CANARY}}}", "{name: prod, clusters: [c2, c1]}"), *BOTH)
    assert re.fullmatch(r"ring 'canary' already has c1 \(f\.yaml:8:\d+\)", faults[0].message)
    assert faults[0].help == "remove each of these clusters from one of the two rings"
    assert faults[0].span.line == 9


def test_of_two_rings_with_one_name_the_first_is_named() -> None:
    _, faults = linked(fleet(f"{CANARY}}}", "{name: canary, clusters: [c2]}"), *BOTH)
    assert re.fullmatch(r"duplicate ring 'canary'; the first is at f\.yaml:8:\d+", faults[0].message)
    assert faults[0].help == "give it a unique name"


@pytest.mark.parametrize("rings", ["rings: []", "rings: [{name: a, clusters: []}]", "rings: [{clusters: [c1]}]"])
def test_an_empty_list_or_a_ring_without_a_name_has_the_wrong_shape(rings: str) -> None:
    text = f"{FLEET.rstrip()[:-1]}, {rings}}}\n---\n{CLUSTER}"
    _, faults = shape([Text("f.yaml", text, "f.yaml")])
    assert [fault.code for fault in faults] == ["SHP003"]


def test_the_order_of_keys_and_documents_does_not_matter() -> None:
    """The first ring that selects a cluster has it, also where another one does so by mistake."""
    rings = fleet("{name: a, clusters: [c1]}", "{name: b, clusters: [c1, c2]}")
    fleets = [linked(*order)[0] for order in ((rings, *BOTH), (*reversed(BOTH), rings))]
    assert [[each.ring for each in inputs.clusters] for inputs in fleets if inputs] == [["a", "b"], ["a", "b"]]
