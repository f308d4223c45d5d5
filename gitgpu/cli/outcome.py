"""Findings to stdout, the summary to stderr, and the exit code that they mean."""

from collections.abc import Callable, Iterable

from gitgpu.check import fleet_rules
from gitgpu.cli.out import note, say, send
from gitgpu.cli.refusal import JSON
from gitgpu.cli.settings import MOST
from gitgpu.cli.shown_paths import shown
from gitgpu.diagnostic import Diagnostic, Severity, in_order
from gitgpu.front import Checked, validate
from gitgpu.load.catalog_folders import Folder
from gitgpu.load.out_directory import OutDirectory
from gitgpu.policy import ADJUSTMENTS, Policy, commented, settle
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style, summary_line
from gitgpu.rule import AnyRule

COULD_NOT_RUN = 2
COUNTED = {"error": 0, "warning": 1, "info": 2, "never": -1}
FOR_PEOPLE = ("text", "markdown")
INCOMPLETE = ("INP", "INT")  # the codes of input that could not be read at all, and of rules that failed
UNWRITTEN = ("OUT00", "OUT011")  # the codes of an output directory that was left as it was


def findings(checked: Checked, extra: Iterable[Diagnostic] = ()) -> Findings:
    """All that a run over a fleet has found, and what came up around it."""
    sources = {text.name: text.content for text in checked.texts}
    everything = in_order((*checked.diagnostics, *extra))
    return Findings(everything, len(checked.texts), checked.objects, sources, _rules)


def _rules() -> dict[str, AnyRule]:
    return {rule.code: rule for rule in fleet_rules()}


def settled(policy: Policy) -> Callable[[Checked], Checked]:
    """Leaves those findings of a fleet that the policy, and the comments in its files, leave to be told."""

    def settle_all(checked: Checked) -> Checked:
        written = commented({text.name: text.content for text in checked.texts})
        told = tuple(settle(checked.diagnostics, written, _judging(checked, policy)))
        kept = set(map(id, told))  # the findings themselves: to compare each with all takes the square of the time
        errors = (diagnostic for diagnostic in checked.diagnostics if diagnostic.severity is Severity.ERROR)
        return checked._replace(diagnostics=told, allowed=tuple(error for error in errors if id(error) not in kept))

    return settle_all


def _judging(checked: Checked, policy: Policy) -> Policy:
    """The policy for these findings: without other errors only, values and patches have been judged."""
    errors = (finding for finding in checked.diagnostics if finding.severity is Severity.ERROR)
    if all(error.code.startswith(ADJUSTMENTS) for error in errors):
        return policy
    return policy._replace(judges=lambda code: not code.startswith(ADJUSTMENTS) and policy.judges(code))


def looking(policy: Policy, out: OutDirectory) -> Callable[[Iterable[str], tuple[Folder, ...]], Checked]:
    """Reads and checks a fleet as the policy has it."""
    return lambda paths, catalogs: settled(policy)(validate(paths, catalogs, policy.today, out))


def tell(found: Findings, form: str, style: Style, most: int = MOST) -> None:
    """Writes the findings, or the worst of very many; every format but text is complete even when there are none."""
    found = shown(found.limited(most), form)
    if form != "text" or found.diagnostics:
        told = render(found, form, style)
        say(told, colour=style.colour) if form in FOR_PEOPLE else send(told)
    note(summary_line(found))
    if found.left_out:
        every = len(found.diagnostics) + len(found.left_out)
        note(f"{len(found.diagnostics):,} of {every:,} findings are shown; --max-findings 0 shows all")


def exit_code(found: Findings, fail_on: str) -> int:
    """2 where the run is not complete, 1 for output not written or a finding as severe as `fail_on`, else 0."""
    if any(diagnostic.code.startswith(INCOMPLETE) for diagnostic in found.diagnostics):
        return COULD_NOT_RUN
    if any(
        diagnostic.code.startswith(UNWRITTEN) and diagnostic.severity is Severity.ERROR
        for diagnostic in found.diagnostics
    ):
        return 1
    order = tuple(Severity)
    return int(any(order.index(diagnostic.severity) <= COUNTED[fail_on] for diagnostic in found.diagnostics))


def refused(checked: Checked, faults: Iterable[Diagnostic], form: str) -> int:
    """Reports why a fleet has no answer: to people on stderr, with `-o json` to programs too; the exit code."""
    found = findings(checked._replace(diagnostics=()), faults)
    say(render(shown(found, "text"), "text", Style()), err=True)
    if form == JSON:
        send(render(shown(found, JSON), JSON, Style()))
    return COULD_NOT_RUN
