"""Forecasts as text."""

from collections.abc import Iterable, Iterator, Sequence

from gitgpu.report.findings import Style, place
from gitgpu.report.simulation.amounts import ARROW, hourly, money, monthly, span
from gitgpu.report.simulation.shared_notes import note_lines, without_shared
from gitgpu.report.simulation.totals import total_line
from gitgpu.report.table import table
from gitgpu.report.terminal import fold, paint, printable
from gitgpu.simulate.forecast import SCHEDULABLE, Forecast, Reason, TeamUse, Verdict
from gitgpu.spelling import counted

HEADERS = ("WORKLOAD", "VERDICT", "REPLICAS", "POOL", "SIZE", "NODES", "GPUS", "STRANDED", "$/HOUR", "$/MONTH")
TEAM_HEADERS = ("TEAM", "FLAVOR", "RESOURCE", "QUOTA", "USED", "BORROWED", "LENT", "$/HOUR")
_COLOURS = {"schedulable": "32", "uncertain": "35", "unschedulable": "31"}
FALLS = "An arrow means that the second number is smaller: more pods fill larger nodes, or share a node with others."
_ASSUMED = """\
Prices are on-demand list prices in USD; a month has 730 hours. Quota, capacity and the live prices of spot nodes
are not known offline. Two numbers mean the minimum and the maximum replicas.
"""


def outcome(verdict: Verdict) -> str:
    """The verdict in one word; `uncertain` if a schedulable workload is not certain to get nodes."""
    return verdict.verdict if verdict.certain or verdict.verdict != SCHEDULABLE else "uncertain"


def text(forecasts: Sequence[Forecast], style: Style) -> str:
    """A table for each cluster with every reason and every doubt, the notes that several workloads share, the total."""
    is_single = len(forecasts) == 1  # then its total is the last line
    parts = [_cluster(forecast, style, with_total=not is_single) for forecast in without_shared(forecasts)]
    notes = "".join(f"{fold(line)}\n" for line in note_lines(forecasts))
    if notes:
        parts.append(notes)
    total = total_line(forecasts[0].cluster if is_single else "Total", forecasts)
    falls = f"{FALLS}\n" if ARROW in "".join((*parts, total)) else ""
    return "\n".join([*parts, f"{_ASSUMED}{falls}", paint(total.rstrip("\n"), "1", colour=style.colour) + "\n"])


def _cluster(forecast: Forecast, style: Style, *, with_total: bool) -> str:
    head = printable(f"{forecast.cluster} ({forecast.region or 'region unknown'})")
    rows = [_row(verdict) for verdict in forecast.verdicts]
    lines = [paint(head, "1", colour=style.colour) + "\n"]
    lines.append(table(HEADERS, rows, style) if rows else "no simulated workload requests a GPU\n")
    explained = [verdict for verdict in forecast.verdicts if verdict.reasons or verdict.doubts or verdict.together]
    lines += [_details(verdict, style) for verdict in explained]
    if forecast.teams:
        lines += ["\n", table(TEAM_HEADERS, list(map(team_row, forecast.teams)), style)]
    lines += [f"\nnote: {fold(text)}" for text in forecast.notes]
    if forecast.notes:
        lines.append("\n")
    if with_total:
        lines.append(f"\n{total_line(forecast.cluster, [forecast])}")
    return "".join(lines)


def _row(verdict: Verdict) -> tuple[str, ...]:
    low, high = verdict.low, verdict.high
    return (
        verdict.title,
        outcome(verdict),
        span(low.replicas, high.replicas),
        ", ".join(verdict.pools) or "-",
        ", ".join(verdict.skus) or "-",
        span(low.nodes, high.nodes),
        span(low.gpus, high.gpus),
        span(low.stranded, high.stranded),
        span(hourly(low), hourly(high), of=(low.maximum, high.maximum)),
        span(monthly(low), monthly(high), of=(low.maximum, high.maximum)),
    )


def team_row(use: TeamUse) -> tuple[str, ...]:
    """The quota of a team and what it uses, as texts."""
    amounts = (use.quota, use.used, use.borrowed, use.lent)
    shown = ("?" if amount is None else f"{amount:,}" for amount in amounts)
    return (use.team, use.flavor, use.resource, *shown, money(*use.price))


def _details(verdict: Verdict, style: Style) -> str:
    title = paint(printable(verdict.title), "1", colour=style.colour)
    lines = [f"\n{title}: {paint(outcome(verdict), _COLOURS[outcome(verdict)], colour=style.colour)}"]
    if verdict.reasons and verdict.partly:
        lines.append(f"  {verdict.high.placed} of {verdict.high.replicas} replicas get a node; the rest do not:")
    for reason in verdict.reasons:
        lines += _reason(reason)
    lines += [f"  {fold(text)}" for text in remarks(verdict)]
    return "\n".join(lines) + "\n"


def remarks(verdict: Verdict) -> list[str]:
    """First what could change the verdict, then notes."""
    lines = [f"uncertain: {doubt.message}" for doubt in verdict.doubts if doubt.decides]
    lines += [f"note: {doubt.message}" for doubt in verdict.doubts if not doubt.decides]
    if verdict.together:
        nodes = f"Karpenter may start {verdict.together} nodes and remove some later"
        lines.append(f"note: if all replicas start at once, {nodes}")
    return lines


def _reason(reason: Reason) -> Iterator[str]:
    who = f"pool {reason.pool}: " if reason.pool else ""
    yield f"  {fold(who + reason.message)}"
    yield f"    at {printable(place(reason.at))}"
    change = f" ({printable(place(reason.change))})" if reason.change != reason.at else ""
    yield f"    = help: {fold(reason.help)}{change}"


def summary(forecasts: Iterable[Forecast]) -> str:
    """One line for stderr."""
    outcomes = all_outcomes(forecasts)
    counts = ", ".join(f"{outcomes.count(name)} {name}" for name in _COLOURS)
    return f"Summary: {counted(len(outcomes), 'workload')} - {counts}"


def all_outcomes(forecasts: Iterable[Forecast]) -> list[str]:
    """The verdicts of all workloads on all clusters, each as one word."""
    outcomes: list[str] = []
    for forecast in forecasts:
        outcomes += map(outcome, forecast.verdicts)
    return outcomes


def left_out(number: int) -> str:
    """How much of the input was skipped."""
    subject, verb = ("file or object", "was") if number == 1 else ("files or objects", "were")
    return f"{number} {subject} could not be read and {verb} skipped"
