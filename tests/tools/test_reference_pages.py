"""The reference pages are up to date, and every code has an explanation."""

import re
from pathlib import Path

import pytest

from gitgpu.report.reference.faults import faults
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tools import reference_pages
from tools.reference_pages import FOLDER, NOTE, PAGES, left_over

ROOT = FOLDER.parents[1]
CODE = re.compile(r"[A-Z]{3}[0-9]{3}")
LITERAL = re.compile(rf'"({CODE.pattern})"')
FAULTS = [fault.code for fault in faults()]
ADVISORIES = [code for code in FAULTS if code.startswith("ADV")]
RULES = [*(rule.code for rule in fleet_rules()), *(rule.code for rule in object_rules())]
REPLACED = {code for rule in fleet_rules() for code in rule.replaces}
REPLACED |= {code for rule in object_rules() for code in rule.replaces}
REMEDY = "run `python -m tools.reference_pages --update` and commit what it writes"


def text(path: Path) -> str:
    """A file's text."""
    return path.read_text(encoding="utf-8")


def test_pages_are_up_to_date() -> None:
    for name in PAGES:
        assert text(FOLDER / name) == NOTE + PAGES[name](), f"{name}: {REMEDY}"


def test_no_page_is_left_over() -> None:
    """Every page that is marked as generated is still generated."""
    assert left_over() == [], REMEDY


def test_the_page_of_a_removed_subject_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_pages, "FOLDER", tmp_path)
    monkeypatch.setattr(reference_pages, "PAGES", {"rules/NEW001.md": lambda: "new"})
    old, own = tmp_path / "rules/OLD001.md", tmp_path / "own.md"
    old.parent.mkdir()
    old.write_text(NOTE, "utf-8")
    own.write_text("By hand.", "utf-8")
    assert reference_pages.main([]) == 1
    assert reference_pages.main(["--update"]) == 0
    assert sorted(tmp_path.rglob("*.md")) == [own, tmp_path / "rules/NEW001.md"]
    assert reference_pages.main([]) == 0


def test_every_code_is_explained_once() -> None:
    """Every code in the program is either a rule, on the page of its kind, or a fault, in the list of faults."""
    used = {code for path in ROOT.glob("gitgpu/**/*.py") for code in LITERAL.findall(text(path))}
    assert len(set(RULES)) == len(RULES)
    written = set(FAULTS).difference(ADVISORIES)  # these are rows of the catalog
    assert sorted(written) == sorted(used - set(RULES) - REPLACED - set(ADVISORIES))
    assert len(set(FAULTS)) == len(FAULTS)


def test_codes_in_prose_exist() -> None:
    """A page names only codes that exist."""
    pages = [path for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if path.name != "faults.md"]
    named = {(path.name, code) for path in pages for code in re.findall(rf"\b{CODE.pattern}\b", text(path))}
    users = {f"ADV{number}" for number in range(500, 1000)}  # for advisories of a user
    assert sorted(place for place in named if place[1] not in {*RULES, *REPLACED, *FAULTS, *users}) == []
