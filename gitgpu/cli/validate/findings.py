"""`gitgpu validate` of a fleet that must be checked."""

from collections.abc import Mapping, Sequence

from gitgpu.cli.fleets.findings import findings, validate_fleet_texts
from gitgpu.cli.settings import Settings
from gitgpu.cli.validate.arguments import Arguments
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.text import Text
from gitgpu.report.findings import Findings
from gitgpu.runs.validate import CheckedFleet


def check_texts(
    texts: Sequence[Text], settings: Settings, faults: Sequence[Diagnostic], arguments: Arguments
) -> Findings:
    """The findings in these texts of a fleet, in addition to the known faults, after the fixes if they are written."""
    before: Mapping[str, Text] = {text.name: text for text in texts}
    if any(arguments.fixes):
        from gitgpu.cli.fixes import apply_fixes, keep  # noqa: PLC0415  few runs need it

        result = apply_fixes(before, lambda now: _check(now, settings).diagnostics, before)
        before, unwritten = keep(result, before, arguments.output_format, write=arguments.fixes.write)
        faults = (*faults, *unwritten)
    return findings(_check(before, settings), faults)


def _check(texts: Mapping[str, Text], settings: Settings) -> CheckedFleet:
    checked = validate_fleet_texts(tuple(texts.values()), settings)
    if not checked.allowed:
        return checked
    from gitgpu.runs.build import compile_faults  # noqa: PLC0415  without an allowed error, nothing is compiled

    return checked._replace(diagnostics=(*checked.diagnostics, *compile_faults(checked)))
