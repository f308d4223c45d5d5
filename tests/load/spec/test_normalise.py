"""Defaults and coercions: the rules for Cerberus match the JSON Schema exactly."""

import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from subprocess import run
from typing import Any

import pytest
from cerberus import SchemaError, Validator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitgpu.load.spec.normalise import converter, derive, in_cerberus, merge, normaliser, with_defaults
from tests.helping.cases import for_each
from tests.load.documents import DEFINITIONS, Schema, documents, follow, spec_of

KINDS = ("Cluster", "GpuPool", "GpuWorkload")  # kinds that inherit from a Fleet
RULES = {kind: derive(spec_of(kind), DEFINITIONS) for kind in KINDS}
NORMALISE = {kind: normaliser(RULES[kind]) for kind in KINDS}
CONVERT = {kind: converter(RULES[kind]) for kind in KINDS}
MINIMAL: dict[str, Any] = {
    "Cluster": {"region": "eastus", "kubernetesVersion": "1.34", "delivery": {"repository": "https://x/y"}},
    "GpuPool": {"clusters": ["a"], "requirements": {"gpu": {}}, "partition": {"mig": {"profiles": {}}}},
    "GpuWorkload": {
        "pools": ["a"],
        "target": {"kind": "Job", "name": "a"},
        "scaling": {"target": 1, "max": 1, "fallback": {"replicas": 1}},
        "inference": {"preset": "phi-4", "scaling": {"waiting": 1, "max": 2}},
        "tuning": {"preset": "phi-4"},
    },
}


def defaults(schema: Schema, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every default in a schema, with its path. The default of a mapping consists of the defaults inside it."""
    for key, part in schema.get("properties", {}).items():
        followed = follow(part)
        if "properties" in followed:
            yield from defaults(followed, (*at, key))
        elif "default" in followed:
            yield (*at, key), followed["default"]


def at(document: Any, path: tuple[str, ...]) -> Any:
    """The value at a path."""
    for key in path:
        document = document[key]
    return document


@pytest.mark.parametrize("kind", KINDS)
def test_every_default_of_the_schema_is_filled_in(kind: str) -> None:
    result = NORMALISE[kind](MINIMAL[kind])
    expected = {path: value for path, value in defaults(spec_of(kind)) if path[0] != "pool"}  # defaults of pools
    assert expected
    assert {path: at(result, path) for path in expected} == expected


@pytest.mark.parametrize("kind", sorted(MINIMAL))
def test_cerberus_accepts_the_rules(kind: str) -> None:
    """A fleet is read without this check, because Cerberus would repeat it for each document."""
    Validator(in_cerberus(derive(spec_of(kind), DEFINITIONS)))
    with pytest.raises(SchemaError):
        Validator({"a": {"defualt": 1}})


def test_a_default_does_not_add_a_mapping_that_the_author_omitted() -> None:
    bare = {"pools": ["a"], "target": {"kind": "Job", "name": "a"}}
    assert NORMALISE["GpuWorkload"](bare) == {**bare, "gpus": 1}
    pool = NORMALISE["GpuPool"]({"clusters": ["a"], "sku": "x"})
    assert pool.keys() == {
        "clusters",
        "sku",
        "os",
        "capacity",
        "devicePlugin",
        "disruption",
        "operatorOptOut",
        "spotTaint",
        "taints",
    }


@for_each(
    ("spec", "path", "value"),
    [
        ({"sku": "one"}, ("sku",), ["one"]),
        ({"sku": ["one", "two"]}, ("sku",), ["one", "two"]),
        ({"zones": [1, "2"]}, ("zones",), ["1", "2"]),
        ({"limits": {"cpu": 384, "memory": "1Ti"}}, ("limits",), {"cpu": "384", "memory": "1Ti"}),
        ({"requirements": {"vcpus": 24, "gpu": {"count": 2}}}, ("requirements", "vcpus"), "24"),
        ({"requirements": {"vcpus": 24, "gpu": {"count": 2}}}, ("requirements", "gpu", "count"), "2"),
    ],
)
def test_numbers_for_texts_and_single_items_for_lists_are_coerced(spec: Any, path: tuple[str, ...], value: Any) -> None:
    assert at(NORMALISE["GpuPool"]({"clusters": ["a"], **spec}), path) == value


def plain(value: Any) -> Any:
    """A value with numbers as text and texts as lists, so that coerced values compare equal."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def within(part: Any, whole: Any) -> bool:
    """Whether everything that was written is still there."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and within(part[key], whole[key]) for key in part)
    return bool(part == whole)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_whatever_the_schema_accepts_is_normalised(kind: str, data: st.DataObject) -> None:
    spec = data.draw(documents(kind))["spec"]
    before = deepcopy(spec)
    result = NORMALISE[kind](spec)
    assert spec == before
    assert within(plain(spec), plain(result))
    assert NORMALISE[kind](result) == result
    assert with_defaults(RULES[kind], result) == CONVERT[kind](result)
    assert with_defaults(RULES[kind], spec) in (None, CONVERT[kind](spec))


def test_a_value_of_another_type_is_left_to_cerberus() -> None:
    rules = derive(spec_of("GpuPool"), DEFINITIONS)
    assert with_defaults(rules, {"zones": ["1"], "sku": "x"}) is not None
    assert with_defaults(rules, {"zones": [1], "sku": "x"}) is None
    assert with_defaults(rules, {"limits": {"cpu": 384}}) is None
    assert with_defaults(rules, {"capacity": None}) is None


def test_a_value_that_cerberus_rejects_is_a_bug() -> None:
    with pytest.raises(ValueError, match=r"^Cerberus rejects a valid document: \{'zones': \[.+\]\}$"):
        CONVERT["GpuPool"]({"zones": 5})


@pytest.mark.parametrize(("zones", "loaded"), [(["1"], False), ([1], True)])
def test_cerberus_is_imported_only_for_such_a_value(zones: list[object], loaded: bool) -> None:
    code = (
        "import sys; from gitgpu.model.linking.normaliser import normaliser_of as n; "
        f"n('GpuPool')({{'clusters': ['a'], 'sku': 'x', 'zones': {zones}}}); sys.exit('cerberus' in sys.modules)"
    )
    assert run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[3]).returncode == loaded


trees = st.recursive(
    st.integers() | st.none() | st.lists(st.integers(), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
mappings = st.dictionaries(st.sampled_from("abc"), trees, max_size=3)


@given(mappings, mappings, mappings)
@settings(deadline=None)
def test_merging_prefers_what_is_written_and_loses_nothing(over: Any, under: Any, third: Any) -> None:
    assert merge(over, {}) == over
    assert merge({}, under) == under
    assert merge(over, over) == over
    assert within(over, merge(over, under))
    assert merge(over, under).keys() == over.keys() | under.keys()
    left, other = merge(merge(over, under), third), merge(over, merge(under, third))
    assert left.keys() == other.keys()


def test_merging_goes_key_by_key_into_mappings_only() -> None:
    over = {"a": {"b": 1}, "c": [1], "d": None}
    under = {"a": {"b": 2, "e": 3}, "c": [2, 3], "d": {"f": 1}, "g": 4}
    assert merge(over, under) == {"a": {"b": 1, "e": 3}, "c": [1], "d": None, "g": 4}
    assert under["a"] == {"b": 2, "e": 3}
