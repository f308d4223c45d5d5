"""YAML is read as by kubectl, Flux and Argo CD, with the place of every value; other YAML is rejected."""

import json
import math
import tracemalloc
from itertools import pairwise
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitgpu.load.parse.events import MAX_ALIASED, MAX_DEPTH
from gitgpu.load.parse.parsed import Parsed
from gitgpu.load.parse.scalars import resolve
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Pointer, Span
from tests.helping.cases import for_each
from tests.helping.nested import values_inside
from tests.helping.work import lines
from tests.oracles.resolvers import go_kind

MOST_LINES = 1_000_000  # executed lines: four times the most that a case takes, and far less than an expanded bomb


def read(content: str) -> tuple[list[Parsed], list[str]]:
    """The documents, and the faults as `line:column CODE`."""
    documents, faults = parse(Text("f.yaml", content, "f.yaml"))
    assert all(fault.message and fault.help and fault.span.file == "f.yaml" for fault in faults)
    return documents, [f"{fault.span.line}:{fault.span.column} {fault.code}" for fault in faults]


def sound(content: str) -> Any:
    """The only document of a text without faults."""
    documents, faults = read(content)
    assert faults == []
    assert len(documents) == 1
    return documents[0].data


def wrong(content: str) -> list[str]:
    """The faults of a text. Asserts that there are some."""
    faults = read(content)[1]
    assert faults
    return faults


def at(value: Any, pointer: Pointer) -> Any:
    """The value at a pointer."""
    for part in pointer:
        value = value[part]
    return value


TRUE = "y Y yes Yes YES true True TRUE on On ON"
FALSE = "n N no No NO false False FALSE off Off OFF"
TEXTS = """
yEs oN nULL tRUE none nil t f = << 1:30 190:20:30 2024-01-01 2001-12-14t21:59:43Z 1.2.3 10m 1Gi 0x 0b2 0o8 1e
_1 ._5 . + e5 1e400 -1e400 .inf -.Inf +.INF .nan .NaN
"""
PLACES = """\
# a comment
kind: Fleet
spec:
  list:
  - one
  - two: {"a": 'b', c: [1, 2]}
  text: |
    first
  empty:
---
next: x
"""


@for_each(
    ("pointer", "value", "key"),
    [
        ((), (2, 1), (2, 1)),
        (("kind",), (2, 7), (2, 1)),
        (("spec",), (4, 3), (3, 1)),
        (("spec", "list"), (5, 3), (4, 3)),
        (("spec", "list", 0), (5, 5), (5, 5)),
        (("spec", "list", 1), (6, 5), (6, 5)),
        (("spec", "list", 1, "two"), (6, 10), (6, 5)),
        (("spec", "list", 1, "two", "a"), (6, 16), (6, 11)),
        (("spec", "list", 1, "two", "c", 1), (6, 28), (6, 28)),
        (("spec", "text"), (7, 9), (7, 3)),
        (("spec", "empty"), (9, 9), (9, 3)),
        (("spec", "missing"), (4, 3), (3, 1)),  # an absent value has the place of its parent
        (("spec", "list", 9, "x"), (5, 3), (4, 3)),
        (("kind", "x"), (2, 7), (2, 1)),
    ],
)
def test_every_value_has_its_place(pointer: Pointer, value: tuple[int, int], key: tuple[int, int]) -> None:
    places = read(PLACES)[0][0].places
    assert places.span(pointer) == ("f.yaml", *value)
    assert places.span(pointer, key=True) == ("f.yaml", *key)


def test_documents_count_lines_through_the_file() -> None:
    documents, faults = read(PLACES)
    assert faults == []
    assert [document.data.get("next") for document in documents] == [None, "x"]
    assert documents[1].places.span(("next",)) == ("f.yaml", 11, 7)


@for_each(
    ("content", "data"),
    [
        ("", []),
        ("# nothing\n", []),
        ("---\n---\n", [None, None]),
        ("--- a\n...\n--- b\n", ["a", "b"]),
        ("%YAML 1.2\n---\na: 1\n", [{"a": 1}]),
        ("--- |\n x\n--- >\n y\n z\n", ["x\n", "y z\n"]),
        ("a: 1\r\nb:\r\n- 2\r\n", [{"a": 1, "b": [2]}]),
        ("\ufeffa: 1", [{"a": 1}]),
        ('{"a": [1, true, null, 1.5, "x\\u00e9\\/"],\n\t"b": {}}', [{"a": [1, True, None, 1.5, "xé/"], "b": {}}]),
        ("a: {b: c, 'd': \"e\"}\n", [{"a": {"b": "c", "d": "e"}}]),
        ("a: 日本 😀\n", [{"a": "日本 😀"}]),
    ],
)
def test_the_documents_of_a_text(content: str, data: list[Any]) -> None:
    documents, faults = read(content)
    assert faults == []
    assert [document.data for document in documents] == data


@for_each(
    ("text", "value"),
    [
        *((word, True) for word in TRUE.split()),
        *((word, False) for word in FALSE.split()),
        *((word, None) for word in ("", "~", "null", "Null", "NULL")),
        ("0", 0), ("-0", 0), ("+1", 1), ("00", 0), ("0777", 511), ("007", 7), ("-010", -8), ("0o17", 15), ("0O17", 15),
        ("0x1F", 31), ("0X1f", 31), ("-0x1F", -31), ("0b11", 3), ("0B11", 3), ("1_000", 1000), ("0_7", 7), ("1_", 1),
        ("9223372036854775807", 2**63 - 1), ("18446744073709551615", 2**64 - 1),
        ("08", 8), ("09.5", 9.5), ("1e3", 1000), ("1E+3", 1000), (".5", 0.5), ("5.", 5), ("-.5", -0.5), ("1e20", 1e20),
        ("1_0.5", 10.5), ("18446744073709551616", 2.0**64), ("-9223372036854775809", -(2**63)),
        *((word, word) for word in TEXTS.split()),
        ("'yes'", "yes"), ('"1"', "1"), ("''", ""), ('""', ""), ("'~'", "~"),
        ("!!str 1", "1"), ("!!str yes", "yes"), ("!!str", ""), ("!!int '1'", 1), ("!!float 1", 1),
        ("!!bool 'on'", True), ("!!null ''", None), ("! 1", 1), ("!!map {a: 1}", {"a": 1}), ("!!seq [1]", [1]),
        ("! {a: 1}", {"a": 1}), ("-9223372036854775808", -(2**63)),
        (f"0x{'0' * 397}1", 1), (f"0x{'0' * 398}1", f"0x{'0' * 398}1"),
    ],
)  # fmt: skip
def test_the_value_and_type_of_a_scalar(text: str, value: Any) -> None:
    scalar = sound(f"k: {text}\n")["k"]
    assert (scalar, type(scalar)) == (value, type(value))


@given(st.text("0123456789abcdefxobBXOEeTtZz+-_.:nulyNoOsY~<=", max_size=9))
@example("0x_1")
@example("0b_")
@example("0777_7")
@settings(max_examples=100, deadline=None)
def test_scalars_have_the_same_type_as_in_go(text: str) -> None:
    kinds = {"bool": bool, "null": type(None), "int": int, "float": float, "str": str, "merge": str}
    wanted = kinds[go_kind(text)]
    number = float(text.replace("_", "")) if wanted is float and "n" not in text.lower() else 0.0
    if "in" in text.lower() or "na" in text.lower() or not math.isfinite(number):
        wanted = str  # cannot be written as JSON
    elif wanted is float and number.is_integer() and -(2**63) <= number < 2**64:
        wanted = int  # kubectl sends 2.0 as 2
    assert type(resolve(text)) is wanted


def test_a_number_of_any_length_is_not_converted() -> None:
    """The time of `int` for a decimal number grows with the square of its length."""
    assert isinstance(sound(f"k: {'9' * 1_000_000}")["k"], str)
    assert isinstance(sound(f"k: 0x{'f' * 1_000_000}")["k"], str)


@for_each(
    ("content", "faults"),
    [
        ("a: 1\nb: 2\na: 3\na: 4\n", ["3:1 YML002", "4:1 YML002"]),
        ("s: {x: 1, x: 2}\n", ["1:11 YML002"]),
        ("'a': 1\n\"a\": 2\n", ["2:1 YML002"]),
        ("on: 1\n", ["1:1 YML003"]),
        ("k:\n  1: x\n  2.5: y\n", ["2:3 YML003", "3:3 YML003"]),
        ("null: 1\n~: 2\n", ["1:1 YML003", "2:1 YML003"]),
        ("? \n: 2\n", ["1:2 YML003"]),
        ("[a]: b\n", ["1:1 YML003"]),
        ("? {a: b}\n: c\n", ["1:3 YML003"]),
        ("k:\n\tv: 1\n", ["2:1 YML001"]),
        ("\tk: 1\n", ["1:1 YML001"]),
        ("a: b: c\n", ["1:5 YML001"]),
        ("a: [1,,2]\n", ["1:7 YML001"]),
        ("k:\n  a: 'x\n", ["2:6 YML001"]),
        ("k: {a: 1\n", ["1:4 YML001"]),  # at the opening bracket, not after the end of the file
        ("k: [\n", ["1:5 YML001"]),
        ("- a\nb: c\n", ["2:1 YML001"]),
        ('a: "\\q"\n', ["1:5 YML001"]),
        ("%YAML 2.0\n---\na: 1\n", ["1:1 YML001"]),
        ("a: 1\nb: é\x1b[31m\n", ["2:5 YML001"]),
        ("a: 1\nb: \x00\n", ["2:4 YML001"]),
        ("a: !foo 1\n", ["1:4 YML006"]),
        ("a: !!binary aGk=\nb: !!set {a}\n", ["1:4 YML006", "2:4 YML006"]),
        ("a: !!int <<\n", ["1:4 YML006"]),
        ("a: !!int x\nb: !!bool 1\nc: !!int yes\n", ["1:4 YML006", "2:4 YML006", "3:4 YML006"]),
        ("a: *x\n", ["1:4 YML004"]),
        ("&a [*a]\n", ["1:5 YML004"]),
        ("a: &a {b: *a}\n", ["1:11 YML004"]),
        ("a: &x 1\n---\nb: *x\n", ["3:4 YML004"]),
        ("<<: 1\na: 2\n", ["1:5 YML007"]),
        ("<<: [{a: 1}, 2]\n", ["1:5 YML007"]),
        ("a: &a [1]\n<<: *a\n", ["2:5 YML007"]),
    ],
)
def test_rejected_yaml_is_reported_with_its_place(content: str, faults: list[str]) -> None:
    assert wrong(content) == faults


def test_tabs_and_surprising_keys_are_explained() -> None:
    tab = parse(Text("f", "k:\n\tv: 1\n", "f"))[1][0]
    assert "tabs" in tab.help
    assert "tabs" not in parse(Text("f", "k: [1,\t,2]\n", "f"))[1][0].help
    for key, kind in (("on", "true or false"), ("1", "a number"), ("2.5", "a number"), ("~", "null")):
        (fault,) = parse(Text("f", f"{key}: 1\n", "f"))[1]
        assert fault.message == f"key {key} is read as {kind}, not as text"
        assert fault.help == f'quote it: "{key}"'
    (fault,) = parse(Text("f", "[a]: 1\n", "f"))[1]
    assert (fault.message, fault.help) == ("a key must be text", "use a plain text key")


def test_all_faults_of_a_file_are_reported() -> None:
    content = "a: 1\na: 2\non: 3\n---\nb: !x 1\n---\n<<: 2\n---\nc: [\n"
    assert wrong(content) == ["2:1 YML002", "3:1 YML003", "5:4 YML006", "7:5 YML007", "9:5 YML001"]


def test_documents_before_a_syntax_error_are_kept() -> None:
    documents, faults = read("a: 1\n---\nb: 2\n---\nc: [\n---\nd: 4\n")
    assert [document.data for document in documents] == [{"a": 1}, {"b": 2}]
    assert [fault.split()[1] for fault in faults] == ["YML001"]


def test_merge_keys_add_values_with_their_places() -> None:
    content = "base: &b {x: 1, w: 2}\nmore: &m {w: 3, z: 4}\nk:\n  w: 9\n  <<: [*b, *m]\nl: {<<: *b, <<: *m, x: 0}\n"
    documents, faults = read(content)
    assert faults == []
    data, places = documents[0]
    assert data["k"] == {"x": 1, "w": 9, "z": 4}
    assert data["l"] == {"x": 0, "w": 2, "z": 4}
    assert places.span(("k", "x")) == ("f.yaml", 1, 14)
    assert places.span(("k", "z"), key=True) == ("f.yaml", 2, 17)
    assert places.span(("k", "w")) == ("f.yaml", 4, 6)
    assert sound("'<<': 1\n") == {"<<": 1}
    assert sound("a: &x '<<'\n*x : {b: 1}\n") == {"a": "<<", "<<": {"b": 1}}


def test_an_alias_has_its_own_place_and_its_parts_the_anchors() -> None:
    documents, _ = read("a: &a {x: 1}\nb: *a\n&k c: *k\n")
    assert documents[0].data == {"a": {"x": 1}, "b": {"x": 1}, "c": "c"}
    assert documents[0].places.span(("b",)) == ("f.yaml", 2, 4)
    assert documents[0].places.span(("b", "x")) == ("f.yaml", 1, 11)


def laughs(levels: int = 30) -> str:
    """A "billion laughs" text: each level holds the one before nine times."""
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(["a0: &a0 [ha]", *lines, ""])


def merges(levels: int = 40) -> str:
    """Each level merges the one before and also contains it."""
    lines = [f"a{n}: &a{n} {{<<: *a{n - 1}, k{n}: *a{n - 1}}}" for n in range(1, levels)]
    return "\n".join(["a0: &a0 {x: 1}", *lines, ""])


def chain(links: int = 60) -> str:
    """Each link is nested deeply, and contains the one before at its innermost level."""
    lines = [f"a{n}: &a{n} {'[' * 60}*a{n - 1}{']' * 60}" for n in range(1, links)]
    return "\n".join(["a0: &a0 [x]", *lines, ""])


def nested(anchor: str) -> str:
    """Many mappings inside each other, with an anchor such as `&a{n}` at each, around a long list."""
    levels = ["  " * n + f"a{n}: {anchor.format(n=n)}" for n in range(MAX_DEPTH - 1)]
    return "\n".join([*levels, "  " * MAX_DEPTH + f"[{'x, ' * 20_000}]", ""])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (laughs(), "YML004"),
        (merges(), "YML004"),
        (chain(), "YML005"),
        (f"a: &a [{'x,' * MAX_ALIASED}]\nb: *a\n", "YML004"),
        ("[" * 3000, "YML005"),
        ("[" * 3000 + "]" * 3000, "YML005"),
        ("- " * 3000, "YML005"),
        ("{a: " * 3000, "YML005"),
        ("".join(f"{' ' * n}a:\n" for n in range(1500)), "YML005"),
    ],
    ids=["laughs", "merges", "chain", "large", "open", "closed", "block list", "flow map", "block map"],
)
def test_alias_bombs_are_refused_with_little_work_and_memory(content: str, code: str) -> None:
    tracemalloc.start()
    faults = wrong(content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [fault.split()[1] for fault in faults] == [code]
    assert peak < 64 * 2**20
    assert lines(lambda: wrong(content)) < MOST_LINES


def test_a_duplicate_key_names_the_line_of_the_first_key_and_not_of_its_value() -> None:
    _, (fault,) = parse(Text("a.yaml", "b: 1\na:\n  - 1\nc: 2\na: 3\n", "a.yaml"))
    assert (fault.message, fault.span.line) == ("duplicate key 'a' (first on line 2)", 5)


def test_documents_before_deep_nesting_are_still_read() -> None:
    documents, faults = read("a: é\na: 1\n---\nb:\n- é" + " x" * 9 + "\n- " + "[" * 3000 + "\n")
    assert faults == ["2:1 YML002", f"6:{MAX_DEPTH + 1} YML005"]
    assert [document.data for document in documents] == [{"a": "é"}]


def test_anchors_on_every_level_cost_nothing() -> None:
    bare = lines(lambda: sound(nested("")))
    assert lines(lambda: sound(nested("&a{n}"))) < 1.2 * bare


def test_the_limits_are_as_documented() -> None:
    assert sound("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert wrong("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)) == [f"1:{MAX_DEPTH + 1} YML005"]
    half = MAX_DEPTH // 2
    nest = "[" * half + "x" + "]" * half
    assert sound(f"a: &a {nest}\nb: {'[' * (half - 1)}*a{']' * (half - 1)}\n")
    assert wrong(f"a: &a {nest}\nb: {'[' * half}*a{']' * half}\n") == [f"2:{4 + half} YML005"]
    items = ", ".join(["*x"] * (MAX_ALIASED - 1))
    assert len(sound(f"a: &x 1\nb: [*x, {items}]\n")["b"]) == MAX_ALIASED
    _, (fault,) = parse(Text("f", f"a: &x 1\nb: [*x, *x, {items}]\n", "f"))
    assert (fault.code, fault.message, fault.help) == (
        "YML004", "aliases expand to over 20000 values", "write the values out",
    )  # fmt: skip


PRINTABLE = st.characters(codec="utf-8", exclude_categories=["C"])
texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | texts | st.floats(-1e300, 1e300),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=15,
)


class _Quoted(yaml.SafeDumper):
    """Writes every string in double quotes, so that only the structure is tested."""


_Quoted.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))


@given(plain, st.booleans())
@settings(max_examples=100, deadline=None)
def test_dumped_values_are_read_back(data: Any, flow: bool) -> None:
    content = yaml.dump(data, Dumper=_Quoted, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    documents, faults = read(content)
    assert faults == []
    assert [document.data for document in documents] == [data]


@given(st.recursive(st.none() | st.booleans() | st.integers(0, 9) | st.text(PRINTABLE), st.lists))
@settings(max_examples=80, deadline=None)
def test_json_is_yaml(data: Any) -> None:
    assert sound(json.dumps({"k": data}, ensure_ascii=False, indent="\t")) == {"k": data}


@given(st.dictionaries(texts, plain, min_size=1, max_size=4), st.data())
@settings(max_examples=100, deadline=None)
def test_a_place_is_where_the_value_is(data: dict[str, Any], choice: st.DataObject) -> None:
    content = yaml.dump(data, Dumper=_Quoted, allow_unicode=True, width=10**6, sort_keys=False)
    documents, _ = read(content)
    lines = content.split("\n")
    pointer = choice.draw(st.sampled_from([pointer for pointer, _ in values_inside(data)]))
    value, span = at(data, pointer), documents[0].places.span(pointer)
    written = lines[span.line - 1][span.column - 1 :]
    if isinstance(value, (dict, list)):
        first = documents[0].places.span((*pointer, next(iter(value), 0) if isinstance(value, dict) else 0))
        assert written[0] in '[{-"?' or first.line == span.line
    else:
        shown = yaml.dump(value, Dumper=_Quoted, allow_unicode=True, width=10**6).split("\n")[0]
        assert written.startswith(shown)


@given(st.dictionaries(texts, plain, min_size=2, max_size=5))
@settings(max_examples=40, deadline=None)
def test_places_follow_the_order_of_the_text(data: dict[str, Any]) -> None:
    content = yaml.dump(data, Dumper=_Quoted, allow_unicode=True, sort_keys=False)
    places = read(content)[0][0].places
    keys = [places.span((key,), key=True) for key in data]
    assert all(span < other for span, other in pairwise(keys))


@given(st.text(max_size=60) | st.text("ab:-[]{}&*!|>'\"%@`,?#~\n\t 01<", max_size=40))
@settings(max_examples=100, deadline=None)
def test_no_text_causes_a_crash(content: str) -> None:
    documents, faults = read(content.encode(errors="replace").decode())
    lines = content.split("\n")
    assert all(1 <= int(fault.split(":")[0]) <= len(lines) + content.count("\r") + 9 for fault in faults)
    assert isinstance(documents, list)


def test_a_merge_key_may_have_its_tag() -> None:
    """yq writes the tag, and the API server's reader accepts it."""
    parsed, faults = parse(Text("a", "a: &x {b: 1}\nc:\n  !!merge <<: *x\n  d: 2\n", "a"))
    assert (parsed[0].data, faults) == ({"a": {"b": 1}, "c": {"b": 1, "d": 2}}, [])
    assert [finding.code for finding in parse(Text("a", "a: !!merge x\n", "a"))[1]] == ["YML006"]
    assert [finding.code for finding in parse(Text("a", "!!merge x: {}\n", "a"))[1]] == ["YML006"]


def test_keys_become_the_same_texts_as_in_the_api_server() -> None:
    (document,), faults = parse(
        Text("a.yaml", "true: a\n2: b\n1.5: c\n1234567.25: d\n0x1F: e\nfalse: f\n", ""), as_json=True
    )
    assert document.data == {"true": "a", "2": "b", "1.5": "c", "1234567.2": "d", "31": "e", "false": "f"}
    assert [(fault.span.line, fault.message) for fault in faults] == [
        (4, 'key 1234567.25 becomes "1234567.2"'),
        (5, 'key 0x1F becomes "31"'),
    ]
    for key in ("~", "[a]", "{a: b}"):
        _, (fault,) = parse(Text("a.yaml", f"? {key}\n: a\n", ""), as_json=True)
        assert fault.code == "YML003", key


def test_several_json_values_are_documents() -> None:
    text = '\n{"a": "x"}\n{\n  "b": [1]\n} {"c": {"d": 2}}\r\n'
    documents, faults = parse(Text("a.json", text, "a.json"))
    assert (faults, [document.data for document in documents]) == ([], [{"a": "x"}, {"b": [1]}, {"c": {"d": 2}}])
    first, second, third = (document.places for document in documents)
    assert [first.span(("a",)), second.span(("b", 0)), third.span(("c", "d"), key=True)] == [
        Span("a.json", 2, 7),
        Span("a.json", 4, 9),
        Span("a.json", 5, 10),
    ]


@for_each("rest", ["]", "a: 1", '{"b": 1', "{b: 1}", "[1]"])
def test_other_texts_after_a_json_value_are_errors(rest: str) -> None:
    _, faults = parse(Text("a.json", f'{{"a": 1}}\n{rest}\n', "a.json"))
    assert [(fault.code, fault.span.line) for fault in faults] == [("YML001", 2)]
