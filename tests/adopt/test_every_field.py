"""No input field is dropped silently: each has exactly one outcome, its own or that of a parent."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.adopt.adoption import Fate, Outcome
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.field_outcomes import fields
from gitgpu.inventory.observed import Inventory
from gitgpu.runs.import_ import Imported, import_fleet
from gitgpu.source import Pointer
from tests.adopt.inventories import inventory, observed
from tests.runs.test_import import POOL

AGENT = """apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: default}
spec:
  azureName: gpu
  owner: {name: prod}
  vmSize: Standard_NC16as_T4_v3
  osType: Linux
  mode: User
  count: 2
  upgradeSettings: {maxSurge: 10%}
  nodeLabels: {team: search}
"""
BASES = (POOL, POOL.replace("NC24ads_A100_v4", "D8s_v5"), POOL.replace('"4"', '"four"'), AGENT)
NAMES = st.sampled_from(("colour", "spec", "labels", "a.b/c", "maxPods", "replicas", "taints"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(("", "x", "1h")),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)


def mappings(body: Any) -> Iterator[dict[str, Any]]:
    """Every mapping of an object."""
    if isinstance(body, dict):
        yield body
        for value in body.values():
            yield from mappings(value)
    elif isinstance(body, list):
        for value in body:
            yield from mappings(value)


@st.composite
def odd_objects(draw: st.DrawFn) -> Inventory:
    """Objects with fields that their schemas do not have, or values of the wrong type."""
    text = draw(st.sampled_from(BASES))
    objects = observed(text)
    made = []
    for each in objects:
        body = json.loads(json.dumps(each.body))
        for _ in range(draw(st.integers(0, 3))):
            places = [place for place in mappings(body) if place is not body]
            place = draw(st.sampled_from(places))
            place.setdefault(draw(NAMES), draw(VALUES))
        made.append(each._replace(body=body))
    result = inventory({"prod": text})
    return result._replace(clusters=(result.clusters[0]._replace(objects=tuple(made)),))


def about(made: Imported) -> Mapping[str, list[Outcome]]:
    """The outcomes of each object. Inferences are omitted: they are evidence and not the outcome of a field."""
    by_name: dict[str, list[Outcome]] = {}
    for outcome in made.adopted.outcomes:
        if outcome.fate is not Fate.INFERRED:
            by_name.setdefault(outcome.observed.name, []).append(outcome)
    return by_name


def is_around(pointer: Pointer, field: Pointer) -> bool:
    """Whether a field is the one at the pointer, or inside it."""
    return field[: len(pointer)] == pointer


def covering(body: Any, outcomes: list[Outcome]) -> Iterator[tuple[Pointer, int]]:
    """Each field with its number of outcomes. A list counts as one field, unless a part has its own outcome."""
    for field, _ in fields(body):
        within = [each for each in outcomes if is_around(each.pointer, field)]
        below = [each for each in outcomes if is_around(field, each.pointer) and each.pointer != field]
        yield field, len(within) if within or not below else 1


@settings(max_examples=12, deadline=None)
@given(odd_objects())
def test_each_field_is_in_exactly_one_outcome(seen: Inventory) -> None:
    made = import_fleet(seen, ClusterOptions(), (), "fleet")
    outcomes = about(made)
    for each in seen.clusters[0].objects:
        covered = list(covering(each.body, outcomes[each.name]))
        assert [field for field, count in covered if count != 1] == []


def test_every_object_of_a_dump_is_reported() -> None:
    others = """apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {a: b}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec: {replicas: 1}
"""
    made = import_fleet(inventory({"prod": f"{POOL}---\n{others}"}), ClusterOptions(), (), "fleet")
    names = {each.name for cluster in made.inventory.clusters for each in cluster.objects}
    assert about(made).keys() == names
    assert len(names) == 4
