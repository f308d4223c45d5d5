"""Files that are named on the command line."""

from pathlib import Path

from gitgpu.cli.input.texts import PIPED, by_name, with_notes
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


def test_files_that_are_named_and_broken_links(tmp_path: Path) -> None:
    texts = [Text("a/b.yaml", "", "b"), Text("c.yaml", "", "c"), Text(PIPED, "", PIPED)]
    assert by_name(texts, ["a", "./c.yaml", "-"]) == {"c.yaml", PIPED}
    assert by_name(texts, ["a/../a/b.yaml"]) == {"a/b.yaml"} or by_name(texts, ["a/b.yaml"]) == {"a/b.yaml"}
    link = tmp_path / "link.yaml"
    link.symlink_to("nowhere")
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"apiVersion: v1 # \xe9")
    faults = [
        Diagnostic("INP001", Severity.ERROR, "cannot be read", "check it", Span(str(link))),
        Diagnostic("INP001", Severity.ERROR, "cannot be read", "check it", Span(str(tmp_path / "none"))),
        Diagnostic("INP002", Severity.ERROR, "not UTF-8", "save it", Span(str(latin))),
    ]
    _, diagnostics = with_notes([str(tmp_path)], [], faults)
    assert [(fault.code, fault.severity) for fault in diagnostics] == [
        ("LNT013", Severity.INFO), ("INP001", Severity.ERROR), ("INP002", Severity.ERROR),
    ]  # fmt: skip
    assert (diagnostics[0].message, diagnostics[0].help) == (
        "broken symbolic link: not checked",
        "remove the link, or check out its target",
    )
    _, own = with_notes([f"{tmp_path}/./link.yaml"], [], faults)
    assert own[0].code == "INP001"
