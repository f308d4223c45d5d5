"""Examples in the output of `explain` can be pasted into a spec."""

import json
from collections.abc import Iterator
from typing import Any

import yaml

from gitgpu.load.read import data_text
from gitgpu.report.reference.field import explain, facts, shown_value
from tests.helping.cases import for_each

SCHEMA = json.loads(data_text("schemas/fleet.schema.json"))


def examples(part: Any) -> Iterator[Any]:
    """Every example of the schema."""
    if isinstance(part, dict):
        yield from part["examples"] if isinstance(part.get("examples"), list) else ()
        for value in part.values():
            yield from examples(value)
    elif isinstance(part, list):
        for value in part:
            yield from examples(value)


@for_each("text", ["1.30", "true", "No", "10%", ">=80", "4711", "1e3", "a: b", "x:", "", "10h", "https://x/y"])
def test_a_text_is_read_back_as_that_text(text: str) -> None:
    assert shown(text) == text


@for_each("word", ["true", "false", "yes", "no", "on", "off", "null", "y", "n"])
def test_a_word_that_any_reader_resolves_to_another_type_is_quoted(word: str) -> None:
    for text in (word, word.upper(), word.capitalize()):
        assert shown_value(text) == f'"{text}"'
    assert shown_value(f"{word}x") == f"{word}x"


def test_every_example_can_be_pasted() -> None:
    listed = list(examples(SCHEMA))
    assert len(listed) > 50
    assert [example for example in listed if shown(example) != example] == []


def shown(value: Any) -> Any:
    """A value as parsed from the output for a field with this example."""
    page = explain("x", facts({"type": "string", "examples": [value]}, {}, required=False))
    [line] = [line for line in page.splitlines() if line.startswith("EXAMPLE")]
    return yaml.load(f"[{line.partition(':')[2]}]", yaml.CSafeLoader)[0]


@for_each(
    ("part", "type_", "allowed"),
    [
        ({"const": "spot"}, "string", "spot"),
        ({"enum": ["info", "never"]}, "string", "info, never"),
        ({}, "any", ""),
        ({"type": ["string", "null"]}, "string or null", ""),
        ({"type": "integer", "minimum": 1}, "integer", "1 or more"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "integer", "1 to 9"),
        ({"type": "string", "enum": ["a", "b"]}, "string", "a, b"),
    ],
)
def test_the_type_and_the_allowed_values(part: Any, type_: str, allowed: str) -> None:
    known = facts(part, {}, required=False)
    assert known["type"] == type_
    assert (known["allowed"] or "").startswith(allowed)


@for_each(
    ("value", "text"),
    [
        ({"key": "sku", "value": "gpu", "gone": None}, "{key: sku, value: gpu, gone: null}"),
        ({"query": 'avg(x{pod=~"a-.*"})'}, "{query: 'avg(x{pod=~\"a-.*\"})'}"),
        (['it\'s "so"'], '["it\'s \\"so\\""]'),
        ({"nvidia.com/gpu": 1, "a b": "true"}, '{nvidia.com/gpu: 1, "a b": "true"}'),
        ({"text": "1\n2"}, '{text: "1\\n2"}'),
        ({"owner": "Größe: 5 €"}, '{owner: "Größe: 5 €"}'),
        ({"path": 'C:\\"x"'}, '{path: "C:\\\\\\"x\\""}'),
    ],
)
def test_a_value_is_quoted_once(value: object, text: str) -> None:
    """It is YAML with the same value, without escaped quotes if single quotes are enough."""
    assert shown_value(value) == text
    assert yaml.load(text, yaml.CSafeLoader) == value
