"""All user-visible text is plain English, and terms are spelt as upstream spells them."""

from pathlib import Path

import pytest

from tools.wording import PLACES, ROOT, Passage, files, main, of_examples, slips
from tools.wording_list import ALLOWED


@pytest.mark.parametrize("place", PLACES)
def test_no_text_has_an_unwanted_phrase(place: str) -> None:
    found = (slip for path in files([ROOT / place]) for slip in slips(path, comments=place == "gitgpu"))
    assert [str(slip) for slip in found] == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.md", "A pool\nis no part\nof it.", [(2, "is no")]),
        ("a.md", "There is no pool.", []),
        ("a.md", "```text\nfor ever\n```\nFor `x`, it lasts for\never.", [(4, "for ever")]),
        ("a.md", "[A page](for-ever.md) of the GPU operator", [(1, "GPU operator")]),
        ("a.md", "an alert for `nvidia-time-slicing`, with time slicing", [(1, "time slicing")]),
        ("a.yaml", "name: x\nnotes:\n- It is told\n  of it.\nexpr: is told of", [(3, "is told of")]),
        ("a.yaml", "notes: It is good.\n---\n[a, b]: x\n? {a: b}\n: {notes: It is told}", [(5, "is told")]),
        ("a.yaml", "notes: It is told.\n---\n'", []),  # not YAML
        ("a.json", '{"description": "A key nobody reads.", "pattern": "nobody reads this"}', [(1, "nobody")]),
        ("a.py", '"""It is told."""\nX = f"{1} is no size"\n', [(2, "is no")]),
        ("a.py", 'rule(sources=("a page, of which there is one",), help="It stands " "twice.")\n', [(1, "stands")]),
    ],
)
def test_each_unwanted_phrase_is_reported_with_its_line(
    tmp_path: Path, name: str, text: str, expected: list[tuple[int, str]]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert [(slip.line, slip.phrase) for slip in slips(tmp_path / name)] == expected


def test_the_headings_of_examples_are_read_and_no_other_comment() -> None:
    text = "# bad: 'a b' is\n#   no unit.\n# It is told.\nkind: A\n---\n# good: It is told.\nkind: B\n"
    assert [*of_examples(text)] == [Passage(1, " bad: 'a b' is\n   no unit."), Passage(6, " good: It is told.")]


def test_comments_are_searched_on_demand(tmp_path: Path) -> None:
    page = tmp_path / "a.py"
    page.write_text('"""It is told."""\n\nX = 1  # nobody reads it\n', encoding="utf-8")
    assert [slip.phrase for slip in slips(page, comments=True)] == ["is told", "nobody"]


def test_every_allowed_phrase_still_occurs() -> None:
    """Exceptions that are no longer needed have to be removed."""
    written = {path: (ROOT / path).read_text(encoding="utf-8") for path, _ in ALLOWED}
    assert [(path, phrase) for path, phrase in ALLOWED if phrase not in " ".join(written[path].split())] == []


def test_the_command_prints_what_it_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "a.md"
    page.write_text("It is told.\n", encoding="utf-8")
    assert main([str(page)]) == 1
    assert capsys.readouterr().out == f"{page}:1: 'is told': is reported, is warned about, is named\n"


def test_the_command_has_help_and_rejects_a_missing_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    assert "--comments" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "none.md")])
    assert "no such file or folder" in capsys.readouterr().err
