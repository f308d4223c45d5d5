"""Lists as aligned columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from gitgpu.report.findings import Style
from gitgpu.report.table import table
from gitgpu.report.terminal import width

PLAIN = Style(colour=False)


def test_columns_are_aligned() -> None:
    """Text is left-aligned, numbers are right-aligned, and unknown values are a dash."""
    rows = [("Standard_NC4as_T4_v3", 4, True, 0.526), ("größe-日本", 128, None, None), ("x", None, False, 12)]
    assert table(("NAME", "VCPUS", "RDMA", "PRICE"), rows, PLAIN) == (
        "NAME                  VCPUS  RDMA  PRICE\n"
        "Standard_NC4as_T4_v3      4  yes   0.526\n"
        "größe-日本              128  -         -\n"
        "x                         -  no       12\n"
    )


def test_written_numbers_count_as_numbers() -> None:
    """A formatted price is still a number; a fraction is not."""
    rows = [("1.50", "1/6"), ("1,024.00", "1")]
    assert table(("PRICE", "SHARE"), rows, PLAIN) == "   PRICE  SHARE\n    1.50  1/6\n1,024.00  1\n"


def test_a_table_without_rows_has_its_heading() -> None:
    """An empty list still has its heading."""
    assert table(("NAME", "PRICE"), [], PLAIN) == "NAME  PRICE\n"


def test_colour_is_for_the_head() -> None:
    """Only the heading is coloured."""
    assert table(("A",), [("b",)], Style(colour=True)) == "\x1b[1mA\x1b[0m\nb\n"


def test_a_row_must_have_every_cell() -> None:
    """A missing cell is a bug, not an empty cell."""
    with pytest.raises(ValueError, match="zip"):
        table(("A", "B"), [("b",)], PLAIN)


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1))
def test_the_second_column_starts_at_one_place(rows: list[tuple[str, str]]) -> None:
    """For any cell contents, a row is one line and the columns are aligned."""
    lines = table(("FIRST", "="), [(first, f"={second}") for first, second in rows], PLAIN).split("\n")[:-1]
    assert len(lines) == len(rows) + 1
    start = width(lines[0].split("=")[0])
    for line in lines:
        assert start in {width(line[:at]) for at, sign in enumerate(line) if sign == "="}


ROWS = [
    ("serving/ranker", "schedulable", "Standard_NC16as_T4_v3", "1..12", "<=1.50..<=4.51"),
    ("serving/rerank", "uncertain", "Standard_NC4as_T4_v3, Standard_NC8as_T4_v3", "3", "0.66"),
]
HEADERS = ("WORKLOAD", "VERDICT", "SIZE", "NODES", "PRICE OF ALL")


@pytest.mark.parametrize("columns", [0, 200, 80, 70, 30])
def test_a_table_fits_the_terminal(columns: int, snapshot: SnapshotAssertion) -> None:
    """Columns become narrower before each row is a block, and below 80 columns each row is one at once."""
    text = table(HEADERS, ROWS, Style(width=columns))
    assert text == snapshot
    assert not columns or max(map(len, text.splitlines())) <= columns


def test_without_enough_room_for_the_longest_words_each_row_is_a_block() -> None:
    names = [("a" * 50, "b" * 50)]
    assert table(("A", "B"), names, Style(width=90)) == f"{'a' * 50}\n  B: {'b' * 50}\n"


@given(st.lists(st.tuples(*[st.text("ab1 /.", max_size=60)] * 3), min_size=1), st.integers(1, 200))
def test_narrow_tables_have_all_the_text(rows: list[tuple[str, str, str]], columns: int) -> None:
    """Nothing is cut, whatever the width; only spaces differ."""
    wide = "".join(table(("A", "B", "C"), rows, PLAIN).split())
    narrow = "".join(table(("A", "B", "C"), rows, Style(width=columns)).split())
    headings = "A:B:C:"
    assert sorted(narrow.translate({ord(letter): None for letter in headings})) == sorted(
        wide.translate({ord(letter): None for letter in headings})
    )
