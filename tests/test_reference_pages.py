"""The reference tells what the program is today: a stale page fails, and so does a code that no page explains."""

import re
from pathlib import Path

import pytest

from gitgpu.check import fleet_rules
from gitgpu.conform import object_rules
from tests.reference_pages import FOLDER, NOTE, PAGES

ROOT = FOLDER.parents[1]
CODE = re.compile(r"[A-Z]{3}[0-9]{3}")
LITERAL = re.compile(rf'"({CODE.pattern})"')
ROW = re.compile(rf"^\| `({CODE.pattern})` \|", re.MULTILINE)
FAULTS = ROW.findall((FOLDER / "faults.md").read_text(encoding="utf-8"))
RULES = [*(rule.code for rule in fleet_rules()), *(rule.code for rule in object_rules())]
REMEDY = "run `python -m tests.reference_pages --update` and commit what it writes"


def text(path: Path) -> str:
    """A file's text."""
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_page_is_fresh(name: str) -> None:
    assert text(FOLDER / name) == NOTE + PAGES[name](), REMEDY


def test_no_page_is_left_over() -> None:
    """A page that says it is made has somebody who makes it."""
    made = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md") if text(path).startswith(NOTE)}
    assert made == set(PAGES)


def test_every_code_is_explained_once() -> None:
    """A code in the program is a rule, on the page of its kind, or a fault, in the table that is kept by hand."""
    used = {code for path in ROOT.glob("gitgpu/**/*.py") for code in LITERAL.findall(text(path))}
    assert len(set(RULES)) == len(RULES)
    assert sorted(FAULTS) == sorted(used - set(RULES))


def test_codes_in_prose_exist() -> None:
    """A page that names a code names one that there is."""
    pages = [path for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if path.name != "faults.md"]
    named = {(path.name, code) for path in pages for code in re.findall(rf"\b{CODE.pattern}\b", text(path))}
    assert sorted(place for place in named if place[1] not in {*RULES, *FAULTS}) == []
