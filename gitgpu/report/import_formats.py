"""The formats of the report of an import."""

from gitgpu import registry
from gitgpu.load.secret_values import without_credentials
from gitgpu.report import imports
from gitgpu.report.findings import Style
from gitgpu.report.imported import ImportFormat, ImportReport, Reported
from gitgpu.report.long_values import short
from gitgpu.report.terminal import encodable


def import_format_names() -> tuple[str, ...]:
    """The available formats, sorted; none of them is imported."""
    return registry.names(imports)


def render_import(report: ImportReport, form: str, style: Style) -> str:
    """The report as text in one of `import_format_names()`."""
    text = registry.load(imports, form, "FORMAT", ImportFormat).render(_short(report), style)
    return encodable(without_credentials(text))


def _short(report: ImportReport) -> ImportReport:
    """The report with only the beginnings of long names."""
    outcomes = map(_short_reported, report.outcomes)
    skipped = [entry._replace(name=short(entry.name), reason=short(entry.reason)) for entry in report.skipped]
    return report._replace(outcomes=tuple(outcomes), skipped=tuple(skipped))


def _short_reported(reported: Reported) -> Reported:
    outcome, observed = reported.outcome, reported.outcome.observed
    name, reason = short(observed.name), short(outcome.reason)
    if (name, reason) == (observed.name, outcome.reason):  # almost all
        return reported
    return reported._replace(outcome=outcome._replace(observed=observed._replace(name=name), reason=reason))
