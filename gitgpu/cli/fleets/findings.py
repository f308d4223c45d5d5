"""The findings of a fleet that the policy and comments in its files do not suppress."""

from collections.abc import Callable, Iterable, Sequence

from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.refusal import JSON
from gitgpu.cli.output.shown_paths import with_shown_paths
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, errors, in_order
from gitgpu.load.text import Text
from gitgpu.policy import ADJUSTMENTS, Policy, comment_allowances, settle
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.runs.validate import CheckedFleet, LinkedFleet, check_fleet, link_fleet, read_fleet


def findings(checked: CheckedFleet, extra: Iterable[Diagnostic] = ()) -> Findings:
    """The findings of a run over a fleet, including the `extra` ones."""
    sources = {text.name: text.content for text in checked.texts}
    everything = in_order((*checked.diagnostics, *extra))
    return Findings(everything, len(checked.texts), checked.objects, sources, _rules)


def _rules() -> dict[str, AnyRule]:
    return {rule.code: rule for rule in fleet_rules()}


def settle_fleet(checked: CheckedFleet, policy: Policy) -> CheckedFleet:
    """Removes the findings that the policy and the comments in the files of a fleet suppress."""
    written = comment_allowances({text.name: text.content for text in checked.texts})
    remaining = tuple(settle(checked.diagnostics, written, _judging(checked, policy)))
    ids = set(map(id, remaining))  # comparing each finding with all others would take quadratic time
    allowed = tuple(error for error in errors(checked.diagnostics) if id(error) not in ids)
    return checked._replace(diagnostics=remaining, allowed=allowed)


def _judging(checked: CheckedFleet, policy: Policy) -> Policy:
    """The policy for these findings. Values and patches are checked only if there are no other errors."""
    if all(error.code.startswith(ADJUSTMENTS) for error in errors(checked.diagnostics)):
        return policy
    return policy._replace(judges=lambda code: not code.startswith(ADJUSTMENTS) and policy.judges(code))


def check_with(policy: Policy) -> Callable[[LinkedFleet], CheckedFleet]:
    """A function that checks a fleet and removes what the policy suppresses."""
    return lambda fleet: settle_fleet(check_fleet(fleet), policy)


def validate_fleet(settings: Settings) -> CheckedFleet:
    """The fleet of these settings, checked."""
    return check_with(settings.policy)(read_fleet(settings.paths, settings.fleet))


def validate_texts(texts: Sequence[Text], settings: Settings) -> CheckedFleet:
    """The fleet in these texts, checked with these settings."""
    return check_with(settings.policy)(link_fleet(texts, settings.fleet))


def refuse_fleet(checked: CheckedFleet, faults: Iterable[Diagnostic], output_format: str) -> int:
    """Reports why there is no result, on stderr and with `-o json` also on stdout. Returns the exit code."""
    reported = with_shown_paths(findings(checked._replace(diagnostics=()), faults))
    say(render(reported, "text", Style()), err=True)
    if output_format == JSON:
        send(render(reported, JSON, Style()))
    return COULD_NOT_RUN
