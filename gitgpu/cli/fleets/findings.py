"""The findings of a fleet that the policy and comments in its files do not suppress."""

from collections.abc import Callable, Iterable

from gitgpu.cli.output.outcome import COULD_NOT_RUN
from gitgpu.cli.output.refusal import JSON
from gitgpu.cli.output.shown_paths import with_shown_paths
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, errors, in_order
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.configuration.out_directory import OutDirectory
from gitgpu.policy import ADJUSTMENTS, Policy, commented, settle
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.runs.validate import Checked, Linked, read


def findings(checked: Checked, extra: Iterable[Diagnostic] = ()) -> Findings:
    """The findings of a run over a fleet, including the `extra` ones."""
    sources = {text.name: text.content for text in checked.texts}
    everything = in_order((*checked.diagnostics, *extra))
    return Findings(everything, len(checked.texts), checked.objects, sources, _rules)


def _rules() -> dict[str, AnyRule]:
    return {rule.code: rule for rule in fleet_rules()}


def settled(policy: Policy) -> Callable[[Checked], Checked]:
    """Removes the findings that the policy and the comments in the files of a fleet suppress."""

    def settle_all(checked: Checked) -> Checked:
        written = commented({text.name: text.content for text in checked.texts})
        remaining = tuple(settle(checked.diagnostics, written, _judging(checked, policy)))
        ids = set(map(id, remaining))  # comparing each finding with all others would take quadratic time
        allowed = tuple(error for error in errors(checked.diagnostics) if id(error) not in ids)
        return checked._replace(diagnostics=remaining, allowed=allowed)

    return settle_all


def _judging(checked: Checked, policy: Policy) -> Policy:
    """The policy for these findings. Values and patches are checked only if there are no other errors."""
    if all(error.code.startswith(ADJUSTMENTS) for error in errors(checked.diagnostics)):
        return policy
    return policy._replace(judges=lambda code: not code.startswith(ADJUSTMENTS) and policy.judges(code))


def looking(policy: Policy, out: OutDirectory) -> Callable[[Iterable[str], tuple[Folder, ...]], Linked]:
    """A function that reads and checks a fleet with this policy."""

    def look(paths: Iterable[str], catalogs: tuple[Folder, ...]) -> Linked:
        linked = read(paths, FleetOptions(catalogs, policy.today, out))
        return Linked(linked.fleet, lambda: settled(policy)(linked.judge()))

    return look


def read_fleet(settings: Settings) -> Checked:
    """The fleet as it is."""
    return looking(settings.policy, settings.target)(settings.paths, settings.catalogs).judge()


def refuse_fleet(checked: Checked, faults: Iterable[Diagnostic], output_format: str) -> int:
    """Reports why there is no result, on stderr and with `-o json` also on stdout. Returns the exit code."""
    reported = with_shown_paths(findings(checked._replace(diagnostics=()), faults))
    say(render(reported, "text", Style()), err=True)
    if output_format == JSON:
        send(render(reported, JSON, Style()))
    return COULD_NOT_RUN
