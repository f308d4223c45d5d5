"""A diagnosis for an issue or a chat: a heading for each cause."""

from collections.abc import Iterator

from gitgpu.diagnose.diagnosis import Diagnosis, Group
from gitgpu.report.diagnosis.sentences import SHOWN, headline, summary
from gitgpu.report.markdown_text import cell


def markdown(diagnosis: Diagnosis) -> str:
    """The causes, and what the dump lacks."""
    parts = [f"{cell(summary(diagnosis))}\n"]
    parts += ["".join(f"{line}\n" for line in _group(group)) for group in diagnosis.groups]
    if diagnosis.missing:
        lines = "".join(f"- {missing.kind}: {cell(missing.decides)}\n" for missing in diagnosis.missing)
        parts.append(f"### Not in the dump, so it is not known\n\n{lines}")
    return "\n".join(parts)


def _group(group: Group) -> Iterator[str]:
    cause = group.cause
    yield f"### {cause.verdict}: {cell(cause.message)}"
    yield ""
    yield cell(headline(group))
    yield ""
    for entry in group.evidence[:SHOWN]:
        yield f"- {cell(entry.object)}: {cell(entry.text)}"
    yield ""
    yield f"Help: {cell(cause.remedy)}"
    if cause.commands:
        yield ""
        yield "```sh"
        yield from cause.commands
        yield "```"
    if cause.rules:
        yield ""
        yield f"Rules: {', '.join(cause.rules)}"
