"""The checker follows the semantics of JSON Schema."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gitgpu.load.validate.compiler import Dialect, compile_schema, local_references
from gitgpu.load.validate.formats import FORMATS
from gitgpu.load.validate.keywords import anything
from gitgpu.load.validate.patterns import compile_pattern
from tests.helping.cases import for_each

FACTS = ("_cel", "_kinds", "_releases")  # in the folder of contracts, but not schemas
SCHEMAS = sorted(path for path in (Path(__file__).parents[2] / "schemas").rglob("*.json") if path.stem not in FACTS)
EVERY = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}

CASES = [
    # schema, accepted values, refused values
    ({"type": "string"}, ["", "a"], [1, None, True, [], {}]),
    ({"type": "integer"}, [0, -5], [True, 1.0, "1", None]),
    ({"type": "number"}, [0, 1.5], [True, "1", None]),
    ({"type": "boolean"}, [True, False], [0, 1, "true"]),
    ({"type": "null"}, [None], [0, "", False]),
    ({"type": ["string", "null"]}, ["a", None], [1, []]),
    ({"type": "array", "items": {"type": "integer"}}, [[], [1]], [["a"], {}, "a"]),
    ({"type": "object", "additionalProperties": {"type": "string"}}, [{}, {"a": "b"}], [{"a": 1}, [], "a", None]),
    (
        {"minProperties": 1, "type": "object", "additionalProperties": {"type": "string"}},
        [{"a": "b"}],
        [{}, ["a"], {"a": 1}, {"a": "b", "c": 1}],
    ),
    ({"minItems": 1, "type": "array"}, [[1]], [[], "a", {"a": 1}]),
    ({"minItems": 1, "type": "array", "items": {"type": "integer"}}, [[1], [1, 2]], [[], ["a"], [1, "a"], "a"]),
    ({"properties": {"a": {}}, "maxProperties": 1}, [{"a": 1}, {"b": 1}, []], [{"a": 1, "b": 2}]),
    ({"minItems": 1, "maxItems": 2}, [[1], [1, 2], "other"], [[], [1, 2, 3]]),
    (
        {"uniqueItems": True},
        [[1, True], ["a", "b"], [[1], [True]], ["a", 1, True], ["a", ["a"]]],
        [[1, 1], ["a", "a"], [{"a": 1}, {"a": 1}], [1, 1.0], [1, 2, 1], ["a", 1, "a"]],
    ),
    (
        {"x-gitgpu-unique-by": ["a", "b"]},
        [[{"a": 1, "b": 1}, {"a": 1, "b": 2}], [{"a": 1}, {"a": True}], [1, 1], {}],
        [[{"a": 1, "b": 1}, {"b": 1, "a": 1, "c": 2}], [{"a": 1}, {"a": 1}]],
    ),
    ({"minLength": 1, "maxLength": 2}, ["a", "ab", 5], ["", "abc"]),
    ({"minLength": 2, "maxLength": 3, "pattern": "^a"}, ["aa", "abc", 5], ["a", "abcd", "ba"]),
    ({"pattern": "^a$|^b$"}, ["a", "b", 5], ["a\n", "ab", "c"]),
    ({"enum": ["a", 1, None]}, ["a", 1, 1.0, None], ["b", True, 2, []]),
    ({"const": {"a": [1]}}, [{"a": [1]}], [{"a": [True]}, {"a": [1, 1]}, {}]),
    ({"const": False}, [False], [0, None]),
    ({"const": {}}, [{}], [[], None]),
    ({"const": []}, [[]], [{}, None]),
    ({"const": {"a": 1, "b": 2}}, [{"b": 2, "a": 1}], [{"a": 1, "b": 3}, {"a": 2, "b": 2}]),
    ({"enum": [["a", "b"], "cd"]}, [["a", "b"], "cd"], ["ab", ["c", "d"]]),
    ({"minimum": 1, "exclusiveMaximum": 3}, [1, 2.5, "x"], [0, 3]),
    ({"multipleOf": 3}, [0, -6, 9.0, 9.000000001, "x", True], [1, 4.5]),
    (
        {"multipleOf": 0.1},
        [0, 0.3, 7, 10**400, 0.30000000008, 1.0000000007, 0.10000000015],
        [0.25, 0.300000001, 1.000000003, 0.00000000005],
    ),
    ({"exclusiveMinimum": 1, "maximum": 3}, [1.5, 3, True], [1, 4]),
    ({"required": ["a", "b"]}, [{"a": 1, "b": 2}, "x"], [{"a": 1}, {}]),
    ({"minProperties": 1, "maxProperties": 1}, [{"a": 1}, []], [{}, {"a": 1, "b": 2}]),
    (EVERY, [{}, {"a": "x"}], [{"a": 1}, {"b": "x"}, [], "a", None]),
    ({"additionalProperties": {"type": "string"}}, [{"a": "x"}, 5], [{"a": 1}]),
    (
        {"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False},
        [{"x-a": 1}],
        [{"x-a": "1"}, {"a": 1}],
    ),
    (
        {"properties": {"x-a": {"minimum": 2}}, "patternProperties": {"^x-": {"maximum": 5}}},
        [{"x-a": 3}],
        [{"x-a": 1}, {"x-a": 9}],
    ),
    ({"propertyNames": {"maxLength": 2}}, [{"ab": 1}, []], [{"abc": 1}, {"ab": 1, "abc": 1}]),
    ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, [1, 2, "x"], [0, 3]),
    ({"anyOf": [{"type": "string"}, {"minimum": 5}]}, ["a", 5, None], [4]),
    ({"oneOf": [{"minimum": 5}, {"maximum": 10}]}, [1, 11], [7, "x"]),
    ({"not": {"required": ["a"]}}, [{}], [{"a": 1}, "x"]),
    ({"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"minimum": 1}}, ["a", 1, None], ["", 0]),
    ({"if": {"type": "string"}, "else": {"minimum": 1}}, ["", 1], [0]),
    ({"properties": {"a": False}}, [{}, {"b": 1}], [{"a": 1}]),
    ({"definitions": {"d": {"type": "string"}}, "items": {"$ref": "#/definitions/d"}}, [["a"]], [[1]]),
    ({"type": "array", "items": {"$ref": "#"}}, [[], [[[]]]], [[1], [[1]], "a"]),
    ({}, [1, None, {}], []),
]


@for_each(("schema", "accepted", "refused"), CASES, ids=[json.dumps(case[0])[:50] for case in CASES])
def test_keywords_have_the_meaning_of_the_standard(schema: Any, accepted: list[Any], refused: list[Any]) -> None:
    check = compile_schema(schema)
    assert [value for value in accepted if not check(value)] == []
    assert [value for value in refused if check(value)] == []


def test_true_accepts_and_false_refuses_every_value() -> None:
    assert compile_schema(True)(None)
    assert not compile_schema(False)(None)


@for_each(
    ("schema", "message"),
    [
        ({"requried": ["a"]}, "unsupported schema keyword: requried"),
        ({"dependencies": {}}, "unsupported schema keyword: dependencies"),
        ({"format": "date"}, "unsupported format: date"),
        (
            {"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {}}},
            "unsupported schema keyword: one next to $ref",
        ),
        ({"$ref": "https://example.org/schema.json"}, "$ref 'https://example.org/schema.json' leads out of the schema"),
        ({"pattern": "(a"}, "pattern '(a': missing ), unterminated subpattern at position 0"),
        ({"pattern": r"\p{unheard}"}, r"pattern '\\p{unheard}': \p is not supported"),
        ({"pattern": "[[:unheard:]]"}, "pattern '[[:unheard:]]': [:unheard:] is not supported"),
        ({"pattern": "[[:a]b:]"}, "pattern '[[:a]b:]': [ is not supported"),
        (
            {"pattern": "a{99999999999}(?=b"},
            "pattern 'a{99999999999}(?=b': the repetition number is too large",
        ),
        (
            {"pattern": "a(?i)b(?=c)"},
            "pattern 'a(?i)b(?=c)': (?i) is supported only at the start",
        ),
    ],
    ids=str,
)
def test_a_schema_with_an_unsupported_keyword_is_refused(schema: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        compile_schema(schema)


def test_a_schema_is_a_mapping() -> None:
    with pytest.raises(TypeError, match=r"^a schema is a mapping or a boolean, not \[\{'type': 'string'\}\]$"):
        compile_schema({"items": [{"type": "string"}]})


def test_committed_schemas_use_known_keywords_only() -> None:
    for path in SCHEMAS:
        root = json.loads(path.read_text("utf-8"))
        for schema in _subschemas(root):
            compile_schema(schema, Dialect(resolve=local_references(root), formats=FORMATS))


def _subschemas(schema: Any) -> Iterator[Any]:
    if not isinstance(schema, dict):
        return
    yield schema
    for word in ("properties", "patternProperties", "definitions"):
        for sub in schema.get(word, {}).values():
            yield from _subschemas(sub)
    for word in ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else"):
        yield from _subschemas(schema.get(word))
    for word in ("allOf", "anyOf", "oneOf"):
        for sub in schema.get(word, ()):
            yield from _subschemas(sub)


# pattern, texts that it matches, texts that it does not match
PATTERNS = [
    ("^a$", ["a"], ["a\n", "ba"]),
    ("a$|^b", ["xa", "bx"], ["a\n", "ab\n"]),
    (r"^\d+$", ["12"], ["\u0661\u0662", "1\n"]),
    (r"^\$5$", ["$5"], ["5", "$5\n"]),
    ("^[$a]+$", ["$a"], ["b", "a\n"]),
    ("^[a$]+$", ["$a"], ["b", "a\n"]),
    ("^[^]a]$", ["b"], ["a", "]"]),
    ("^[]a]$", ["]", "a"], ["b"]),
    ("^[a[]$", ["a", "["], ["]", "b"]),
    ("^[a[b]$", ["a", "["], ["]", "c"]),
    ("^[:a]+$", [":", "a:"], ["", "b"]),
    ("^[:a:]+$", [":", "a:"], ["", "[", "]"]),
    ("^[[:a]+$", [":", "[", "a"], ["", "b"]),
    ("^[:x][a[]$", [":a", "x["], ["x]"]),
    ("^[[][:x]$", ["[:", "[x"], ["[]"]),
    ("^[a||b&&c~~d]+$", ["a|&~"], ["", "\\"]),
    (r"^[\d|]$", ["1", "|"], ["d", "\u0661"]),
    ("^[ab$]$", ["a", "$"], ["", "a\n"]),
    (r"^[\[a]$", ["[", "a"], ["\\", "]"]),
    (r"^[\^a]$", ["^", "a"], ["\\", "b"]),
    (r"^[\]a]$", ["]", "a"], ["\\"]),
    ("(?i)^ab$", ["AB", "ab"], ["abc"]),
    ("^(?i)(abort|warn)?$", ["", "Warn", "ABORT"], ["x"]),
    ("^[(?i)]$", ["(", "i"], ["I"]),
    (r"a\z", ["ba"], ["a\n"]),
    ("^a{,2}$", ["a{,2}"], ["", "aa"]),
    ("^[a{,2}]+$", ["a{,2}"], ["\\"]),
    (r"^\s+$", ["\t\n\f\r "], ["\x0b", "\x1c", "\x85", "\xa0", "\u2003"]),
    (r"^\S+$", ["\x0b\x1c\x85\xa0\u2003a"], ["", "\t", "\n", "\f", "\r", " "]),
    (r"^[a\s]+$", ["a\t\n\f\r "], ["\x0b", "\xa0", "s"]),
    (r"^[^a\s]+$", ["\x0b\xa0s"], ["a", "\t", "\n", "\f", "\r", " "]),
    (r"^[\S\n]+$", ["\x0b\na"], ["\t", " "]),
    (r"^[\w-.]+$", ["a-._1"], ["", ",", "/"]),
    (r"^[\d-]+$", ["1-"], ["\\"]),
    (r"^[\s-a]+$", [" -a"], ["\x0b", "!", "A"]),
    (r"^[\d--/]+$", ["1-./"], [",", "\\"]),
    (r"^.$", ["\r", "\x0b", "\u2028"], ["\n"]),
    (r"^\w\b.$", ["aé"], ["é ", "ab"]),
]
ONLY_RE2 = [
    ("^[[:alpha:]_]+$", ["aZ_"], ["", ":", "1", "["]),
    ("^[a[:^digit:]]$", ["a", ":"], ["1", "^]"]),
    (r"^[\pL]$", ["a", "é"], ["1", "{"]),
    ("^(a(?i)b)c$", ["abc", "aBc"], ["Abc", "abC"]),
    (r"^\x{61}$", ["a"], ["x", "x{61}"]),
    (r"^\x{61}+$", ["a", "aa"], ["x{61}"]),
    (r"^\Qa.b\E$", ["a.b"], ["axb"]),
]


@for_each(("pattern", "matched", "missed"), [*PATTERNS, *ONLY_RE2])
def test_patterns_have_the_meaning_of_re2(pattern: str, matched: list[str], missed: list[str]) -> None:
    search = compile_pattern(pattern).search
    assert [text for text in matched if not search(text)] == []
    assert [text for text in missed if search(text)] == []


def test_a_cached_result_for_a_text_does_not_apply_to_other_types() -> None:
    check = compile_schema({"type": "string", "pattern": "^a"})
    assert [check(value) for value in ("a", "a", "b", 1, None, ["a"])] == [True, True, False, False, False, False]


def test_a_schema_without_limits_costs_nothing() -> None:
    """The checks of lists and mappings omit it."""
    for schema in (True, {}, {"title": "a"}, {"allOf": [True, {}]}):
        assert compile_schema(schema) is anything, schema


def test_a_patch_may_omit_and_delete_keys_and_use_directives() -> None:
    schema = {
        "required": ["a"],
        "additionalProperties": False,
        "properties": {"a": {"type": "string"}, "b": {"required": ["c"], "additionalProperties": {"type": "string"}}},
    }
    patch = compile_schema(schema, Dialect(partial=True))
    assert patch({"b": {}})
    assert patch({"a": None, "$patch": "replace"})
    assert patch({"b": {"d": None, "$x": 1}})
    assert not patch({"a": 1})
    assert not patch({"z": 1})
    assert not patch({"b": {"d": 1}})
    assert not compile_schema(schema)({"b": {}})


def test_references_and_formats_come_from_the_dialect() -> None:
    asked: list[str] = []

    def resolve(name: str) -> Any:
        asked.append(name)
        return {"type": "string", "format": "even"}

    dialect = Dialect(resolve=resolve, formats={"even": lambda value: len(value) % 2 == 0})
    check = compile_schema({"properties": {"a": {"$ref": "x#a"}, "b": {"$ref": "x#b"}}}, dialect)
    assert asked == []
    assert check({"a": "ab"})
    assert not check({"a": "abc"})
    assert asked == ["x#a"], "only what a document reaches is compiled, and once"


def test_an_invalid_factor_refuses_nothing() -> None:
    assert all(compile_schema({"multipleOf": factor})(7) for factor in (0, -1, 0.0))
