"""The pictures of a terminal are those of real runs."""

from xml.etree import ElementTree as ET

import pytest

from tools.terminal import COLUMNS, FOLDER, ROOT, RUNS, Span, lines, output, pictures, spans

SVG = "{http://www.w3.org/2000/svg}"


def test_the_pictures_are_up_to_date() -> None:
    assert {path: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == pictures()


def test_each_picture_is_on_a_page() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/**/*.md"))
    assert [path.name for path in pictures() if f"pictures/terminal/{path.name})" not in pages] == []


@pytest.mark.parametrize("name", RUNS)
def test_a_picture_has_what_the_run_prints(name: str) -> None:
    svg = ET.fromstring(pictures()[FOLDER / f"{name}.svg"])
    shown = ["".join(text.itertext()) for text in svg.iter(f"{SVG}text")]
    printed = "".join(span.text for span in spans(output(RUNS[name])))
    assert "".join(shown) == f"$ {RUNS[name].command}" + printed.replace("\n", "")
    assert max(map(len, shown)) <= COLUMNS


def test_styles_start_and_end_with_their_codes() -> None:
    assert [*spans("a\x1b[1;31mb\x1b[2mc\x1b[0md")] == [
        Span("a", ()), Span("b", ("b", "red")), Span("c", ("b", "red", "dim")), Span("d", ()),
    ]  # fmt: skip


def test_a_long_line_continues_below() -> None:
    made = [*lines("x" * (COLUMNS + 3) + "\n\ny")]
    assert ["".join(span.text for span in line) for line in made] == ["x" * COLUMNS, "xxx", "", "y"]
