"""Every YAML reader reads the same data from the text of an object."""

import json
import shutil
import subprocess
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitgpu.write.render import render
from tests.helping.cases import for_each
from tests.oracles.resolvers import READERS, core_kind, go_kind

WORDS = """
1e3 12e03 1234567e8 1e+3 6.0E5 1.e5 .5 5. 1. 0 00 007 08 0o17 0O17 0x1F 0X1f -0x1F 0_x1F 0b1 0_b1 -0b1 1_000 +1 -1 -_1
1:30 1:30:00 12:30:00.5 2024-01-01 2024-1-1 2001-12-14t21:59:43.10-05:00 .inf -.inf +.INF .nan .NaN nan Infinity
y Y n N yes Yes YES no No on On off OFF true True TRUE false null Null NULL ~ = << e1 E8
- -- --- ... ? : , # % ! & * | > @ ` ' " { } [ ] {} [] -a ?a :a #a %a !a &a *a |a >a @a `a 'a "a
a: a:b :b a#b 1.2.3 10m 1Gi 100% 0.5 10.0.0.0/16 ../a ./a /a ~/a $(A) ${A} nvidia.com/gpu v1.34 --flag=1 a\\b
"""
PHRASES = ["", " ", "a ", " a", "- a", "# a", "a: b", "a #b", "? a", ": a", "2001-12-14 21:59:43", "\t", "a\tb", "\ta"]
TRICKY = [*WORDS.split(), *PHRASES]
MULTILINE = [
    "\n", "\n\n", "a\n", "a\n\n", "a\nb", "\na", "\n\na\n", " a\nb", "  a\n b\n", "a\n\n  b\n\n", "a \nb",
    "a\n \nb", "\ta\nb", "a\n\tb", "a\tb\nc", "a\r\nb", "a\rb", "a\n# b", "# a\nb", "- a\n- b", "---\na", "...\na\n",
    "a: b\nc: d\n", "é\n😀", "\n a", "a\x85b\nc", "a\u2028b\nc", "\ufeffa\nb", "a\x00\nb", "%a\nb", "|\n", "a\n\n\n b",
]  # fmt: skip
ODD = [*"\x00\x1b\x7f\x80\x85\x9f\xa0\u2028\u2029\ufeff\ufffe\u202eé日😀", "日本", "a\u202eb"]

texts = st.one_of(
    st.sampled_from(TRICKY + MULTILINE + ODD),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.text("0123456789abcdefxobEeTtZz+-_.:, ~#\n\t'\"\\", max_size=10),
)
scalars = st.one_of(
    texts, st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=20
)


def read_by_all(text: str) -> list[Any]:
    return [read(text) for read in READERS.values()]


@pytest.mark.parametrize("reader", READERS)
def test_a_string_is_read_back_as_itself(reader: str) -> None:
    for text in TRICKY + MULTILINE + ODD:
        items = [text, [text, {text: text}], {"key": text, text: [text]}]
        body = {text: text, "list": items, "deep": {"er": {"est": text}}}
        assert READERS[reader](render(body)) == body, repr(text)


@given(texts, texts)
@example("<<", "<<")
@settings(max_examples=150, deadline=None)
def test_any_string_is_read_back_as_key_and_value(key: str, value: str) -> None:
    body = {key: value, "list": [value, {key: value}]}
    assert read_by_all(render(body, header=key)) == [body] * len(READERS)


@given(st.dictionaries(texts, values, max_size=5))
@settings(max_examples=100, deadline=None)
def test_any_document_is_read_back_in_order(body: dict[str, Any]) -> None:
    text = render(body)
    assert read_by_all(text) == [body] * len(READERS)
    assert list(yaml.load(text, yaml.CSafeLoader)) == list(body)
    assert text[-1] == "\n"
    assert "\r" not in text


@given(st.text("0123456789abcdefxobBXOEeTtZz+-_.:, nulyNo~<=", min_size=1, max_size=9))
@settings(max_examples=150, deadline=None)
def test_only_a_plain_string_is_written_without_quotes(text: str) -> None:
    written = render({"k": text}).removeprefix("k: ").removesuffix("\n")
    if not written.startswith('"'):
        assert {core_kind(text), go_kind(text)} == {"str"}


@for_each(
    "text",
    ["Standard_ND96isr_H100_v5", "nvcr.io/nvidia/k8s-device-plugin:v0.17.1", "10m", "8Gi", "10%", "0 9 * * 1-5",
     "--mig-strategy=mixed", "/dev/nvidia0", "$(NODE_NAME)", "10.0.0.0/16", "a, b", "on-demand", "nvidia.com/gpu", "e"],
)  # fmt: skip
def test_common_strings_are_written_without_quotes(text: str) -> None:
    assert render({"k": text}) == f"k: {text}\n"


def test_the_layout_of_a_document() -> None:
    body: dict[Any, Any] = {
        "apiVersion": "v1",
        "list": ["a", {"b": 1, "c": ["d", ["e", "f"]]}, [], {}, None],
        "empty": {},
        "none": None,
        "yes": True,
        "script": "line\n\n  two\n",
    }
    expected = """\
# From fleet.yaml:12.
# Do not edit.
apiVersion: v1
list:
- a
- b: 1
  c:
  - d
  - - e
    - f
- []
- {}
- null
empty: {}
none: null
"yes": true
script: |
  line

    two
"""
    assert render(body, "From fleet.yaml:12.\nDo not edit.") == expected
    assert render({}) == "{}\n"


def test_a_header_cannot_end_its_comment() -> None:
    assert yaml.load(render({"a": 1}, "x\ny: 2\rz: 3\x85w: 4\u2028v: 5\x00"), yaml.CSafeLoader) == {"a": 1}


@for_each(
    ("text", "block"),
    [("a\nb", "|-\n  a\n  b"), ("a\n", "|\n  a"), ("a\n\n", "|+\n  a\n"), (" a\nb\n", "|2\n   a\n  b"),
     ("\na", "|2-\n\n  a")],
)  # fmt: skip
def test_several_lines_are_a_literal_block(text: str, block: str) -> None:
    assert render({"k": text}) == f"k: {block}\n"


@for_each("text", ["\n", "a \nb", "a\n\tb", "a\r\nb", "a\x00\nb", "a\n\xa0"])
def test_lines_that_a_block_would_change_are_quoted(text: str) -> None:
    assert render({"k": text}).startswith('k: "')


@for_each(
    ("value", "text"),
    [(1e16, "1.0e+16"), (5e-324, "5.0e-324"), (0.1, "0.1"), (-0.0, "-0.0"), (10**15, "1000000000000000")],
)
def test_numbers_keep_their_type(value: float, text: str) -> None:
    assert render({"k": value}) == f"k: {text}\n"


def test_other_kinds_of_string_mapping_and_list() -> None:
    class Colour(StrEnum):
        RED = "red"
        LINES = "a\nb\n"

    body = MappingProxyType({Colour.RED: Colour.RED, "lines": Colour.LINES, "pair": (1, MappingProxyType({"a": ()}))})
    assert render(body) == "red: red\nlines: |\n  a\n  b\npair:\n- 1\n- a: []\n"


@for_each("value", [{1, 2}, b"x", object(), 1j])
def test_a_value_that_yaml_cannot_express_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError, match=f"^YAML cannot express a {type(value).__name__}$"):
        render({"k": value})


@for_each("key", [1, None, True, ("a",)])
def test_a_key_is_a_string(key: object) -> None:
    with pytest.raises(TypeError, match=f"^a YAML key must be a string, not a {type(key).__name__}$"):
        render({key: 1})  # type: ignore[dict-item]


@for_each(
    ("key", "value", "fault"),
    [
        ("k", float("nan"), "^nan is not a number that Kubernetes can store$"),
        ("k", float("-inf"), "^-inf is not a number that Kubernetes can store$"),
        ("k" * 1100, 1, "^a YAML key of 1100 characters is longer than readers accept$"),
        ("k", "\ud800", "surrogate"),
    ],
)
def test_text_that_no_yaml_reader_accepts_is_a_value_error(key: str, value: object, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        render({key: value})


def test_lines_in_a_list_are_a_block_too() -> None:
    body = {"k": ["a\nb\n", "a\tb", ["c\nd", {}], {"e": "f\n\n"}, None, 1.5]}
    assert (
        render(body) == 'k:\n- |\n  a\n  b\n- "a\\tb"\n- - |-\n    c\n    d\n  - {}\n- e: |+\n    f\n\n- null\n- 1.5\n'
    )


def test_a_shared_object_is_written_twice() -> None:
    shared = {"a": ["b"]}
    assert render({"u": shared, "v": shared}) == "u:\n  a:\n  - b\nv:\n  a:\n  - b\n"


def test_javascript_reads_the_same_data() -> None:
    texts = "JSON.parse(require('fs').readFileSync(0))"
    script = f"console.log(JSON.stringify({texts}.map(text => require('yaml').parse(text))))"
    node = shutil.which("node")
    if node is None or subprocess.run([node, "-e", "require('yaml')"], capture_output=True, check=False).returncode:
        pytest.skip("node or its package yaml is not here: the readers above must do")
    bodies = [{text: text, "list": [text]} for text in TRICKY + MULTILINE + ODD]
    sent = json.dumps([render(body) for body in bodies])
    answer = subprocess.run([node, "-e", script], input=sent, capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout) == bodies
