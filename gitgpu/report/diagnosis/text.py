"""A diagnosis as text: a paragraph for each cause, the most harmful first."""

from collections.abc import Iterator

from gitgpu.diagnose.diagnosis import Diagnosis, Group
from gitgpu.report.diagnosis.sentences import SHOWN, headline
from gitgpu.report.findings import Style
from gitgpu.report.terminal import fit_lines, paint, printable

_WRONG, _NORMAL = "1;31", "1;32"


def text(diagnosis: Diagnosis, style: Style) -> str:
    """The causes, and what the dump lacks. Only commands are never broken, so that they can be copied."""
    parts = ["".join(f"{line}\n" for line in _group(group, style)) for group in diagnosis.groups]
    if not parts:
        parts = ["Nothing waits, and nothing is wrong, as far as the dump says.\n"]
    if diagnosis.missing:
        lacks = "".join(f"  {missing.kind}: {missing.decides}\n" for missing in diagnosis.missing)
        parts.append(fit_lines(f"Not in the dump, so it is not known:\n{lacks}", style.width))
    return "\n".join(parts)


def _group(group: Group, style: Style) -> Iterator[str]:
    cause = group.cause
    name = paint(cause.verdict, _NORMAL if cause.normal else _WRONG, colour=style.colour)
    evidence = group.evidence
    said = [f"{name}: {printable(cause.message)}", f"  {headline(group)}"]
    said += [f"    {entry.object}: {printable(entry.text)}" for entry in evidence[:SHOWN]]
    said += [f"    and {len(evidence) - SHOWN} more"] if len(evidence) > SHOWN else []
    yield from (fit_lines(line, style.width) for line in (*said, f"  = help: {cause.remedy}"))
    yield from (f"    {command}" for command in cause.commands)
    if cause.rules:
        yield fit_lines(f"  = rules: {', '.join(cause.rules)}", style.width)
