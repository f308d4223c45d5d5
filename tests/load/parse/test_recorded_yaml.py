"""Small YAML texts: whether they are plain, and their data and faults.

Texts that are not plain are read by PyYAML, with the same data. So the snapshots also show which texts are read fast.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.parse.flow_values import FlowError, flow_value
from gitgpu.load.parse.plain import plain_documents
from gitgpu.load.parse.plain_lines import line_of, unfinished_scalar
from gitgpu.load.parse.plain_texts import NotPlainError, block_text, read_continued, read_quoted
from gitgpu.load.parse.quick import parse_quickly
from gitgpu.load.parse.scalars import resolve
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text

SCALARS = [
    "",
    "~",
    "null",
    "NULL",
    "nul",
    "yes",
    "Yes",
    "yEs",
    "no",
    "on",
    "off",
    "y",
    "n",
    "true",
    "TRUE",
    "0",
    "-0",
    "+5",
    "007",
    "08",
    "0o17",
    "0x1F",
    "0b101",
    "0B1",
    "1_000",
    "_1",
    "1__0",
    "1.5",
    ".5",
    "5.",
    "._5",
    "1e3",
    "1e+3",
    "1E-3",
    "e3",
    ".inf",
    ".nan",
    "1e400",
    "9223372036854775808",
    "18446744073709551616",
    "-9223372036854775809",
    "12:30:45",
    "2026-11-24",
    "a",
    "a b",
    "-",
    "--",
    "-a",
    "- a",
    "?",
    "? a",
    "?a",
    ":",
    ":a",
    "a:b",
    "a: b",
    "a:",
    "a #b",
    "a#b",
    "#b",
    "a, b",
    ",a",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "[a, b]",
    "[a,b]",
    "[ a , 1 ]",
    "[a, [b, {c: d}]]",
    "{a: b}",
    "{a: b, c: [1, 2]}",
    "{a}",
    "{a: }",
    "{a:b}",
    "{a: b, a: c}",
    "[a: b]",
    "{1: a}",
    "{'a': b}",
    '{"a": b}',
    "{a: 'b, c'}",
    '["a", "b"]',
    "[a,]",
    "[,]",
    "[a, b] # c",
    "[a, b]c",
    "{a: b} ",
    "[a b, c]",
    "[a: b, c]",
    "[-1, - b]",
    "[a\\b]",
    "[#a]",
    "[a #b]",
    "[a, b",
    "&x a",
    "*x",
    "!a b",
    "!!str 5",
    "|",
    ">",
    "'a'",
    '"a"',
    "'a''b'",
    '"a\\nb"',
    '"a" b',
    "'a' # b",
    "'a",
    '"a',
    "%a",
    "@a",
    "`a",
    "$a",
    "(a)",
    "<a>",
    "a\tb",
    "ä",
    "a \u2028b",
    "\ufeffa",
    "a  ",
    "a'b",
    'a"b',
    "<<",
    "=",
    "+",
    "a]",
    "a}",
    "!",
    "&",
    "* a",
]
DEEP = "".join("  " * level + "a:\n" for level in range(60))
CONTEXTS = ("k: {}\n", "- {}\n", "{}\n", "k:\n  - {}\n  - z\n", "k: {}\n  more\nl: x\n", "- a: {}\n  b: c\n")
TEXTS = [
    "",
    "\n",
    "# a\n",
    "---\n",
    "---\n---\n",
    "--- a\n",
    "...\n",
    "a: 1\n...\nb: 2\n",
    "a: 1\n--- # c\nb: 2\n",
    "a: 1",
    "a:\n",
    "a:\n  b:\n    c: 1\n  d: 2\ne: 3\n",
    "a:\n- b\n- c\nd: e\n",
    "a:\n- b\n -c\n",
    "a:\n  - - b\n    - c\n  - d\n",
    "- a: 1\n  b: 2\n- a: 3\n",
    "-   a: 1\n    b: 2\n",
    "- - - a\n",
    "a: 1\n b: 2\n",
    " a: 1\nb: 2\n",
    "a: 1\na: 2\n",
    "apiVersion: 1\na: 2\napiVersion: 3\na: 4\n",
    "a: |\n  b\n  c\nd: e\n",
    "a: |-\n  b\n\n  c\n\nd: e\n",
    "a: |+\n  b\n\nd: e\n",
    "a: >\n  b\n  c\n\n  d\ne: f\n",
    "a: >-\n  b\n   c\ne: f\n",
    "a: |2\n   b\nc: d\n",
    "a: |\nb: c\n",
    "a: |\n\n  b\nc: d\n",
    "a: |\n  b",
    "- |\n  b\n- c\n",
    "a: |\n    b\n  c\nd: e\n",
    "a: b\n  c\n\n  d\ne: f\n",
    "a: b\n  c: d\n",
    "a: b\n  # c\n  d\n",
    "a: 'b\n  c\n\n  d' # e\nf: g\n",
    'a: "b\n  c"\nd: e\n',
    'a: "b\\\n  c"\n',
    "a: 'b\nc'\n",
    "a: 'b\n  ''c'''\nd: e\n",
    '{"a": 1}\n',
    "\n [1, 2]\n",
    '{"a": 1}{\n',
    '{"a": 1, "a": 2}\n',
    "[1, 2,]\n",
    "{a: 1}\n",
    "[\n1,\n2\n]\n",
    "a: &x 1\nb: *x\n",
    "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2\n",
    "a: *x\n",
    "<<: 5\n",
    "? a\n: b\n",
    "5: a\n",
    "true: a\n",
    "~: a\n",
    "[a]: b\n",
    "a: !!int x\n",
    "a: !!binary YQ==\n",
    "a: !x {b: 1}\n",
    "a: b: c\n",
    "a: 'b' c\n",
    "a: [b\nc: d\n",
    "a:\tb\n",
    "\ta: b\n",
    "a: b\r\nc: d\r\n",
    "a: \x00\n",
    "a: \x7f\n",
    "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n",
    "a:\n    b: 1\n   c: 2\n",
    "a:\n  - b\n c: d\n",
    "- a\nb: c\n",
    "a: b\n- c\n",
    "a: - b\n",
    "%YAML 1.1\n---\na: b\n",
    '"a": b\n',
    "'a''b': c\n",
    '"a\\tb": c\n',
    "a b: c\n",
    "$a: b\n",
    ".a: b\n",
    "..: b\n",
    "-a: b\n",
    "a-: b\n",
    "a:b: c\n",
    "k" * 201 + ": a\n",
    "k" * 1025 + ": a\n",
    "a: " + "[" * 22 + "]" * 22 + "\n",
    DEEP,
    "a: " + "[" * 101 + "]" * 101 + "\n",
    "- " * 51 + "a\n",
    "a:\n\n\n  b: 1\n\n",
    "a: b # c\n# d\n  # e\nf: g\n",
    "a: b#c\n",
]


def shown(text: str) -> Iterator[str]:
    """The content of a text, as lines."""
    plain = plain_documents(text)
    source = Text("a.yaml", text, "")
    documents, faults = parse(source, as_json=True)
    data = [document.data for document in documents]
    yield f"{text[:80]!r}: {'plain' if plain is not None else 'not plain'} {str(data)[:120]}"
    if plain is not None:
        starts = [each.start for each in plain]
        yield f"  {[(start.line, start.column) if start else None for start in starts]}"
        assert [repr(each.data) for each in plain] == [repr(each) for each in data]
    assert [repr(each.data) for each in parse_quickly(source)[0]] == [repr(each) for each in data]
    for fault in (*faults, *(each for each in parse(source)[1] if each not in faults)):
        yield f"  {fault.code} {fault.span.line}:{fault.span.column} {fault.message}; {fault.help}"


@pytest.mark.parametrize("context", CONTEXTS, ids=[f"context {at}" for at in range(len(CONTEXTS))])
def test_scalars(context: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(line for scalar in SCALARS for line in shown(context.replace("{}", scalar))) == snapshot


def test_texts(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(line for text in TEXTS for line in shown(text)) == snapshot


def _answers(read: Any, texts: Iterable[Any]) -> Iterator[str]:
    for text in texts:
        given = text if isinstance(text, tuple) else (text,)
        try:
            yield f"{given}: {read(*given)!r}"
        except (FlowError, NotPlainError) as error:
            yield f"{given}: {type(error).__name__}"


def test_bare_scalars(snapshot: SnapshotAssertion) -> None:
    assert "\n".join(_answers(resolve, SCALARS)) == snapshot


def test_lines(snapshot: SnapshotAssertion) -> None:
    lines = [
        *SCALARS,
        *(context.partition("\n")[0].replace("{}", text) for text in SCALARS for context in CONTEXTS[:3]),
    ]
    assert "\n".join(_answers(line_of, dict.fromkeys(lines))) == snapshot


def test_brackets(snapshot: SnapshotAssertion) -> None:
    texts = [text for text in SCALARS if text[:1] in ("[", "{")]
    texts += ["[" * 21 + "]" * 21, "[" * 22 + "]" * 22, '{"' + "k" * 200 + '": a}', '{"' + "k" * 201 + '": a}']
    texts += [
        "[[]]",
        "[{}]",
        "{a: []}",
        "{a: {}}",
        "[a, []]",
        "[]]",
        "{}}",
        "[a}",
        "{a: b]",
        "[a]b",
        "[a",
        "{a: b",
        "{",
        "[a,, b]",
    ]
    assert "\n".join(_answers(flow_value, texts)) == snapshot


LINES = ("k: a", "  b", "", "  c", " d", "    e", "e: f", "   'g'", '  h" # i', "  j' k", "  # l", "  m: n", "  o'", "")

BEGUN = {block_text: ("|", "|-", ">", ">-"), read_continued: ("a",), read_quoted: ("'a", '"a ', "'a''")}


def test_scalars_of_several_lines(snapshot: SnapshotAssertion) -> None:
    lines: list[str] = []
    for first in range(len(LINES)):
        for column in (0, 1, 2):
            for read, begun in (
                (block_text, ("|", "|-", ">", ">-")),
                (read_continued, ("a",)),
                (read_quoted, ("'a", '"a ', "'a''")),
            ):
                lines += _answers(read, [(LINES, first, column, sign) for sign in begun])
    lines += _answers(
        unfinished_scalar, ["k: a", "k: a # b", "- a", "a", "k: 'a'", "k:", "k: a b  ", "- k: a", "  k: a"]
    )
    assert "\n".join(line.replace(repr(LINES), "LINES") for line in lines) == snapshot
