"""Comments that suppress errors of rules in an imported spec, because the running cluster is already like this."""

from collections.abc import Iterable, Mapping

from gitgpu.diagnostic import Diagnostic

_WHY = "the running cluster already has this"


def with_allowances(files: Mapping[str, str], findings: Iterable[Diagnostic]) -> dict[str, str]:
    """The files with a comment above each line that has a finding. Findings name the files by these paths."""
    lines: dict[str, dict[int, set[str]]] = {}
    for finding in findings:
        lines.setdefault(finding.span.file, {}).setdefault(finding.span.line, set()).add(finding.code)
    return {path: _allowed(text, lines.get(path, {})) for path, text in files.items()}


def _allowed(text: str, wanted: Mapping[int, set[str]]) -> str:
    result = []
    for number, line in enumerate(text.splitlines(), start=1):
        if number in wanted:
            pad = line[: len(line) - len(line.lstrip(" "))]
            result.append(f"{pad}# gitgpu: ignore[{', '.join(sorted(wanted[number]))}] {_WHY}")
        result.append(line)
    return "".join(f"{line}\n" for line in result)
