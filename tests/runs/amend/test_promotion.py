"""Promotion copies values from ring to ring: the target then gets what the source gets, and nothing else changes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.load.text import Text
from gitgpu.runs.amend import Absent, amend
from gitgpu.runs.amend.promotion import VERSIONS, promotion
from gitgpu.source import Pointer
from tests.helping.cases import for_each
from tests.runs.amend.test_amend import documents

Stack = dict[str, Any]
KEDA: Stack = {"versions": {"keda": "1"}}


def fleet(*stacks: Stack | None, shared: Stack | None = None) -> str:
    """A Fleet with a ring for each stack; None for a ring or a Fleet without one."""
    rings = [{"name": f"r{at}", **({} if stack is None else {"stack": stack})} for at, stack in enumerate(stacks)]
    defaults = {} if shared is None else {"defaults": {"stack": shared}}
    separate = json.loads(json.dumps({"spec": {**defaults, "rings": rings}}))  # no value twice, which gets an anchor
    return yaml.safe_dump(separate, sort_keys=False)


def promoted(text: str, keys: Sequence[Pointer] = (VERSIONS,)) -> dict[str, Any]:
    """What is written of the first ring into the second, by dotted path in the stack."""
    assignments = promotion(documents(text)[0], 0, 1, keys)
    assert {each.pointer[:4] for each in assignments} <= {("spec", "rings", 1, "stack")}
    return {".".join(map(str, each.pointer[4:])): each.value for each in assignments}


@for_each(
    ("source", "target", "shared", "written"),
    [
        (KEDA, None, None, {"versions.keda": "1"}),
        (KEDA, {}, None, {"versions.keda": "1"}),
        (KEDA, {"versions": {"keda": "2"}}, None, {"versions.keda": "1"}),
        (KEDA, KEDA, None, {}),
        (KEDA, None, KEDA, {}),
        (None, KEDA, KEDA, {}),
        (None, KEDA, None, {"versions.keda": Absent.ABSENT}),
        (None, KEDA, {"versions": {"keda": "2"}}, {"versions.keda": Absent.ABSENT}),
        ({"versions": {}}, None, KEDA, {}),
        (None, {"versions": {}}, KEDA, {}),
        ({"versions": {"b": "1", "a": "1"}}, None, None, {"versions.a": "1", "versions.b": "1"}),
        ({"health": "npd"}, None, None, {}),
    ],
)
def test_what_is_written(
    source: Stack | None, target: Stack | None, shared: Stack | None, written: dict[str, Any]
) -> None:
    values = promoted(fleet(source, target, shared=shared))
    assert values == written
    assert list(values) == list(written)


@for_each(("source", "target"), [("npd", {"a": "1"}), ({"a": "1"}, "npd"), ("npd", {}), ({}, "npd")])
def test_a_mapping_and_a_scalar_replace_each_other_as_a_whole(source: Any, target: Any) -> None:
    text = fleet({"health": source}, {"health": target})
    assert promoted(text, [("health",)]) == {"health": source}


def test_keys_of_any_depth_are_copied() -> None:
    """A mapping key by key, where both have one; anything else as a whole."""
    here = {"health": "npd", "values": {"keda": {"a": {"b": 1}, "list": [1, 2]}, "other": {"c": 1}}}
    there = {"values": {"keda": {"a": "text", "list": [1], "old": None}}}
    keys = [("health",), ("values", "keda")]
    assert promoted(fleet(here, there), keys) == {
        "health": "npd",
        "values.keda.a": {"b": 1},
        "values.keda.list": [1, 2],
        "values.keda.old": Absent.ABSENT,
    }


def test_an_empty_mapping_is_a_value_where_no_default_is_a_mapping() -> None:
    for shared in (None, {"values": {"a": "text"}}):
        assert promoted(fleet({"values": {"a": {}}}, None, shared=shared), [("values",)]) == {"values.a": {}}


def test_a_default_of_another_type_is_not_taken_for_the_value() -> None:
    """The target says something else, although the source only repeats the default."""
    same = {"values": {"keda": {"a": {"b": 1}}}}
    values = promoted(fleet(same, {"values": {"keda": {"a": "text"}}}, shared=same), [("values",)])
    assert values == {"values.keda.a": {"b": 1}}


NAMES = st.sampled_from(["a", "b"])
LEAVES = st.sampled_from(["1", "2", 3, [1], [1, 2]])
VALUES = st.dictionaries(NAMES, LEAVES | st.dictionaries(NAMES, LEAVES, min_size=1), min_size=1)
STACKS = st.fixed_dictionaries({}, optional={"versions": VALUES, "values": VALUES, "keda": LEAVES})


@given(STACKS, STACKS, STACKS)
def test_afterwards_both_rings_get_the_same(source: Stack, target: Stack, shared: Stack) -> None:
    text = fleet(source, target, shared=shared)
    wanted = promotion(documents(text)[0], 0, 1, [VERSIONS, ("values",)])
    result = amend(Text("f.yaml", text, "f.yaml"), wanted)
    assert isinstance(result, Text)
    before, after = yaml.load(text, yaml.CSafeLoader), yaml.load(result.content, yaml.CSafeLoader)
    here, was, there = (
        copied(merged(shared, fleet["spec"]["rings"][at].get("stack", {})))
        for fleet, at in ((before, 0), (before, 1), (after, 1))
    )
    assert there == here
    assert bool(wanted) == (was != here)
    assert after["spec"]["rings"][0] == before["spec"]["rings"][0]
    assert after["spec"]["rings"][1].get("stack", {}).get("keda") == target.get("keda")


def copied(stack: Stack) -> Stack:
    """The keys that the test promotes."""
    return {key: value for key, value in stack.items() if key in ("versions", "values")}


def merged(below: Any, above: Any) -> Any:
    """The values of both, key by key, those above where both have one."""
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    return {**below, **{key: merged(below.get(key), value) for key, value in above.items()}}
