"""The picture of the README is that of a run, in light and in dark."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tools.picture import PICTURES, pictures, plain

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def drawn() -> dict[Path, str]:
    """The pictures of a run now."""
    return pictures()


def test_they_are_up_to_date(drawn: dict[Path, str]) -> None:
    """`python -m tools.picture --update` draws them again."""
    assert {path: path.read_text(encoding="utf-8") for path in PICTURES.values()} == drawn


def test_they_differ_in_their_colours_only(drawn: dict[Path, str]) -> None:
    light, dark = drawn.values()
    assert light != dark
    assert re.sub(r"#[0-9a-f]{6}", "#", light) == re.sub(r"#[0-9a-f]{6}", "#", dark)


def test_they_need_nothing_else_and_show_the_whole_report(drawn: dict[Path, str]) -> None:
    for text in drawn.values():
        ET.fromstring(text)
        assert "var(" not in text
        assert set(re.findall(r"https?://[^\"]+", text)) == {"http://www.w3.org/2000/svg"}
        assert text.count("<svg ") == 1 + 5  # nodes
        assert "research/pretrain ✕ unschedulable" in plain(text)


def test_the_readme_shows_both() -> None:
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', (ROOT / "README.md").read_text(encoding="utf-8"))
    assert {ROOT / path for path in shown} == set(PICTURES.values())
