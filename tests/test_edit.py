"""Fixes as edits of text: the intended change is made, and nothing else changes."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.diagnostic import Change, Edit
from gitgpu.edit import apply_edits
from gitgpu.source import Span
from tests.helping.cases import for_each


def at(line: int, column: int) -> Span:
    """A place in the file."""
    return Span("a.yaml", line, column)


TEXT = """\
# the pool
spec:
  mode: none   # as the page says
  nodes: 0
  disruption:
    expireAfter: 720h  # moved
    policy: x
  template: {spec: {a: 1}}
"""
CASES = {
    "a value": (Edit(Change.VALUE, at(3, 9), "None"), "  mode: none ", "  mode: None "),
    "quotes": (Edit(Change.VALUE, at(4, 10), '"0"'), "nodes: 0", 'nodes: "0"'),
    "a key": (Edit(Change.KEY, at(3, 3), "gpuMode"), "  mode:", "  gpuMode:"),
    "an entry": (Edit(Change.ADD, at(6, 5), "0s", "wait"), "    expireAfter", "    wait: 0s\n    expireAfter"),
    "an entry in flow style": (Edit(Change.ADD, at(8, 20), "0s", "wait"), "{a: 1}", "{wait: 0s, a: 1}"),
}


@for_each(("edit", "before", "after"), CASES.values(), ids=CASES)
def test_nothing_else_changes(edit: Edit, before: str, after: str) -> None:
    assert apply_edits(TEXT, [edit]) == (TEXT.replace(before, after, 1), 1)


def test_a_key_moves_with_the_comment_behind_it() -> None:
    text = "spec:\n  disruption:\n    expireAfter: 720h  # why\n    policy: x\n  template:\n    a: 1\n"
    done, times = apply_edits(text, [Edit(Change.MOVE, at(3, 5), target=at(6, 5))])
    assert (done, times) == (
        "spec:\n  disruption:\n    policy: x\n  template:\n    expireAfter: 720h  # why\n    a: 1\n",
        1,
    )


def test_a_key_moves_into_and_out_of_flow_style() -> None:
    text = "a: {x: 1, y: 2}\nb: {z: 3}\n"
    assert apply_edits(text, [Edit(Change.MOVE, at(1, 5), target=at(2, 4))])[0] == "a: {y: 2}\nb: {x: 1, z: 3}\n"
    assert apply_edits(text, [Edit(Change.MOVE, at(1, 11), target=at(2, 4))])[0] == "a: {x: 1}\nb: {y: 2, z: 3}\n"


def test_the_only_key_of_a_mapping_is_not_removed() -> None:
    text = "a:\n  x: 1\nb:\n  z: 3\n"
    assert apply_edits(text, [Edit(Change.MOVE, at(2, 3), target=at(4, 3))]) == (text, 0)


def test_several_edits_at_once_keep_the_line_ends() -> None:
    text = "a: none\r\nb:\r\n  c: 1\r\n"
    edits = [Edit(Change.ADD, at(3, 3), "2", "d"), Edit(Change.VALUE, at(1, 4), "None")]
    assert apply_edits(text, edits) == ("a: None\r\nb:\r\n  d: 2\r\n  c: 1\r\n", 2)


@for_each("text", ["a: [", "a: &x none\n", "a: |\n  none\n", "", "a: !!str 1\n"])
def test_a_value_that_cannot_be_located_is_not_changed(text: str) -> None:
    assert apply_edits(text, [Edit(Change.VALUE, at(1, 4), "None"), Edit(Change.KEY, at(9, 9), "b")]) == (text, 0)


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers() | st.text("xyz #:'\"", max_size=5), min_size=1))
def test_a_replaced_value_is_the_only_difference(data: dict[str, object]) -> None:
    text = yaml.safe_dump(data)
    node = next(iter(yaml.compose(text).value))  # type: ignore[union-attr]
    place = at(node[1].start_mark.line + 1, node[1].start_mark.column + 1)
    done, times = apply_edits(text, [Edit(Change.VALUE, place, "new")])
    assert yaml.load(done, yaml.CSafeLoader) == (data | {node[0].value: "new"} if times else data)


def test_json_stays_json() -> None:
    text = '{"a": "none", "b": {"c": 1}}\n'
    edits = [
        Edit(Change.VALUE, at(1, 7), "None"),
        Edit(Change.KEY, at(1, 2), "mode"),
        Edit(Change.ADD, at(1, 20), "0s", "d"),
    ]
    done, times = apply_edits(text, edits)
    assert (json.loads(done), times) == ({"mode": "None", "b": {"d": "0s", "c": 1}}, 3)


def test_a_text_of_several_json_values_keeps_its_layout() -> None:
    text = '{"a": "x"}\n{\n  "a": "none"\n} {"a": "y"}\n'
    edits = [Edit(Change.VALUE, at(3, 8), "None"), Edit(Change.KEY, at(4, 4), "b")]
    assert apply_edits(text, edits) == ('{"a": "x"}\n{\n  "a": "None"\n} {"b": "y"}\n', 2)


def test_documents_before_a_syntax_error_are_edited() -> None:
    edits = [Edit(Change.VALUE, at(1, 4), "None"), Edit(Change.VALUE, at(3, 4), "None")]
    assert apply_edits("a: none\n---\na: none\nb: [\n", edits) == ("a: None\n---\na: none\nb: [\n", 1)


FLOWS = "a: {x: 1, y: 2}\nb: {z: 3}\n"


@pytest.mark.parametrize("order", [1, -1])
def test_only_the_first_of_two_edits_of_a_value_is_made(order: int) -> None:
    edits = [Edit(Change.VALUE, at(1, 4), "None"), Edit(Change.QUOTE, at(1, 4))][::order]
    assert apply_edits("a: none\n", edits) == ('a: "none"\n' if order < 0 else "a: None\n", 1)


@pytest.mark.parametrize("order", [1, -1])
def test_adjacent_edits_are_both_made(order: int) -> None:
    edits = [Edit(Change.MOVE, at(1, 5), target=at(2, 4)), Edit(Change.KEY, at(1, 11), "new")]
    assert apply_edits(FLOWS, edits[::order]) == ("a: {new: 2}\nb: {x: 1, z: 3}\n", 2)


def test_an_alias_of_the_surrounding_mapping_does_not_hang() -> None:
    text = "a: &x\n  b: *x\n  c: [none]\n"
    assert apply_edits(text, [Edit(Change.VALUE, at(3, 7), "None")]) == (text.replace("none", "None"), 1)


def test_a_text_with_quotes_in_it_is_written_as_json_beside_json() -> None:
    assert apply_edits('{"a": "x"}\n', [Edit(Change.VALUE, at(1, 7), 'say "x"')])[0] == '{"a": "say \\"x\\""}\n'
    assert apply_edits('{"a": "x"}\n', [Edit(Change.VALUE, at(1, 7), '"y"')])[0] == '{"a": "y"}\n'


@for_each(
    ("before", "after"),
    [("yes", '"yes"'), ("0x1F", '"0x1F"'), ("'yes'", None), ('"yes"', None), ("!!bool yes", None), ("&b yes", None)],
)
def test_only_a_plain_value_is_quoted(before: str, after: str | None) -> None:
    result = apply_edits(f"a: {before}\n", [Edit(Change.QUOTE, at(1, 4))])
    assert result == (f"a: {after or before}\n", int(after is not None))


@for_each(
    "edit",
    [
        Edit(Change.QUOTE, at(9, 9)),
        Edit(Change.ADD, at(9, 9), "1", "k"),
        Edit(Change.ADD, at(1, 22), "1", "k"),  # an empty mapping
        Edit(Change.MOVE, at(9, 9), target=at(2, 4)),
        Edit(Change.MOVE, at(1, 5)),
        Edit(Change.MOVE, at(1, 5), target=at(9, 9)),
        Edit(Change.MOVE, at(1, 5), target=at(1, 22)),
        Edit(Change.MOVE, at(1, 11), target=at(2, 4)),  # a list is not moved
    ],
)
def test_an_edit_that_does_not_apply_is_not_made(edit: Edit) -> None:
    text = "a: {x: 1, y: [2], e: {}}\nb: {z: 3}\n"
    assert apply_edits(text, [edit]) == (text, 0)


MOVES = {
    "from a block into flow style, without its comment": (
        "a:\n  x: 1  # why\n  y: 2\nb: {z: 3}\n", at(2, 3), at(4, 4), "a:\n  y: 2\nb: {x: 1, z: 3}\n"),
    "from flow style into a block": (
        "a: {x: 1, y: 2}  # both\nb:\n  z: 3\n", at(1, 5), at(3, 3), "a: {y: 2}  # both\nb:\n  x: 1\n  z: 3\n"),
    "the last of a block": (
        "a:\n  x: 1\n  y: 2  # why\nb:\n  z: 3\n", at(3, 3), at(5, 3),
        "a:\n  x: 1\nb:\n  y: 2  # why\n  z: 3\n"),
    "the first of a list item": (
        "a:\n- x: 1\n  y: 2\nb:\n  z: 3\n", at(2, 3), at(5, 3), "a:\n- y: 2\nb:\n  x: 1\n  z: 3\n"),
    "the second of a list item": (
        "a:\n- x: 1\n  y: 2\nb:\n  z: 3\n", at(3, 3), at(5, 3), "a:\n- x: 1\nb:\n  y: 2\n  z: 3\n"),
    "below an empty first line": (
        "\nx: 1\ny: 2\nb:\n  z: 3\n", at(2, 1), at(5, 3), "\ny: 2\nb:\n  x: 1\n  z: 3\n"),
    "the end of a file without a line end": (
        "b:\n  z: 3\na:\n  x: 1\n  y: 2", at(5, 3), at(2, 3), "b:\n  y: 2\n  z: 3\na:\n  x: 1\n"),
}  # fmt: skip


@for_each(("text", "key", "target", "expected"), MOVES.values(), ids=MOVES)
def test_a_key_moves(text: str, key: Span, target: Span, expected: str) -> None:
    assert apply_edits(text, [Edit(Change.MOVE, key, target=target)]) == (expected, 1)


def test_a_value_of_several_lines_is_not_moved() -> None:
    text = 'a:\n  x: "1\n    2"\n  y: 2\nb:\n  z: 3\n'
    assert apply_edits(text, [Edit(Change.MOVE, at(2, 3), target=at(6, 3))]) == (text, 0)


@pytest.mark.parametrize("order", [1, -1])
def test_a_value_inside_a_key_that_moves_is_not_edited_too(order: int) -> None:
    edits = [Edit(Change.MOVE, at(1, 5), target=at(2, 4)), Edit(Change.VALUE, at(1, 8), "9")][::order]
    expected = "a: {x: 9, y: 2}\nb: {z: 3}\n" if order < 0 else "a: {y: 2}\nb: {x: 1, z: 3}\n"
    assert apply_edits(FLOWS, edits) == (expected, 1)


def test_of_two_entries_at_one_place_the_first_is_added() -> None:
    edits = [Edit(Change.ADD, at(2, 4), "1", "k"), Edit(Change.ADD, at(2, 4), "2", "k")]
    assert apply_edits(FLOWS, edits) == ("a: {x: 1, y: 2}\nb: {k: 1, z: 3}\n", 1)


@pytest.mark.parametrize(
    ("column", "left", "moved"),
    [(5, "{y: 2, w: 3}", "x: 1"), (11, "{x: 1, w: 3}", "y: 2"), (17, "{x: 1, y: 2}", "w: 3")],
)
def test_a_key_moves_out_of_three_in_flow_style(column: int, left: str, moved: str) -> None:
    text = "a: {x: 1, y: 2, w: 3}\nb: {z: 3}\n"
    result = apply_edits(text, [Edit(Change.MOVE, at(1, column), target=at(2, 4))])
    assert result == (f"a: {left}\nb: {{{moved}, z: 3}}\n", 1)
