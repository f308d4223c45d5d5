"""Options, codes, fixes and the overview, tested apart from commands."""

from typing import Any

import click
import pytest

from gitgpu.cli import options
from gitgpu.cli.codes import current, replacements
from gitgpu.cli.fixes import apply_fixes
from gitgpu.cli.overview import overview
from gitgpu.diagnostic import Change, Diagnostic, Edit, Severity
from gitgpu.load.text import Text
from gitgpu.source import Span


def fault(code: str, severity: Severity, file: str = "a.yaml", message: str = "wrong") -> Diagnostic:
    """A finding."""
    return Diagnostic(code, severity, message, "correct it", Span(file, 1, 1))


def edit(at: int, text: str, file: str = "a.yaml") -> Diagnostic:
    """A finding with a fix of a value."""
    place = Span(file, at, 4)
    return fault("NPL001", Severity.ERROR, file)._replace(edit=Edit(Change.VALUE, place, text=text))


def accepted(option: Any, *words: str) -> Any:
    """The value that a command gets for an option."""

    seen: dict[str, Any] = {}

    def command(**given: Any) -> None:
        seen.update(given)

    click.command()(option(command)).main(list(words), standalone_mode=False)
    return seen


def test_codes_that_another_rule_replaces() -> None:
    old, new = next(iter(replacements().items()))
    assert (current(old, set), current(old, lambda: {old})) == (new, old)
    assert (current(new, set), current("SKU", set), current("XYZ999", set)) == (new, "SKU", "XYZ999")


def test_fixes_are_applied_until_none_is_left() -> None:
    texts = {"a.yaml": Text("a.yaml", "a: 1\n", "a"), "b.yaml": Text("b.yaml", "b: 1\n", "b")}

    def look(now: Any) -> list[Diagnostic]:
        value = int(now["a.yaml"].content.split()[1])
        return [edit(1, str(value + 1)), edit(1, "9", "b.yaml")] if value < 4 else []

    made = apply_fixes(texts, look, ["a.yaml"])
    assert [text.content for text in made.changed] == ["a: 4\n"]
    assert (made.times, made.left, made.texts["b.yaml"]) == ({"a.yaml": 3}, 1, texts["b.yaml"])
    endless = apply_fixes(texts, lambda now: [edit(1, str(int(now["a.yaml"].content.split()[1]) + 1))], ["a.yaml"])
    assert endless.times == {"a.yaml": 10}
    nothing = apply_fixes(texts, lambda _: [fault("NPL001", Severity.ERROR)], ["a.yaml"])
    assert (nothing.changed, nothing.times, nothing.left) == ((), {}, 0)


def test_options_about_findings() -> None:
    usual = accepted(options.chosen)["chosen"]
    assert usual == ((), (), "", "", 1000)
    chosen = accepted(
        options.chosen, "--select", "sku, NPL010,", "--ignore", "A1", "--today", "2027-06-30", "--max-findings", "0"
    )["chosen"]
    assert (chosen.select, chosen.ignore, chosen.today, chosen.maximum) == (("SKU", "NPL010"), ("A1",), "2027-06-30", 0)
    assert [each.narrows for each in (usual, chosen, usual._replace(fail_on="info", maximum=1))] == [False, True, False]
    assert all(usual._replace(**{key: ("X",)}).narrows for key in ("select", "ignore"))
    for words, message in (
        (("--select", "SKUX001"), "'SKUX001' is not a code or code prefix"),
        (("--select", "SKU0001"), "is not a code"),
        (("--ignore", "1"), "is not a code"),
        (("--today", "2027-02-30"), "'2027-02-30' is not a date such as 2027-06-30"),
        (("--today", ""), "'' is not a date"),
        (("--max-findings", "-1"), "not in the range"),
        (("--fail-on", "none"), "is not one of"),
    ):
        with pytest.raises(click.BadParameter, match=message):
            accepted(options.chosen, *words)


def test_numbers_of_processes() -> None:
    assert [accepted(options.jobs, "--jobs", number)["jobs"] for number in ("1", "256")] == [1, 256]
    assert accepted(options.jobs)["jobs"] is None
    for number in ("0", "257", "x"):
        with pytest.raises(click.BadParameter):
            accepted(options.jobs, "--jobs", number)


def test_the_overview_without_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert overview(["-V"]) == overview(["--version"]) != ""
    assert overview(["-h"]) == overview(["--help"])
    assert max(map(len, overview(["-h"]).splitlines())) <= 80
    assert [overview(words) for words in ([], ["-h", "build"], ["build", "-h"])] == ["", "", ""]
    monkeypatch.setenv("COLUMNS", "60")
    assert (overview(["-h"]), overview(["-V"]) != "") == ("", True)
    monkeypatch.setenv("_GITGPU_COMPLETE", "bash_complete")
    assert overview(["-V"]) == ""
