"""`gitgpu validate` of a fleet that must be checked."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitgpu.cli.fixes import apply_fixes, keep
from gitgpu.cli.fleets.findings import findings, validate_texts
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.text import Text
from gitgpu.report.findings import Findings
from gitgpu.runs.validate import CheckedFleet


class Fixing(NamedTuple):
    """Safe fixes are written (`write`) or shown, next to findings in the format `output_format`."""

    output_format: str
    write: bool


def check_fleet(
    texts: Sequence[Text], settings: Settings, faults: Sequence[Diagnostic], fixing: Fixing | None
) -> Findings:
    """The findings in these texts of a fleet, in addition to the known faults."""
    before: Mapping[str, Text] = {text.name: text for text in texts}
    if fixing:
        result = apply_fixes(before, lambda now: _checked(now, settings).diagnostics, before)
        before, unwritten = keep(result, before, fixing.output_format, write=fixing.write)
        faults = (*faults, *unwritten)
    return findings(_checked(before, settings), faults)


def _checked(texts: Mapping[str, Text], settings: Settings) -> CheckedFleet:
    checked = validate_texts(tuple(texts.values()), settings)
    if not checked.allowed:
        return checked
    from gitgpu.runs.build import compile_faults  # noqa: PLC0415  without an allowed error, nothing is compiled

    return checked._replace(diagnostics=(*checked.diagnostics, *compile_faults(checked)))
