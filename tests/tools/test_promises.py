"""What users and programs rely on does not change unnoticed: docs/reference/compatibility.md."""

import re
import shutil
from pathlib import Path

import click
import pytest

from gitgpu.cli.program import program
from tests.helping.cases import for_each
from tools import promises

SCHEMA = {
    "type": "object",
    "description": "A pool.",
    "required": ["name"],
    "properties": {"name": {"type": "string", "title": "Name"}, "gpus": {"enum": [1, 2]}},
    "additionalProperties": False,
}


@pytest.mark.parametrize("name", promises.PROMISES)
def test_the_baseline_is_current(name: str) -> None:
    """`python -m tools.promises --update` writes it, and the page. Read there what a removal needs."""
    added, gone = promises.changes(name)
    remedy = "run `python -m tools.promises --update`; announce lines that are gone in docs/reference/deprecations.md"
    assert (added, gone) == ([], []), remedy
    assert len(promises.frozen(name)) > 50


def test_the_page_says_how_much_is_frozen() -> None:
    page = promises.PAGE.read_text(encoding="utf-8")
    assert promises.counted(page) == page
    assert all(f"compatibility/{name}.txt" in page for name in promises.PROMISES)


def test_prose_may_change_and_meaning_may_not() -> None:
    before = list(promises.keys(SCHEMA))
    assert list(promises.keys(SCHEMA | {"description": "Some nodes."})) == before
    assert before == [
        '. {"type": "object"}',
        '. required "name"',
        '.name {"type": "string"}',
        ".gpus {}",
        ".gpus enum 1",
        ".gpus enum 2",
        "/additionalProperties false",
    ]


def test_prose_of_an_alternative_may_change() -> None:
    alternative = {"type": "string", "description": "A name.", "x-gitgpu-words": "a name"}
    assert list(promises.keys({"anyOf": [alternative, {"required": ["b", "a"]}]})) == [
        ". {}",
        '. anyOf {"type": "string"}',
        '. anyOf {"required": ["b", "a"]}',
    ]


def test_a_key_is_added_to_an_alternative() -> None:
    properties = {"title": {"type": "string", "title": "Title"}}
    alternative = {"type": "object", "properties": properties}
    before = list(promises.keys({"oneOf": [alternative, {"type": "null"}]}))
    assert before == [
        ". {}",
        '. oneOf {"type": "object"}',
        '. oneOf.title {"type": "string"}',
        '. oneOf {"type": "null"}',
    ]
    more = alternative | {"properties": {**properties, "nodes": {}}, "required": ["nodes"]}
    assert set(before) < set(promises.keys({"oneOf": [more, {"type": "null"}]}))


@for_each(
    "change", [{"required": []}, {"type": "array"}, {"properties": {}}, {"additionalProperties": {"type": "string"}}]
)
def test_each_kind_of_change_of_a_schema_is_seen(change: dict[str, object]) -> None:
    assert set(promises.keys(SCHEMA)) - set(promises.keys(SCHEMA | change))


def test_a_promise_is_not_dropped_by_accident(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--update` keeps a baseline of which a line is gone, unless somebody says that the change is meant."""
    shutil.copytree(promises.BASELINE, tmp_path / "baseline")
    (tmp_path / "page.md").write_text("codes.txt) | 1 |\n", encoding="utf-8")
    monkeypatch.setattr(promises, "BASELINE", tmp_path / "baseline")
    monkeypatch.setattr(promises, "PAGE", tmp_path / "page.md")
    codes = tmp_path / "baseline" / "codes.txt"
    codes.write_text(codes.read_text(encoding="utf-8") + "ZZZ001 gone\n", encoding="utf-8")
    assert promises.main([]) == 1
    assert promises.main(["--update"]) == 1
    assert "ZZZ001 gone" in codes.read_text(encoding="utf-8")
    assert promises.main(["--update", "--breaking"]) == 0
    assert "ZZZ001" not in codes.read_text(encoding="utf-8")
    assert "codes: - ZZZ001 gone" in capsys.readouterr().out
    assert (tmp_path / "page.md").read_text(encoding="utf-8") != "codes.txt) | 1 |\n"


def test_a_key_that_becomes_required_breaks_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fleet.txt").write_text('. {"type": "object"}\n.gpus {}\n', encoding="utf-8")
    today: dict[str, object] = {"type": "object", "properties": {"gpus": {}, "budget": {"required": ["price"]}}}
    monkeypatch.setattr(promises, "BASELINE", tmp_path)
    monkeypatch.setattr(promises, "PROMISES", {"fleet": lambda: promises.keys(today)})
    assert promises.breaking("fleet") == []
    today["required"] = ["gpus"]
    assert promises.breaking("fleet") == ['. required "gpus"']


def test_what_is_deprecated_is_on_its_page() -> None:
    """click says in the help that an option is deprecated; the page says until when it works."""
    page = (promises.PAGE.parent / "deprecations.md").read_text(encoding="utf-8")
    for command in _commands(program()):
        named = [(command.name, command), *((each.name, each) for each in command.params)]
        for name in [name for name, each in named if getattr(each, "deprecated", False)]:
            assert re.search(rf"\| `[^|]*{name}[^|]*\|[^|]+\| \d+\.\d+\.\d+ \|", page), name


def _commands(command: click.Command) -> list[click.Command]:
    """A command and those below it."""
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return [command, *(found for each in below for found in _commands(each))]
