"""The quick reader gives exactly the result of PyYAML's events, or leaves the text to PyYAML."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.load.parse.plain import plain_documents
from gitgpu.load.parse.quick import parse_quickly
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each

ROOT = Path(__file__).parents[2]
POOL = """\
# a comment
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: t4 # a comment
  labels: {team: "a b", 'on': yes, n/x: [1, -2, {a: ~}]}
spec:
  limits:
    nvidia.com/gpu: "8"
  requirements:
  - key: sku
    values: [Standard_NC16as_T4_v3]

  -   key: http://a:80/#b
      values:
        - it's
        - 'it''s'
        - - 1
          - 0x10
        -
  text: |
    one

      two # three
  stripped: |-
    four
  folded: >-
    five
    six

    seven
  long: a text that
    goes on

    - below
  quoted: 'it''s
    more' # a comment
  double: "eight

    nine "
  flow: [--a-b, x:1, a b - c, http://a/b]
  wrapped: [a, "b,
    c", {d: 1,
      e: [
        'f]',
      2]}
    ]
  begun: { # a comment
    g: h i}
  empty:
---
kind: List
items: []
"""
JSON = '{"kind": "List", "items": [{"a": 1e3, "b": [true, null, "x\\n\\u0041\\"", -0, 1.50]}, {}, []]}'


def exactly(value: Any) -> Any:
    """A form of a value that is equal to another only if types and key order are equal too."""
    if isinstance(value, dict):
        return [(key, exactly(inner)) for key, inner in value.items()]
    return [exactly(inner) for inner in value] if isinstance(value, list) else (type(value), value)


def is_plain(content: str) -> bool:
    """Whether the quick reader reads a text. If so, asserts that the result is that of PyYAML."""
    plain = plain_documents(content)
    if plain is None:
        return False
    documents, faults = parse(Text("f.yaml", content, "f.yaml"), as_json=True)
    assert faults == []
    assert parse(Text("f.yaml", content, "f.yaml"))[1] == []  # text keys only, and no tags
    assert [exactly(document.data) for document in plain] == [exactly(document.data) for document in documents]
    for quick, slow in zip(plain, documents, strict=True):
        start = slow.places.start
        assert quick.start == (start.line, start.column) if quick.start else slow.data is None
    return True


def nested_keys(levels: int) -> str:
    """Mappings inside each other, in lines."""
    return "".join(f"{' ' * level}a:\n" for level in range(levels))


def nested_lists(levels: int) -> str:
    """Lists inside each other, in JSON."""
    return "[" * levels + "]" * levels


@for_each(
    "content",
    [
        *(POOL, JSON, f"\n\n  {JSON}\n", "", "# a\n", "---\n# a\n---\na: 1\n---\n", "- a\n- b: 1\n", "- [a,\n  b]\n"),
        *("a: |\n  \n  b\n", "a: |\n  b\nc: d", "--- \na: 1\n", "a: b\n\n  c\nd: e\n"),
        *("a: \"it''s\"\n", "a: '\"it''s'\n", "a: [\"it''s\", '\"it''s']\n", "a: -9223372036854775808\n"),
        *(nested_keys(49), nested_lists(50), f'{{"a": 1, "{"k" * 100}": 2}}'),
    ],
)  # fmt: skip
def test_plain_texts_are_read(content: str) -> None:
    assert is_plain(content)


@for_each(
    "content",
    [
        *("a: 1\na: 2\n", "{a: 1, a: 2}", '{"a": 1, "a": 2}', "1: a\n", "on: a\n", "~: a\n", "{x: {1: a}}\n"),
        *("a: &b 1\n", "a: *b\n", "a: !!str 1\n", "<<: {a: 1}\n", "a: {<<: {b: 1}}\n", "? a\n", "a: b: c\n"),
        *("a: b\n  c: d\n", "a: b\n  # c\n  d\n", "a: 'b'\n  c\n", "a:\n  b\n", "a\n"),
        *("- a\n  b: 1\n", "a: 1\n  b: 2\n", "  a: 1\n b: 2\n", "- a\nb: 1\n"),
        *('a: "b\\u0041"\n', 'a: "b\n  \\n"\n', "a: 'b\nc'\n", "a: 'b\n", "a: 'b\n  c' d\n"),
        *("a: [b,\nc]\n", "a: [b\n  c]\n", "a: [b,\n\n  c]\n", "a: [b,\n  # d\n  c]\n", "a: {b:\n  c}\n"),
        *("a: [b,\n  c\n", "a: [b,\n  c] d\n", "a: [b,\n  {c}]\n", "a: {b: 1,\n  b: 2}\n", "a: [b,\n  c,\n  ]\n"),
        *("a: >\n  b\n   c\n", "a: >\n\n  b\n", "a: |+\n  b\n", "a: |2\n   b\n"),
        *("a: |\n  b", "a: |\nb: 1\n", "a:\tb\n", "a: b\r\n", "a: \x85b\n", "a: \u2028b\n"),
        *("%YAML 1.1\n---\na: 1\n", "a: 1\n...\n", '{"a": "\\/"}', f'{{"{"a" * 2000}": 1}}'),
        *('{"a": NaN}', '{"a": "\\ud83d\\ude00"}', '{"a" : 1}', '{"a": 1} {}'),
        *(nested_lists(51), nested_keys(50), f"{'a' * 1100}: 1\n", f'{{"a": 1, "{"k" * 101}": 2}}'),
        *("a: |\n   \n  b\n", "a: |\n   \n\n  b\n", 'a: "b\n  c\\\n  d"\n', "a: b\n# c\n  d\n", "b\na: c"),
        *("-   - a\n  - b\n", "a: [b,\n   \n  c]\n", "a: [b,\n  c\n  d]\n", "a: {'b' 'c'}\n", "a: [b: , c]\n"),
        *("a: [[b\n  ], c]\n", "a: ['b' x 'c']\n", "---a: 1\n"),
    ],
)  # fmt: skip
def test_other_texts_are_left_to_pyyaml(content: str) -> None:
    assert plain_documents(content) is None


def test_examples_of_rules_and_overlays_are_plain() -> None:
    texts = [text for rule in object_rules() for text in (*rule.bad_examples, rule.good)]
    texts += [path.read_text("utf-8") for path in (ROOT / "overlays").rglob("*.yaml")]
    plain = sum(map(is_plain, texts))
    assert plain > 0.9 * len(texts)


def test_rows_of_the_catalog_are_plain() -> None:
    """So PyYAML, which is slow to import, is not needed for them."""
    rows = [path for path in (ROOT / "catalog").rglob("*.yaml") if not is_plain(path.read_text("utf-8"))]
    assert rows == []


def test_every_file_of_the_corpus_is_read_as_by_pyyaml() -> None:
    paths = [
        path for path in (ROOT / "tests" / "lint_corpus").rglob("*.*") if path.suffix in (".yaml", ".yml", ".json")
    ]
    assert paths
    for path in paths:
        is_plain(path.read_text("utf-8"))


PIECES = (
    *"\n -:#'\"[]{},|>&*!%@`?~=<+.0y1eE_/\\\t\r\x85\xa0",
    *(
        "\n---\n",
        "\n...\n",
        ": ",
        "- ",
        "|-\n",
        "|\n",
        " #",
        "''",
        '""',
        "null",
        "<<: ",
        "on",
        "0x1",
        "\\u0041",
        "\n\n",
    ),
    *(
        "[]",
        "{}",
        "[a,\n    b",
        ",\n",
        "\n- ",
        "- - ",
        "? ",
        "key: ",
        "k: [a: b]",
        "k: {a}",
        "k: [a,]",
        "k: 'a' b",
        "k:v",
    ),
)


@given(st.randoms(use_true_random=False), st.sampled_from([POOL, JSON]))
@settings(max_examples=200, deadline=None)
def test_texts_with_mistakes_are_read_as_by_pyyaml(chance: random.Random, content: str) -> None:
    for _ in range(chance.randint(1, 3)):
        at, lines = chance.randrange(len(content) + 1), content.split("\n")
        number = chance.randrange(len(lines))
        match chance.randrange(4):
            case 0:
                content = content[:at] + chance.choice(PIECES) + content[at + chance.randrange(3) :]
            case 1:
                lines[number] = " " * chance.randrange(8) + lines[number].lstrip()
                content = "\n".join(lines)
            case 2:
                content = "\n".join([*lines[:number], *lines[number + 1 :]])
            case _:
                content = "\n".join([*lines[:number], chance.choice(lines), *lines[number:]])
    is_plain(content)


def test_values_of_repeated_lines_are_not_shared() -> None:
    first, second = plain_documents("a: [1, {b: []}]\n---\na: [1, {b: []}]\n") or (None, None)
    assert first
    assert second
    first.data["a"][1]["b"].append(2)
    assert second.data == {"a": [1, {"b": []}]}


def test_places_are_those_of_pyyaml() -> None:
    for content in (POOL, JSON):
        text = Text("f.yaml", content, "f.yaml")
        documents, _ = parse(text, as_json=True)
        quick, faults = parse_quickly(text)
        assert faults == []
        for ours, theirs in zip(quick, documents, strict=True):
            for pointer in (
                (),
                ("kind",),
                ("items", 0, "b", 2),
                ("spec", "requirements", 1, "values"),
                ("metadata", "labels"),
            ):
                assert ours.places.span(pointer) == theirs.places.span(pointer)
                assert ours.places.span(pointer, key=True) == theirs.places.span(pointer, key=True)


@pytest.mark.parametrize("content", [POOL, JSON])
def test_a_lazy_map_gives_the_places_of_pyyaml(content: str) -> None:
    text = Text("f.yaml", content, "f.yaml")
    for lazy, (data, places) in zip(parse_quickly(text)[0], parse(text, as_json=True)[0], strict=True):
        pointers = list(_pointers(data))
        for pointer in (*pointers, *((*pointer, wrong) for pointer in pointers for wrong in ("none", 99, -1))):
            assert lazy.places.has(pointer) == places.has(pointer)
            assert lazy.places.span(pointer) == places.span(pointer)
            assert lazy.places.span(pointer, key=True) == places.span(pointer, key=True)
        for part in pointers:
            assert lazy.places.move(part, ("a", "b")).span(("a", "b")) == places.span(part)
            ours, theirs = (map_.patch(("spec",), part, {}) for map_ in (lazy.places, places))
            assert ours.span(("spec",)) == theirs.span(("spec",))


def _pointers(data: Any) -> Iterator[tuple[str | int, ...]]:
    yield ()
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in below:
        yield from ((key, *pointer) for pointer in _pointers(value))


def test_faults_are_those_of_pyyaml() -> None:
    text = Text("f.yaml", "a: 1\na: 2\nb: [\n", "f.yaml")
    assert parse_quickly(text)[1] == parse(text, as_json=True)[1] != []
