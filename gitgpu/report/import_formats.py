"""The formats of the report of an import."""

from gitgpu import registry
from gitgpu.adopt.adoption import Outcome
from gitgpu.report import imports
from gitgpu.report.findings import Style
from gitgpu.report.imported import ImportFormat, ImportReport
from gitgpu.report.long_values import short
from gitgpu.report.terminal import encodable


def import_format_names() -> tuple[str, ...]:
    """The available formats, sorted; none of them is imported."""
    return registry.names(imports)


def render_import(report: ImportReport, form: str, style: Style) -> str:
    """The report as text in one of `import_format_names()`."""
    return encodable(registry.load(imports, form, "FORMAT", ImportFormat).render(_short(report), style))


def _short(report: ImportReport) -> ImportReport:
    """The report with only the beginnings of long names."""
    outcomes = [reported._replace(outcome=_short_outcome(reported.outcome)) for reported in report.outcomes]
    skipped = [entry._replace(name=short(entry.name), reason=short(entry.reason)) for entry in report.skipped]
    return report._replace(outcomes=tuple(outcomes), skipped=tuple(skipped))


def _short_outcome(outcome: Outcome) -> Outcome:
    observed = outcome.observed._replace(name=short(outcome.observed.name))
    return outcome._replace(observed=observed, reason=short(outcome.reason))
