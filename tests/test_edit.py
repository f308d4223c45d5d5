"""Repairs on text: what changes, and that nothing else does."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.diagnostic import Change, Edit
from gitgpu.edit import edited
from gitgpu.source import Span


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


@pytest.mark.parametrize(("edit", "before", "after"), CASES.values(), ids=CASES)
def test_only_what_is_meant_changes(edit: Edit, before: str, after: str) -> None:
    assert edited(TEXT, [edit]) == (TEXT.replace(before, after, 1), 1)


def test_a_key_moves_with_the_comment_behind_it() -> None:
    text = "spec:\n  disruption:\n    expireAfter: 720h  # why\n    policy: x\n  template:\n    a: 1\n"
    done, times = edited(text, [Edit(Change.MOVE, at(3, 5), target=at(6, 5))])
    assert (done, times) == (
        "spec:\n  disruption:\n    policy: x\n  template:\n    expireAfter: 720h  # why\n    a: 1\n",
        1,
    )


def test_a_key_moves_into_and_out_of_flow_style() -> None:
    text = "a: {x: 1, y: 2}\nb: {z: 3}\n"
    assert edited(text, [Edit(Change.MOVE, at(1, 5), target=at(2, 4))])[0] == "a: {y: 2}\nb: {x: 1, z: 3}\n"
    assert edited(text, [Edit(Change.MOVE, at(1, 11), target=at(2, 4))])[0] == "a: {x: 1}\nb: {y: 2, z: 3}\n"


def test_an_only_key_stays() -> None:
    text = "a:\n  x: 1\nb:\n  z: 3\n"
    assert edited(text, [Edit(Change.MOVE, at(2, 3), target=at(4, 3))]) == (text, 0)


def test_several_at_once_and_the_ends_of_lines_stay() -> None:
    text = "a: none\r\nb:\r\n  c: 1\r\n"
    edits = [Edit(Change.ADD, at(3, 3), "2", "d"), Edit(Change.VALUE, at(1, 4), "None")]
    assert edited(text, edits) == ("a: None\r\nb:\r\n  d: 2\r\n  c: 1\r\n", 2)


@pytest.mark.parametrize("text", ["a: [", "a: &x none\n", "a: |\n  none\n", "", "a: !!str 1\n"])
def test_what_cannot_be_placed_stays(text: str) -> None:
    assert edited(text, [Edit(Change.VALUE, at(1, 4), "None"), Edit(Change.KEY, at(9, 9), "b")]) == (text, 0)


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers() | st.text("xyz #:'\"", max_size=5), min_size=1))
def test_a_replaced_value_is_the_only_difference(data: dict[str, object]) -> None:
    text = yaml.safe_dump(data)
    node = next(iter(yaml.compose(text).value))  # type: ignore[union-attr]
    place = at(node[1].start_mark.line + 1, node[1].start_mark.column + 1)
    done, times = edited(text, [Edit(Change.VALUE, place, "new")])
    assert yaml.safe_load(done) == (data | {node[0].value: "new"} if times else data)


def test_json_stays_json() -> None:
    text = '{"a": "none", "b": {"c": 1}}\n'
    edits = [
        Edit(Change.VALUE, at(1, 7), "None"),
        Edit(Change.KEY, at(1, 2), "mode"),
        Edit(Change.ADD, at(1, 20), "0s", "d"),
    ]
    done, times = edited(text, edits)
    assert (json.loads(done), times) == ({"mode": "None", "b": {"d": "0s", "c": 1}}, 3)
