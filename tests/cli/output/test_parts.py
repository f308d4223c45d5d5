"""The exit code, the paths of findings, and colours."""

import subprocess
from pathlib import Path

import pytest

from gitgpu.cli.input.texts import PIPED
from gitgpu.cli.output.outcome import exit_code
from gitgpu.cli.output.refusal import wants_json
from gitgpu.cli.output.shown_paths import with_shown_paths
from gitgpu.cli.output.terminal import style_of
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.findings import Findings
from gitgpu.source import Span
from tests.helping.cases import for_each


def fault(code: str, severity: Severity, file: str = "a.yaml", message: str = "wrong") -> Diagnostic:
    """A finding."""
    return Diagnostic(code, severity, message, "correct it", Span(file, 1, 1))


def git(*words: str) -> None:
    """Runs Git here."""
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], check=True, capture_output=True)


@for_each(
    ("faults", "codes"),
    [
        ([], [0, 0, 0, 0]),
        ([("NPL001", Severity.ERROR)], [1, 1, 1, 0]),
        ([("NPL001", Severity.WARNING)], [0, 1, 1, 0]),
        ([("NPL001", Severity.INFO)], [0, 0, 1, 0]),
        ([("INP001", Severity.INFO)], [2, 2, 2, 2]),
        ([("INT001", Severity.WARNING), ("OUT001", Severity.ERROR)], [2, 2, 2, 2]),
        ([("OUT001", Severity.ERROR)], [1, 1, 1, 1]),
        ([("OUT011", Severity.ERROR)], [1, 1, 1, 1]),
        ([("OUT010", Severity.ERROR)], [1, 1, 1, 0]),
        ([("OUT001", Severity.WARNING)], [0, 1, 1, 0]),
    ],
)
def test_the_exit_code_of_findings(faults: list[tuple[str, Severity]], codes: list[int]) -> None:
    findings = Findings(tuple(fault(*each) for each in faults), 1, 1)
    assert [exit_code(findings, level) for level in ("error", "warning", "info", "never")] == codes


@for_each(
    ("words", "json"),
    [
        ([], False), (["-o", "json"], True), (["-ojson"], True), (["--output=json"], True),
        (["--output", "json"], True),
        (["-o", "json", "-o", "text"], False), (["-o", "text", "--output=json"], True), (["--", "-o", "json"], False),
        (["-o"], False), (["-o", "yaml"], False), (["x", "-o", "json", "y"], True), (["--out", "json"], False),
    ],
)  # fmt: skip
def test_command_lines_that_ask_for_json(words: list[str], json: bool) -> None:
    assert wants_json(words) is json


def test_paths_from_the_root_of_a_work_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.yaml").touch()
    monkeypatch.chdir(tmp_path / "sub")
    each = fault("NPL001", Severity.ERROR, "a.yaml", "as at a.yaml:3:4, not b-a.yaml:3:4 or other.yaml:1:1")
    findings = Findings((each, fault("NPL001", Severity.ERROR, PIPED)), 1, 1, {"a.yaml": "x"})
    [first, piped] = with_shown_paths(findings, "github").diagnostics
    assert (first.span.file, piped.span.file) == ("sub/a.yaml", PIPED)
    assert first.message == "as at sub/a.yaml:3:4, not b-a.yaml:3:4 or other.yaml:1:1"
    assert list(with_shown_paths(findings, "sarif").sources) == ["sub/a.yaml"]
    assert with_shown_paths(findings, "text") is findings


@pytest.mark.parametrize(
    ("when", "terminal", "environment", "colour"),
    [
        ("auto", True, {}, True), ("auto", False, {}, False), ("always", False, {}, True), ("never", True, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False), ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False), ("always", True, {"NO_COLOR": "1"}, True),
        ("auto", True, {"TERM": "xterm"}, True),
    ],
)  # fmt: skip
def test_colours_of_a_terminal(
    monkeypatch: pytest.MonkeyPatch, when: str, terminal: bool, environment: dict[str, str], colour: bool
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "77")
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    style = style_of(when)
    assert (style.colour, style.width) == (colour, 77 if terminal else 0)
