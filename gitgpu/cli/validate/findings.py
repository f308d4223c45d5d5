"""`gitgpu validate` of a fleet that must be checked."""

from collections.abc import Iterable, Mapping, Sequence

from gitgpu.cli.fixes import apply_fixes, keep
from gitgpu.cli.fleets.findings import findings, validate_fleet_texts
from gitgpu.cli.settings import Settings
from gitgpu.cli.validate.arguments import Arguments
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.text import Text
from gitgpu.report.findings import Findings
from gitgpu.rules.fleet_findings import FleetCheck, fleet_findings
from gitgpu.runs.check_spec import fleet_check
from gitgpu.runs.validate import CheckedFleet


def check_texts(
    texts: Sequence[Text], settings: Settings, faults: Sequence[Diagnostic], arguments: Arguments
) -> Findings:
    """The findings in these texts of a fleet, in addition to the known faults, after the fixes if they are written."""
    before: Mapping[str, Text] = {text.name: text for text in texts}
    if not any(arguments.fixes):
        with fleet_check() as check:
            return findings(_check(before.values(), settings, check), faults)
    result = apply_fixes(before, lambda now: _check(now.values(), settings).diagnostics, before)
    after, unwritten = keep(result, before, arguments.output_format, write=arguments.fixes.write)
    return findings(_check(after.values(), settings), (*faults, *unwritten))


def _check(texts: Iterable[Text], settings: Settings, check: FleetCheck = fleet_findings) -> CheckedFleet:
    checked = validate_fleet_texts(tuple(texts), settings, check)
    if not checked.allowed:
        return checked
    from gitgpu.runs.build import compile_faults  # noqa: PLC0415  without an allowed error, nothing is compiled

    return checked._replace(diagnostics=(*checked.diagnostics, *compile_faults(checked)))
