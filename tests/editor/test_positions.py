"""Places in texts with line ends and characters of all kinds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import Position, PositionEncodingKind

from gitgpu.editor.positions import Positions
from gitgpu.source import Span

TEXTS = st.text(st.sampled_from("aé😀\n\r\u2028\x85"))
ENCODINGS = list(PositionEncodingKind)


@given(TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_an_index_has_a_position_that_means_it(text: str, encoding: PositionEncodingKind, data: st.DataObject) -> None:
    positions = Positions(text, encoding)
    index = data.draw(st.integers(0, len(text)))
    back = positions.index(positions.position(index))
    assert text[back:index].strip("\r\n") == "", "only a place inside of a line end has no position of its own"


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)])
def test_columns_are_in_the_units_of_the_editor(encoding: str, column: int) -> None:
    positions = Positions("x\r\na😀b", encoding)
    assert positions.position(5) == Position(1, column)
    assert positions.index(Position(1, column)) == 5


def test_lines_of_parsers_end_where_those_of_editors_do_not() -> None:
    positions = Positions("a: 1\u2028b: 2\nc: 3\n")
    assert positions.place(Span("f", 2, 1)) == 5
    assert positions.position(positions.place(Span("f", 3, 1))) == Position(1, 0)


@pytest.mark.parametrize("position", [Position(9, 0), Position(0, 99), Position(1, 99)])
def test_a_position_outside_of_the_text_is_its_nearest_place(position: Position) -> None:
    assert Positions("ab\ncd").index(position) in (2, 5)


def test_a_place_outside_of_the_text_is_its_nearest_place() -> None:
    assert (Positions("ab").place(Span("f")), Positions("ab").place(Span("f", 7, 7))) == (0, 2)
