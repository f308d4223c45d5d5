"""Code actions: the safe fixes of findings, and comments and entries that allow one with a reason."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lsprotocol.types import CodeAction, CodeActionKind, Diagnostic, Range, TextEdit, WorkspaceEdit

from gitgpu.diagnostic import Diagnostic as Finding
from gitgpu.edit import apply_edits, newline
from gitgpu.editor.files import Files
from gitgpu.editor.findings import range_of
from gitgpu.editor.yaml_tree import parse
from gitgpu.policy import ALWAYS_REPORTED, comment_allowances

REASON = "REASON"
FIX_ALL = f"{CodeActionKind.SourceFixAll.value}.gitgpu"
_IGNORE = re.compile(r"(#\s*gitgpu:\s*ignore\[)([^\]\n]*)(\])")


class Asked(NamedTuple):
    """What is asked for: actions for a range of a file, what the editor shows there, and the configuration, if any.

    `only` are the kinds of actions that the editor wants; with (), it wants all.
    """

    file: str
    range: Range
    shown: Sequence[Diagnostic]
    config: str = ""
    only: Sequence[str] = ()

    def wants(self, action: CodeAction) -> bool:
        """Whether an action is of a wanted kind: source.fixAll also stands for source.fixAll.gitgpu."""
        kind = str(getattr(action.kind, "value", action.kind))
        return not self.only or any(f"{kind}.".startswith(f"{wanted}.") for wanted in self.only)


def actions(asked: Asked, findings: Sequence[Finding], files: Files) -> Iterator[CodeAction]:
    """The actions for the findings of a file that are in the range, and one for all its safe fixes."""
    yield from filter(asked.wants, _actions(asked, findings, files))


def _actions(asked: Asked, findings: Sequence[Finding], files: Files) -> Iterator[CodeAction]:
    file_findings = [finding for finding in findings if finding.span.file == asked.file]
    for finding in file_findings:
        if _touch(range_of(finding, files), asked.range):
            yield from _fixes(finding, asked, files)
    fixable = [finding for finding in file_findings if finding.edit]
    if fixable and (edit := _fixed(fixable, asked.file, files)):
        yield CodeAction("Fix everything that gitgpu can fix safely", FIX_ALL, edit=edit)


def _fixes(finding: Finding, asked: Asked, files: Files) -> Iterator[CodeAction]:
    shown_diagnostics = [diagnostic for diagnostic in asked.shown if diagnostic.code == finding.code]
    if finding.edit and (edit := _fixed([finding], asked.file, files)):
        yield CodeAction(
            f"{finding.code}: {finding.help}", CodeActionKind.QuickFix, shown_diagnostics, is_preferred=True, edit=edit
        )
    if finding.code.startswith(ALWAYS_REPORTED):
        return
    allowed = allowed_text(files.texts[asked.file], finding)
    if change := files.edit(asked.file, allowed):
        title = f"Allow {finding.code} here, with a reason"
        yield CodeAction(title, CodeActionKind.QuickFix, shown_diagnostics, edit=_edit(asked.file, [change], files))
    if asked.config and (entry := _entry(finding, asked.config, files)):
        title = f"Allow {finding.code} for {finding.object.kind or 'this file'} in {asked.config}, with a reason"
        yield CodeAction(title, CodeActionKind.QuickFix, shown_diagnostics, edit=_edit(asked.config, [entry], files))


def _fixed(findings: Iterable[Finding], file: str, files: Files) -> WorkspaceEdit | None:
    """The edit that applies the safe fixes; None if none can be applied."""
    edits = [finding.edit for finding in findings if finding.edit]
    after, done = apply_edits(files.texts[file], edits)
    change = files.edit(file, after) if done else None
    return _edit(file, [change], files) if change else None


def allowed_text(content: str, finding: Finding) -> str:
    """The text with a comment that suppresses a finding: on its line, or above it; unchanged if neither would."""
    lines = content.splitlines(keepends=True)
    number = finding.span.line - 1
    if not 0 <= number < len(lines):
        return content
    line = lines[number]
    body = line.rstrip("\r\n")
    after = f"{body.rstrip()}  # gitgpu: ignore[{finding.code}] {REASON}"
    if (ignore := _IGNORE.search(body)) is not None:
        after = f"{body[: ignore.end(2)]}, {finding.code}{body[ignore.end(2) :]}"
    indent = body[: len(body) - len(body.lstrip())]
    above = f"{indent}# gitgpu: ignore[{finding.code}] {REASON}{newline(content)}"
    for changed in (after + line[len(body) :], above + line):
        text = "".join([*lines[:number], changed, *lines[number + 1 :]])
        if _suppresses(text, finding, number + (2 if changed.startswith(above) else 1)):
            return text
    return content


def _suppresses(text: str, finding: Finding, line: int) -> bool:
    """Whether a comment suppresses the finding, now on this line. In a value of several lines, # begins none."""
    return any(
        finding.code in allowed.codes and allowed.reason and allowed.target == (finding.span.file, line)
        for allowed in comment_allowances({finding.span.file: text})
    )


def _entry(finding: Finding, config: str, files: Files) -> TextEdit | None:
    """The edit that adds an entry to `allow` of the configuration: at the end of its list, or of the file."""
    content = files.texts.get(config, "")
    root = parse(content)
    if root is None or not root.is_mapping or config.endswith(".toml"):
        return None
    end = newline(content)
    name = "/".join(part for part in finding.object if part)
    subject = f"{end}  object: {name}" if name else ""
    entry = f"- code: {finding.code}{end}  file: {finding.span.file}{subject}{end}  reason: {REASON}{end}"
    allow = root.get("allow")
    if allow is None:
        gap = "" if not content or content.endswith("\n") else end
        return files.edit(config, f"{content}{gap}allow:{end}{entry}")
    if content.startswith("[", allow.start) or not allow.entries:
        return None
    line_start = content.rfind("\n", 0, allow.start) + 1
    indent = content[line_start : allow.start]
    if indent.strip():
        return None
    line_end = content.find("\n", allow.end)
    at = len(content) if line_end < 0 else line_end + 1
    gap = "" if content[:at].endswith("\n") else end
    lines = "".join(f"{indent}{line}" for line in entry.splitlines(keepends=True))
    return files.edit(config, f"{content[:at]}{gap}{lines}{content[at:]}")


def _touch(one: Range, other: Range) -> bool:
    """Whether two ranges have a line in common: the cursor is rarely on the very word."""
    return one.start.line <= other.end.line and other.start.line <= one.end.line


def _edit(file: str, changes: Sequence[TextEdit], files: Files) -> WorkspaceEdit:
    return WorkspaceEdit({files.uri(file): changes})
