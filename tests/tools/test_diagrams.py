"""The diagrams of the documentation are up to date, readable, and say what the program does."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from gitgpu.load.spec.shape import fleet_schema
from tests.helping.cases import for_each
from tools.diagrams import DARK, DATA, FOLDER, KINDS, LIGHT, MARGIN, ROOT, WIDTH, _placed, diagram, diagrams

SVG = "{http://www.w3.org/2000/svg}"
FACTS = yaml.load(DATA.read_text(encoding="utf-8"), yaml.CSafeLoader)
# Pixels of a letter in DejaVu Sans, the widest of the fonts: in a head, and in a line.
HEAD, LINE = 8.9, 6.6


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    """The contrast of two colours, as WCAG defines it."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_diagrams_are_up_to_date() -> None:
    made = diagrams()
    assert {path: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == made, "run tools.diagrams --update"


def test_each_diagram_is_on_a_page() -> None:
    pages = [path.read_text(encoding="utf-8") for path in ROOT.glob("docs/**/*.md")]
    for path in diagrams():
        assert any(f"pictures/diagrams/{path.name})" in page for page in pages), path.name


@for_each("name", FACTS)
def test_a_screen_reader_gets_a_title_and_a_description(name: str) -> None:
    svg = ET.fromstring(diagram(name, FACTS[name]))
    named = [svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")]
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == " ".join(part.get("id", "") for part in named if part is not None)
    assert all(part is not None and part.text for part in named)


@for_each("name", [name for name in FACTS if "boxes" in FACTS[name]])
def test_texts_fit_in_their_boxes_and_boxes_in_the_picture(name: str) -> None:
    placed = {key: _placed(box, FACTS[name]) for key, box in FACTS[name]["boxes"].items()}
    for key, box in placed.items():
        assert box.x >= MARGIN
        assert box.x + box.wide <= WIDTH - MARGIN + 0.01
        assert len(box.text) * 16 <= box.high, key
        assert len(box.text[0]) * HEAD <= box.wide + 8, key
        assert all(len(line) * LINE <= box.wide for line in box.text[1:]), key
    places = [(box.x, box.y) for box in placed.values()]
    assert len(places) == len({*places})


@pytest.mark.parametrize("of", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_have_contrast_on_each_colour(of: dict[str, str]) -> None:
    assert min(contrast(of["ink"], of[kind]) for kind in (*KINDS, "paper")) >= 7
    assert min(contrast(of["soft"], of[kind]) for kind in (*KINDS, "paper")) >= 4.5


def test_the_pipeline_has_the_stages_of_the_program() -> None:
    stages = {key for key, box in FACTS["pipeline"]["boxes"].items() if box["kind"] == "gitgpu"}
    assert all((ROOT / "gitgpu" / stage).is_dir() for stage in stages)
    page = (ROOT / "docs/explanation/how-it-works.md").read_text(encoding="utf-8")
    assert stages == set(re.findall(r"^\| ([a-z/]+) \|", page, re.MULTILINE))


def test_the_owners_of_drivers_are_those_of_the_spec() -> None:
    head = [name for name in FACTS["driver-owners"]["table"]["head"] if name]
    text = str(fleet_schema()["definitions"])
    assert set(head) == set(eval(re.findall(r"'enum': (\['aks'[^\]]*\])", text)[0]))


def test_the_rings_are_those_of_the_page() -> None:
    boxes = FACTS["rings"]["boxes"].values()
    rings = [box["text"].partition(" | ")[0].removeprefix("ring ") for box in boxes if box["kind"] == "output"]
    page = Path(ROOT / "docs/how-to/upgrade-the-gpu-operator.md").read_text(encoding="utf-8")
    block = re.findall(r"^  rings:\n(.*?)^---", page, re.MULTILINE | re.DOTALL)[0]
    assert rings == re.findall(r"- name: (\w+)", block)
