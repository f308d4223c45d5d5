"""A diagnosis as text: a paragraph for each cause, the most harmful first."""

from collections.abc import Iterator

from gitgpu.diagnose.diagnosis import Diagnosis, Group
from gitgpu.report.diagnosis.sentences import SHOWN, headline
from gitgpu.report.findings import Style
from gitgpu.report.terminal import paint, printable

_WRONG, _NORMAL = "1;31", "1;32"


def text(diagnosis: Diagnosis, style: Style) -> str:
    """The causes, and what the dump lacks."""
    parts = ["".join(f"{line}\n" for line in _group(group, style)) for group in diagnosis.groups]
    if not parts:
        parts = ["Nothing waits, and nothing is wrong, as far as the dump says.\n"]
    if diagnosis.missing:
        lacks = "".join(f"  {missing.kind}: {missing.decides}\n" for missing in diagnosis.missing)
        parts.append(f"Not in the dump, so it is not known:\n{lacks}")
    return "\n".join(parts)


def _group(group: Group, style: Style) -> Iterator[str]:
    cause = group.cause
    name = paint(cause.verdict, _NORMAL if cause.normal else _WRONG, colour=style.colour)
    yield f"{name}: {printable(cause.message)}"
    yield f"  {headline(group)}"
    evidence = group.evidence
    for entry in evidence[:SHOWN]:
        yield f"    {entry.object}: {printable(entry.text)}"
    if len(evidence) > SHOWN:
        yield f"    and {len(evidence) - SHOWN} more"
    yield f"  = help: {cause.remedy}"
    for command in cause.commands:
        yield f"    {command}"
    if cause.rules:
        yield f"  = rules: {', '.join(cause.rules)}"
