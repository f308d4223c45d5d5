"""Messages and remedies of faults of shape."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.diagnostic import Change, Repair
from gitgpu.load.explain import explain_faults, fault_places
from gitgpu.load.validate.compiler import Dialect, compile_schema
from gitgpu.load.validate.formats import FORMATS
from tests.helping.cases import for_each
from tests.load.test_checker import SCHEMAS
from tests.rules.objects.documents import documents, mutants

POOL: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["region", "nodes"],
    "properties": {
        "region": {"type": "string", "description": "The Azure region.", "examples": ["swedencentral"]},
        "nodes": {"type": "integer", "minimum": 1, "maximum": 100, "examples": [3]},
        "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
        "tier": {"enum": ["standard", "premium", "free"]},
        "way": {"type": "string", "enum": ["shared", "2"], "examples": ["shared"]},
        "name": {"type": "string", "pattern": "^[a-z]+$", "x-gitgpu-words": "lowercase letters"},
        "path": {"type": "string", "pattern": "^/"},
        "zones": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "uniqueItems": True},
        "sku": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "spot": {"type": ["boolean", "null"]},
        "version": {"const": 1},
        "share": {"exclusiveMinimum": 0, "maximum": 1},
    },
}
SOUND = {"region": "x", "nodes": 1}


def words(value: Any, schema: Any = POOL, dialect: Dialect | None = None) -> list[tuple[str, str, str]]:
    """The pointer, message and remedy of every fault."""
    dialect = dialect or Dialect()
    assert not compile_schema(schema, dialect)(value), "words are for what the checker refused"
    faults = explain_faults(schema, value, dialect)
    assert fault_places(schema, value, dialect) == [fault.pointer for fault in faults]
    return [("/".join(map(str, pointer)), message, remedy) for pointer, message, remedy, *_ in faults]


CORRECT, REMOVE = "correct the value", "remove it, or what conflicts with it"
BOOLEAN = "put it in quotes: YAML reads it as false"
KEYS = ", ".join(sorted(POOL["properties"]))
CASES = [
    ({"limts": {}}, "limts", "unknown key 'limts'; did you mean 'limits'?", "rename it to 'limits'"),
    ({"TIER": "free"}, "TIER", "unknown key 'TIER'; did you mean 'tier'?", "rename it to 'tier'"),
    # The similar key is there already, or wants a mapping.
    ({"REGION": "x"}, "REGION", "unknown key 'REGION'", f"remove it; the allowed keys are {KEYS}"),
    ({"limts": [1]}, "limts", "unknown key 'limts'", f"remove it; the allowed keys are {KEYS}"),
    ({"qqqq": 1}, "qqqq", "unknown key 'qqqq'", f"remove it; the allowed keys are {KEYS}"),
    ({"nodes": 0}, "nodes", "must be a whole number from 1 to 100; found 0", "correct the value, for example 3"),
    ({"nodes": "3"}, "nodes", "must be a whole number; found the text '3'", "use 3 without quotes"),
    ({"nodes": 1.0}, "nodes", "must be a whole number; found 1.0", "correct the value, for example 3"),
    ({"nodes": True}, "nodes", "must be a whole number; found true", "correct the value, for example 3"),
    (
        {"region": None},
        "region",
        "must be text; found null",
        "give it a value, for example swedencentral, or remove the key",
    ),
    ({"limits": {"cpu": []}}, "limits/cpu", "must be a whole number; found an empty list", CORRECT),
    ({"limits": [1]}, "limits", "must be a mapping; found a list", "use a mapping"),
    ({"way": True}, "way", "must be one of shared, 2; found true", "correct the value, for example shared"),
    ({"region": False}, "region", "must be text; found false", BOOLEAN),
    ({"name": 5}, "name", "must be lowercase letters; found 5", CORRECT),
    ({"zones": "a"}, "zones", "must be a list; found the text 'a'", "use [a]"),
    ({"zones": 1}, "zones", "must be a list; found 1", 'use ["1"]'),
    ({"zones": True}, "zones", "must be a list; found true", CORRECT),
    ({"way": 2}, "way", "must be text; found 2", 'quote it: "2"'),
    ({"tier": "premum"}, "tier", "must be one of standard, premium, free; found 'premum'", "use premium"),
    ({"tier": 4}, "tier", "must be one of standard, premium, free; found 4", CORRECT),
    ({"name": "A1"}, "name", "must be lowercase letters; found 'A1'", CORRECT),
    ({"path": "a"}, "path", "'a' does not match ^/", CORRECT),
    ({"zones": []}, "zones", "must not be empty", "add an entry"),
    ({"zones": ["a", "a"]}, "zones", "must not contain duplicate items", "remove or change one of them"),
    ({"zones": ["a", ""]}, "zones/1", "must not be empty", "use a string"),
    ({"sku": 5}, "sku", "must be text or a list; found 5", CORRECT),
    ({"sku": ["a", 5]}, "sku/1", "must be text; found 5", 'quote it: "5"'),
    ({"spot": "yes"}, "spot", "must be true or false; found the text 'yes'", "use yes without quotes"),
    ({"spot": "maybe"}, "spot", "must be true or false; found the text 'maybe'", "use true or false"),
    ({"version": 2}, "version", "must be 1; found 2", CORRECT),
    ({"share": 0}, "share", "must be a number more than 0; found 0", CORRECT),
    ({"share": 2}, "share", "must be a number, at most 1; found 2", CORRECT),
]


@for_each(("change", "pointer", "message", "remedy"), CASES, ids=[str(case[0]) for case in CASES])
def test_sentences_about_faults(change: Any, pointer: str, message: str, remedy: str) -> None:
    assert words(SOUND | change) == [(pointer, message, remedy)]


def test_a_misspelt_key_is_not_reported_as_missing_too() -> None:
    either: dict[str, Any] = {"additionalProperties": False, "properties": {"metric": {}, "query": {}}}
    either["oneOf"] = [{"required": ["metric"]}, {"required": ["query"]}]
    assert [word[0] for word in words({"regoin": "x", "nodes": 1})] == ["regoin"]
    assert [word[0] for word in words({"metrc": "x"}, either)] == ["metrc"]


def test_an_unlike_key_in_the_place_of_a_missing_one_is_one_fault() -> None:
    either: dict[str, Any] = {"additionalProperties": False, "properties": {"metric": {}, "query": {}, "min": {}}}
    reported = ("kafka", "unknown key 'kafka', and 'metric' or 'query' is missing")
    choice = {"oneOf": [{"required": ["metric"]}, {"required": ["query"]}]}
    assert [word[:2] for word in words({"kafka": "x"}, either | choice)] == [reported]
    needs = either | {"required": ["min"]} | {"properties": {"min": {"type": "integer"}}}
    remedy = "rename it to 'min' if that is what you mean; the allowed keys are min"
    assert words({"least": 1}, needs) == [("least", "unknown key 'least', and 'min' is missing", remedy)]
    assert [word[0] for word in words({"least": "one"}, needs)] == ["least", "min"], "its value would not do there"
    assert [word[0] for word in words({"least": 1, "most": 2}, needs)] == ["least", "min", "most"], "which one is it?"


@for_each(
    ("choice", "value", "missing"),
    [
        ({"required": ["query"]}, {"kafka": 1}, "'query'"),
        ({"anyOf": [{"required": ["metric"]}, {"required": ["query"]}]}, {"kafka": "x"}, "'metric' or 'query'"),
        (
            {"anyOf": [{"required": ["metric", "min"]}, {"required": ["query"]}]},
            {"min": 1, "kafka": "x"},
            "'metric' or 'query'",
        ),
        ({"required": ["metric"], "patternProperties": {"^m": {}}, "properties": {}}, {"kafka": 1}, "'metric'"),
    ],
)
def test_an_unknown_key_stands_for_the_keys_that_its_value_would_be_valid_for(
    choice: dict[str, Any], value: Any, missing: str
) -> None:
    keys = {"metric": {"type": "integer"}, "query": {}, "min": {}}
    schema = {"additionalProperties": False, "properties": keys, **choice}
    assert [word[:2] for word in words(value, schema)] == [("kafka", f"unknown key 'kafka', and {missing} is missing")]


def test_an_unknown_key_does_not_stand_for_a_missing_key_of_another_mapping() -> None:
    part = {"properties": {"metric": {}}, "required": ["metric"], "additionalProperties": False}
    value = {"a": {"metric": 1, "kafka": 2}, "b": {}}
    assert [word[:2] for word in words(value, {"properties": {"a": part, "b": part}})] == [
        ("a/kafka", "unknown key 'kafka'"),
        ("b/metric", "missing key 'metric'"),
    ]


def test_a_misspelt_key_does_not_stand_for_another_key_that_is_missing() -> None:
    schema = {"properties": {"clusters": {}, "capacity": {}}, "required": ["clusters"], "additionalProperties": False}
    assert [word[1:] for word in words({"capcity": 1}, schema)] == [
        ("unknown key 'capcity'; did you mean 'capacity'?", "rename it to 'capacity'"),
        ("missing key 'clusters'", "add clusters"),
    ]
    assert [word[1] for word in words({"capcity": 1, "capacity": 1}, schema)] == [
        "unknown key 'capcity', and 'clusters' is missing"
    ]


def test_an_unknown_key_that_belongs_elsewhere_or_beside_a_default_does_not_stand_for_a_missing_one() -> None:
    inner = {"type": "object", "properties": {"depth": {}}}
    spec = {"properties": {"metric": {}, "inner": inner}, "required": ["metric"], "additionalProperties": False}
    schema = {"properties": {"spec": spec}}
    assert [word[1:] for word in words({"spec": {"depth": 1, "inner": {}}}, schema)] == [
        ("'depth' is not allowed here", "move it to spec.inner"),
        ("missing key 'metric'", "add metric"),
    ]
    with_default = {**spec, "x-gitgpu-defaults": {"metric": "1"}}
    assert [word[1] for word in words({"kafka": 1}, with_default)] == ["unknown key 'kafka'", "missing key 'metric'"]


def test_a_fault_of_a_key_is_reported_at_the_key() -> None:
    schema = {
        "properties": {"a": False, "b": {"type": "integer"}, "limits": {}},
        "propertyNames": {"maxLength": 5},
        "additionalProperties": False,
    }
    faults = explain_faults(schema, {"a": 1, "b": "x", "limits": 2, "c": 3})
    assert {fault.pointer: fault.at_key for fault in faults} == {
        ("a",): True, ("b",): False, ("c",): True, ("limits",): True
    }  # fmt: skip


def test_a_value_that_is_rejected_for_no_known_reason_has_a_fault_too() -> None:
    assert [fault.message for fault in explain_faults({}, 1)] == ["does not match its schema"]


def test_every_fault_is_reported_once_in_a_fixed_order() -> None:
    value = {"nodes": 0, "limts": 1, "zones": ["", "", 5], "tier": "x"}
    reported = words(value)
    assert " ".join(pointer for pointer, _, _ in reported) == "limts nodes region tier zones zones/0 zones/1 zones/2"
    assert reported == words(dict(reversed(value.items())))
    assert reported[2][1:] == ("missing key 'region'", "add region, for example region: swedencentral")


@for_each(
    ("schema", "value", "fault"),
    [
        (
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {},
            ((), "must have one of 'a', 'b'", "add one of them"),
        ),
        (
            {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"a": 1, "b": 1},
            ((), "must have only one of 'a', 'b'", "remove all but one of them"),
        ),
        (
            {"anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]},
            {"a": 1},
            ((), "must have at least one of 'a' and 'b', 'c'", "add one of them"),
        ),
        ({"not": {"required": ["a", "b"]}}, {"a": 1, "b": 2}, ((), "must not have 'a' and 'b' together", REMOVE)),
        (
            {"if": {"required": ["sku"]}, "then": {"properties": {"requirements": False}}},
            {"sku": "a", "requirements": {"gpu": 1}},
            (("requirements",), "is not allowed together with the other keys here; found a mapping", REMOVE),
        ),
        (
            {"items": {"type": "object"}, "x-gitgpu-unique-by": ["name"]},
            [{"name": "a"}, {"name": "a"}],
            ((), "must not contain two items with the same name", "remove or change one of them"),
        ),
        ({"minProperties": 2}, {"a": 1}, ((), "must have at least 2 keys; found 1", CORRECT)),
        ({"maxProperties": 1}, {"a": 1, "b": 1}, ((), "must have at most 1 key; found 2", CORRECT)),
        ({"maxLength": 3}, "x" * 70, ((), "must have at most 3 characters; found 70", CORRECT)),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, (("ab",), "must have at most 1 character; found 2", CORRECT)),
        (False, 1, ((), "is not allowed together with the other keys here; found 1", REMOVE)),
        ({"type": "null"}, 1, ((), "must be null; found 1", CORRECT)),
        ({"maxItems": 1}, [1, 2], ((), "must have at most 1 item; found 2", CORRECT)),
        (
            {"anyOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}]},
            [],
            ((), "must be a mapping; found an empty list", CORRECT),
        ),
        ({"pattern": "^b", "enum": ["a"]}, "xyz", ((), "must be one of a; found 'xyz'", CORRECT)),
        ({"minLength": 2, "const": "ab"}, "x", ((), "must be 'ab'; found 'x'", CORRECT)),
        ({"type": "integer", "minimum": 1}, 0, ((), "must be a whole number, at least 1; found 0", CORRECT)),
        ({"exclusiveMaximum": 5}, 5, ((), "must be a number less than 5; found 5", CORRECT)),
        ({"multipleOf": 5}, 7, ((), "must be a multiple of 5; found 7", CORRECT)),
        ({"multipleOf": 5, "type": "number"}, {}, ((), "must be a number; found an empty mapping", CORRECT)),
        ({"const": 1}, "x" * 60, ((), f"must be 1; found '{'x' * 60}'", CORRECT)),
        ({"const": 1}, "x" * 61, ((), f"must be 1; found '{'x' * 60}'...", CORRECT)),
        ({"not": {"required": ["a"]}}, {"a": 1}, ((), "must not have 'a'", REMOVE)),
        (
            {"not": {"type": "string"}},
            "x",
            ((), "is not allowed together with the other keys here; found 'x'", REMOVE),
        ),
        (
            {"anyOf": [{"properties": {"kind": {"const": kind}}} for kind in "ab"]},
            {"kind": "c"},
            ((), "must have one of the allowed forms; found a mapping", CORRECT),
        ),
        (
            {"oneOf": [{"properties": {name: {"type": "string"}}} for name in "ab"]},
            {"c": 1},
            ((), "matches more than one of the allowed forms; found a mapping", CORRECT),
        ),
        (
            {"oneOf": [{"type": "integer"}, {"minimum": 1}]},
            2,
            ((), "matches more than one of the allowed forms; found 2", CORRECT),
        ),
        (
            {"patternProperties": {"^x-": {}}, "additionalProperties": False},
            {"x-a": 1, "b": 2},
            (("b",), "unknown key 'b'", "remove it; no key is allowed here"),
        ),
        (
            {"allOf": [{"properties": {"a": {"type": "null"}}}, {"additionalProperties": False}]},
            {"a": 1},
            (("a",), "unknown key 'a'", "remove it; no key is allowed here"),
        ),
        ({"type": ["integer", "number"]}, "x", ((), "must be a number; found the text 'x'", CORRECT)),
        (
            {"anyOf": [{"type": "string"}, {"type": "object", "required": ["a"]}]},
            {},
            (("a",), "missing key 'a'", "add a"),
        ),
    ],
    ids=str,
)
def test_relations_between_keys(schema: Any, value: Any, fault: Any) -> None:
    assert [explained[:3] for explained in explain_faults(schema, value)] == [fault]


@for_each(
    ("schema", "remedy"),
    [
        ({}, "add a"),
        (True, "add a"),
        ({"const": "x"}, "add a: x"),
        ({"const": False}, "add a: false"),
        ({"enum": ["x", None]}, "add a: x"),
        ({"enum": ["w", "z"]}, "add a, one of w, z"),
        ({"enum": list("abcdefghijklm")}, "add a, one of a, b, c, d, e, f, g, h, i, j, k, l and 1 more"),
        ({"enum": ["x"], "examples": ["x"]}, "add a, for example a: x"),
        ({"examples": [{"b": 1}, "true"]}, 'add a, for example a: "true"'),
        ({"type": "array", "examples": [["x", "2"]]}, 'add a, for example a: [x, "2"]'),
        ({"type": "array", "examples": [[], ["x"]]}, "add a, for example a: [x]"),
        ({"type": "string", "pattern": "^[0-9]+%$", "description": "The share."}, "add a (the share)"),
        ({"type": "object", "required": ["b", "c"]}, "add a, a mapping with b, c"),
        ({"type": "object", "required": ["b"], "description": "The image."}, "add a (the image)"),
        ({"type": "array"}, "add a, a list"),
        ({"type": ["integer", "null"]}, "add a, a whole number"),
        ({"type": "string", "description": "The Azure region. Pools may differ."}, "add a (the Azure region)"),
        ({"type": "string", "pattern": "^[0-9]+(s|m|h)$"}, "add a, for example a: 10m"),
        ({"type": "string", "pattern": "^[0-9]+(Mi|Gi)$"}, "add a, for example a: 1Gi"),
        ({"type": "string", "pattern": "^[0-9]+%$"}, "add a, for example a: 10%"),
        ({"type": "string", "pattern": "^[0-9]*m?$"}, "add a"),  # it may be empty
        ({"type": "string", "pattern": "^[0-9a-z]+$"}, "add a"),  # it may be any word
    ],
    ids=str,
)
def test_the_remedy_for_a_missing_key_shows_what_to_add(schema: Any, remedy: str) -> None:
    assert words({}, {"required": ["a"], "properties": {"a": schema}}) == [("a", "missing key 'a'", remedy)]


@for_each(
    ("schema", "value", "remedy"),
    [
        ({"type": "number"}, "1.5", "use 1.5 without quotes"),
        ({"type": "number"}, "2", "use 2 without quotes"),
        ({"type": ["integer", "boolean"]}, "true", "use true without quotes"),
        ({"type": "integer"}, "1.5", CORRECT),
        ({"type": "string"}, 1.25, 'quote it: "1.25"'),
        ({"type": "string"}, 1.3, CORRECT),  # it may have been 1.30
        ({"type": "string"}, ["1.25"], CORRECT),
        ({"type": ["string", "null"]}, 5, 'quote it: "5"'),
        ({"type": ["string", "boolean"]}, 5, CORRECT),
        ({"type": "string", "pattern": "^[a-z]"}, 5, CORRECT),
        ({"type": ["boolean", "null"]}, 5, "use true or false"),
        ({"type": ["boolean", "null"]}, "null", "use true or false"),
        ({"type": "null"}, True, CORRECT),
        ({"type": ["boolean", "integer"]}, "x", CORRECT),
        ({"type": "object", "properties": {"a": {}}}, "x", "use a mapping; the allowed keys are a"),
        ({"type": ["object", "array"], "properties": {"a": {}}}, 1.5, CORRECT),
        ({"type": "array", "items": {"type": "string", "enum": ["abcd"]}}, "abce", "use [abcd]"),
        ({"type": "array", "items": {"type": "integer"}}, 7, CORRECT),
        ({"type": "array"}, "x", CORRECT),
        ({"additionalProperties": False}, {"b": 1}, "remove it; no key is allowed here"),
        ({"minProperties": 1}, {}, "add a key"),
        ({"minItems": 1, "examples": [["x"]]}, [], "add an entry, for example [x]"),
        ({"minItems": 1, "description": "The zones."}, [], "add an entry"),
        ({"minItems": 2}, [], CORRECT),
        ({"minLength": 1, "examples": ["x"]}, "", "use a string, for example x"),
        ({"pattern": "^[a-z]+$", "minLength": 3, "maxLength": 3}, "ABC", "use abc"),
        ({"pattern": "^[a-z]+$", "maxLength": 2}, "ABC", CORRECT),
        ({"pattern": "^[a-z]+$", "minLength": 4}, "ABC", CORRECT),
        ({"pattern": "^[a-z-]+$", "maxLength": 5}, "a-b-c-d", CORRECT),  # another spelling would be another name
    ],
    ids=str,
)
def test_the_remedy_turns_the_value_into_a_valid_one_if_that_is_simple(schema: Any, value: Any, remedy: str) -> None:
    assert [found for _, _, found in words(value, schema)] == [remedy]


def test_the_branch_of_the_matching_kind_is_explained() -> None:
    branch = {"type": "object", "required": ["kind"], "additionalProperties": False}
    union = {
        "oneOf": [
            {**branch, "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}},
            {**branch, "properties": {"kind": {"const": "b"}, "y": {"type": "integer"}}},
        ]
    }
    assert words({"kind": "b", "y": "no"}, union) == [("y", "must be a whole number; found the text 'no'", CORRECT)]


def test_the_branch_of_the_matching_kind_is_explained_even_if_another_one_has_fewer_faults() -> None:
    keys = {"x": {"type": "integer"}, "y": {"type": "integer"}}
    union = {"oneOf": [{"properties": {"kind": {"const": "a"}}}, {"properties": {"kind": {"const": "b"}, **keys}}]}
    assert [pointer for pointer, _, _ in words({"kind": "b", "x": "no", "y": "no"}, union)] == ["x", "y"]


def test_a_constant_deep_in_a_branch_does_not_make_it_another_kind() -> None:
    mode = {"properties": {"mode": {"const": "x"}}}
    union = {
        "anyOf": [
            {"properties": {"kind": {"const": "a"}, "spec": mode}},
            {"properties": {"kind": {"const": "b"}, "spec": {"type": "string"}}},
        ]
    }
    assert words({"kind": "a", "spec": {"mode": "y"}}, union) == [("spec/mode", "must be 'x'; found 'y'", CORRECT)]


@for_each(
    ("value", "offered"),
    [
        ({"a": 1}, Repair(Change.ADD, (), "2", "size")),
        ({"size": 1}, None),  # `a` has no default
        ({"a": 1, "size": 1, "colr": 2}, Repair(Change.KEY, ("colr",), "colour")),
        ({"a": 1, "size": 1, "colr": 2, "colour": 3}, None),
        ({"a": 1, "size": 1, "enabld": True}, Repair(Change.KEY, ("enabld",), "enabled")),
        ({"a": 1, "size": 1, "enabld": "yes"}, None),  # with the right name, it would have the wrong type
    ],
)
def test_a_certain_fault_has_a_fix(value: Any, offered: Repair | None) -> None:
    properties = {"a": {}, "size": {}, "colour": {}, "enabled": {"type": "boolean"}}
    keys: dict[str, Any] = {"properties": properties, "required": ["a", "size"]}
    schema = {**keys, "additionalProperties": False, "x-gitgpu-defaults": {"size": "2"}}
    assert explain_faults(schema, value)[-1].repair == offered


@for_each(
    ("word", "offered"),
    [
        ("premum", "premium"),
        ("Standard", "standard"),
        ("of", '"off"'),  # YAML reads off without quotes as false
        ("free", ""),
        ("stand", ""),
        ("blocx", "block"),  # one wrong letter in five
        ("blxcx", ""),
        ("bloc", "block"),
        ("managed", "managedv2"),
        ("diskV1", "diskv1"),
        ("disk3", ""),  # diskv1 or diskv2
    ],
)
def test_a_misspelt_word_has_a_fix(word: str, offered: str) -> None:
    allowed = ["standard", "premium", "off", 5, "block", "managedv2", "diskv1", "diskv2"]
    (fault,) = explain_faults({"enum": allowed}, word)
    assert fault.repair == (Repair(Change.VALUE, (), offered) if offered else None)


@for_each(
    ("document", "remedy", "is_moved"),
    [
        ({"spec": {"depth": 1, "inner": {"width": 1}}}, "move it to spec.inner", True),
        ({"spec": {"depth": 1, "inner": {"depth": 2}}}, "move it to spec.inner", False),
        ({"spec": {"depth": 1, "inner": {}}}, "move it to spec.inner", False),
        ({"spec": {"depth": 1}}, "move it to spec.inner", False),
        ({"spec": {"inner": {"weight": 1, "width": 2}}}, "move it to spec", True),
        ({"spec": {"inner": {"weight": 1}}}, "move it to spec", False),  # `inner` would be left without a value
        ({"weight": 1, "spec": {"inner": {}}}, "move it to spec", True),
        ({"metadata": {"weight": 1}, "spec": {"inner": {}}}, "remove it; the allowed keys are name", False),
        ({"key": 1, "data": {"id": 1}}, "remove it; the allowed keys are data, metadata, spec", False),
        ({"spec": {"size": 1, "inner": {"width": 1}}}, "remove it; the allowed keys are extent, inner, weight", False),
        ({"spec": {"extend": 1, "inner": {"width": 1}}}, "rename it to 'extent'", False),
    ],
    ids=str,
)
def test_where_an_unknown_key_belongs(document: Any, remedy: str, *, is_moved: bool) -> None:
    def closed(**properties: Any) -> Any:
        return {"type": "object", "properties": properties, "additionalProperties": False}

    inner = closed(depth={}, width={}, extend={}, a=closed(size={}), b=closed(size={}))
    spec = closed(inner=inner, weight={}, extent={})
    schema = closed(metadata=closed(name={}), spec=spec, data=closed(id={}, key={}))
    (fault,) = explain_faults(schema, document)
    assert fault.help == remedy
    assert (fault.repair is not None and fault.repair.change is Change.MOVE) is is_moved


@for_each(
    ("value", "remedy"),
    [
        ({"spec": {"depth": 1}}, "remove 'spec:', and move its contents one level up"),
        ({"spec": {"depth": 1, "other": 1}}, "remove it; the allowed keys are depth, width"),
        ({"spec": {}}, "remove it; the allowed keys are depth, width"),
        ({"spec": 1}, "remove it; the allowed keys are depth, width"),
        ({"spec": {"depth": 1}, "depth": 2}, "remove it; the allowed keys are depth, width"),
    ],
    ids=str,
)
def test_a_level_is_superfluous_if_all_its_keys_are_missing_one_level_up(value: Any, remedy: str) -> None:
    schema = {"properties": {"depth": {}, "width": {}}, "additionalProperties": False}
    assert [word[2] for word in words(value, schema)] == [remedy]


@pytest.mark.parametrize(
    ("other", "remedy"),
    [
        ({"b": {"more": 1}}, "move it to spec.b"),
        ({"b": {}}, "remove it; the allowed keys are c"),
        ({}, "remove it; the allowed keys are c"),
    ],
)
def test_a_key_belongs_to_another_mapping_only_if_the_document_has_it(other: Any, remedy: str) -> None:
    closed = {"properties": {"c": {}}, "additionalProperties": False}
    schema = {"properties": {"spec": {"properties": {"a": closed, "b": {"properties": {"depth": {}}}}}}}
    ((place, _, found),) = words({"spec": {"a": {"depth": 1}, **other}}, schema)
    assert (place, found) == ("spec/a/depth", remedy)


def test_a_default_is_not_added_beside_a_key_that_may_be_its_misspelling() -> None:
    schema = {"type": "object", "required": ["size"], "x-gitgpu-defaults": {"size": "2"}}
    assert explain_faults(schema, {"colour": 3})[0].repair == Repair(Change.ADD, (), "2", "size")
    assert explain_faults(schema, {"colour": 3, "sizes": 3})[0].repair is None


def test_a_patch_may_omit_required_keys() -> None:
    partial = Dialect(partial=True)
    assert words({"nodes": 0, "tier": None}, POOL, partial) == [
        ("nodes", "must be a whole number from 1 to 100; found 0", "correct the value, for example 3")
    ]


def test_a_directive_of_a_patch_is_not_a_fault() -> None:
    patch = {"nodes": 0, "$patch": "replace", "limits": {"$retainKeys": ["a"]}}
    assert [pointer for pointer, *_ in words(patch, POOL, Dialect(partial=True))] == ["nodes"]


def test_null_in_a_list_of_a_patch_is_a_value() -> None:
    """In a mapping it deletes a key."""
    assert words({"zones": [None]}, POOL, Dialect(partial=True)) == [
        ("zones/0", "must be text; found null", "give it a value, or remove the item")
    ]


def test_a_value_without_a_fault_that_can_be_explained() -> None:
    (fault,) = explain_faults({}, 1)
    assert fault.message == "does not match its schema"
    assert fault.help == "compare it with the documentation of its kind"


def test_branches_that_allow_several_types_have_no_name() -> None:
    schema = {"anyOf": [{"type": ["string", "null"]}, {"type": ["integer", "null"]}]}
    assert words([], schema) == [("", "must have one of the allowed forms; found an empty list", CORRECT)]


def test_references_and_formats_come_from_the_dialect() -> None:
    formats = {"even": lambda value: value % 2 == 0}
    dialect = Dialect(resolve=lambda name: {"format": name.removeprefix("#")}, formats=formats)
    assert words({"a": 3}, {"properties": {"a": {"$ref": "#even"}}}, dialect) == [
        ("a", "3 is not a valid even", CORRECT)
    ]


def test_where_unknown_keys_belong_is_looked_up_once_for_all_of_them() -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "x"}}, "additionalProperties": False}
    asked: list[str] = []

    def resolve(name: str) -> Any:
        asked.append(name)
        return {"type": "object", "properties": {"k1": {}}}

    faults = explain_faults(schema, {f"k{number}": 1 for number in range(100)}, Dialect(resolve))
    assert [fault.help for fault in faults if fault.pointer == ("k1",)] == ["remove it; the allowed keys are a"]
    assert (len(faults), len(asked)) == (100, 1)


def test_only_the_first_of_very_many_faults_are_listed_and_the_rest_is_counted() -> None:
    schema, value = {"items": {"type": "string"}}, [1] * 1002
    faults = explain_faults(schema, value)
    assert fault_places(schema, value) == [fault.pointer for fault in faults]
    assert (len(faults), faults[-1][:3]) == (1001, ((), "2 more faults", "correct the listed faults first"))
    assert [fault.pointer for fault in faults[:-1]] == [(index,) for index in range(1000)]


def test_a_long_value_is_cut() -> None:
    message = explain_faults({"enum": ["a"]}, "x" * 200)[0].message
    assert message == f"must be one of a; found '{'x' * 60}'..."


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
@settings(max_examples=2, deadline=None)
@given(data=st.data())
def test_whatever_is_refused_is_explained_at_a_place(path: Path, data: st.DataObject) -> None:
    schema = json.loads(path.read_text("utf-8"))
    value = data.draw(mutants(data.draw(documents(schema))))
    dialect = Dialect(formats=FORMATS)
    if compile_schema(schema, dialect)(value):
        return
    faults = explain_faults(schema, value, dialect)
    assert [fault.message for fault in faults] != ["does not match its schema"]
    assert len({fault.pointer for fault in faults}) == len(faults)
    for fault in faults:
        part_value = value
        for part in fault.pointer[:-1]:
            part_value = part_value[part]
        assert fault.message
        assert fault.help


def test_a_sound_document_never_loads_jsonschema() -> None:
    code = (
        "import sys; from gitgpu.load.validate.compiler import compile_schema; import gitgpu.load.explain.faults; "
        "assert compile_schema({'type': 'object'})({}); assert 'jsonschema' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


def test_only_a_key_that_can_be_moved_is_fixable() -> None:
    spec = {"type": "object", "additionalProperties": False, "properties": {"a": {}, "b": {}}}
    schema = {"type": "object", "properties": {"spec": spec, "kind": {}}, "additionalProperties": False}

    def is_moved(value: Any, **others: Any) -> bool:
        faults = explain_faults(schema, {"spec": {"b": 1}, **others, "a": value}, Dialect())
        return [fault.repair is not None for fault in faults if fault.pointer == ("a",)] == [True]

    assert is_moved(1)
    assert not any(is_moved(value) for value in ({"x": 1}, [1], "x\ny"))
