"""The findings of the fleet that the settings name."""

from collections.abc import Iterable, Sequence

from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.refusal import JSON
from gitgpu.cli.output.shown_paths import with_shown_paths
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.output.terminal import error_style
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.text import Text
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_findings import helper
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.runs.validate import CheckedFleet, check_fleet, link_fleet, read_fleet


def findings(checked: CheckedFleet, extra: Iterable[Diagnostic] = ()) -> Findings:
    """The findings of a run over a fleet, including the `extra` ones."""
    sources = {text.name: text.content for text in checked.texts}
    everything = in_order((*checked.diagnostics, *extra))
    return Findings(everything, len(checked.texts), checked.objects, sources, _rules)


def _rules() -> dict[str, AnyRule]:
    return {rule.code: rule for rule in fleet_rules()}


def validate_fleet(settings: Settings) -> CheckedFleet:
    """The fleet of these settings, checked."""
    with helper() as helping:
        return check_fleet(read_fleet(settings.paths, settings.fleet), settings.policy, helping)


def validate_fleet_texts(texts: Sequence[Text], settings: Settings) -> CheckedFleet:
    """The fleet in these texts, checked with these settings."""
    with helper() as helping:
        return check_fleet(link_fleet(texts, settings.fleet), settings.policy, helping)


def refuse_fleet(checked: CheckedFleet, faults: Iterable[Diagnostic], output_format: str) -> int:
    """Reports why there is no result, on stderr and with `-o json` also on stdout. Returns the exit code."""
    reported = with_shown_paths(findings(checked._replace(diagnostics=()), faults))
    say(render(reported, "text", error_style()), err=True)
    if output_format == JSON:
        send(render(reported, JSON, Style()))
    return COULD_NOT_RUN
