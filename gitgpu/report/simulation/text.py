"""Forecasts as text."""

from collections.abc import Iterable, Iterator, Sequence

from gitgpu.report.findings import Style, place
from gitgpu.report.price_dates import old_prices
from gitgpu.report.same_clusters import group_same, title
from gitgpu.report.simulation.amounts import ARROW, SIGNS, gpu_span, hourly, money, monthly, span
from gitgpu.report.simulation.grouping import LABEL, groups
from gitgpu.report.simulation.shared_notes import note_lines, without_shared
from gitgpu.report.simulation.totals import total_line
from gitgpu.report.simulation.view import View
from gitgpu.report.table import table
from gitgpu.report.terminal import fold, paint, printable
from gitgpu.simulate.forecast import SCHEDULABLE, Forecast, Reason, TeamUse, Verdict
from gitgpu.spelling import count_text

HEADERS = ("WORKLOAD", "VERDICT", "REPLICAS", "POOL", "SIZE", "NODES", "GPUS", "IDLE", "$/HOUR", "$/MONTH")
TEAM_HEADERS = ("TEAM", "FLAVOR", "RESOURCE", "QUOTA", "USED", "BORROWED", "LENT", "$/HOUR")
_COLOURS = {"schedulable": "32", "uncertain": "35", "unschedulable": "31"}
PAIRS = "Two numbers are for the minimum and the maximum replicas."
FALLS = "An arrow means that the second number is smaller: more pods fill larger nodes, or share a node with others."
ASSUMED = """\
Prices are on-demand list prices in USD; a month has 730 hours.
Quota, capacity and the live prices of spot nodes are not known offline.
"""


def outcome(verdict: Verdict) -> str:
    """The verdict in one word; `uncertain` if a schedulable workload is not certain to get nodes."""
    return verdict.verdict if verdict.certain or verdict.verdict != SCHEDULABLE else "uncertain"


def text(forecasts: Sequence[Forecast], style: Style, view: View = View()) -> str:  # noqa: B008
    """A table for each cluster with every reason and every doubt, the notes that several workloads share, the total.

    Clusters with the same result have one table, and groups get one, too.
    """
    is_single = len(forecasts) == 1  # then its total is the last line
    parts = []
    for same in group_same(without_shared(forecasts), lambda forecast: (forecast.region, _body(forecast, style))):
        names = title([forecast.cluster for forecast in same])
        head = paint(printable(f"{names} ({same[0].region or 'region unknown'})"), "1", colour=style.colour)
        sums = "" if is_single else f"\n{total_line(names, same, view.today)}"
        parts.append(f"{head}\n{_body(same[0], style)}{sums}")
    notes = "".join(f"{fold(line)}\n" for line in note_lines(forecasts))
    if notes:
        parts.append(notes)
    if view.group_by:
        parts.append(_groups(forecasts, view.group_by, style))
    total = total_line(forecasts[0].cluster if is_single else "Total", forecasts, view.today)
    shown = "".join((*parts, total))
    more = assumptions(shown) + (f"{FALLS}\n" if ARROW in shown else "")
    if old := old_prices((forecast.priced for forecast in forecasts), view.today):
        more += f"{old.capitalize()}.\n"
    return "\n".join([*parts, more, paint(total.rstrip("\n"), "1", colour=style.colour) + "\n"])


def assumptions(shown: str) -> str:
    """What the amounts in a text rest on, and what two numbers are, if it has any."""
    return f"{ASSUMED}{PAIRS}\n" if any(sign in shown for sign in SIGNS) else ASSUMED


def _body(forecast: Forecast, style: Style) -> str:
    rows = [_row(verdict) for verdict in forecast.verdicts]
    lines = [table(HEADERS, rows, style) if rows else "no simulated workload requests a GPU\n"]
    explained_verdicts = [
        verdict for verdict in forecast.verdicts if verdict.reasons or verdict.doubts or verdict.together
    ]
    lines += [_details(verdict, style) for verdict in explained_verdicts]
    if forecast.teams:
        lines += ["\n", table(TEAM_HEADERS, list(map(team_row, forecast.teams)), style)]
    lines += [f"\nnote: {fold(text)}" for text in forecast.notes]
    if forecast.notes:
        lines.append("\n")
    return "".join(lines)


def _groups(forecasts: Sequence[Forecast], key: str, style: Style) -> str:
    rows = []
    for group in groups(forecasts, key):
        low, high = group.low, group.high
        rows.append(
            (
                group.name,
                str(group.workloads),
                gpu_span(low.gpus, high.gpus),
                gpu_span(low.idle, high.idle),
                span(money(*low.price), money(*high.price), of=(low.price.maximum, high.price.maximum)),
                span(
                    money(*low.idle_price),
                    money(*high.idle_price),
                    of=(low.idle_price.maximum, high.idle_price.maximum),
                ),
            )
        )
    return table((group_header(key).upper(), "WORKLOADS", "GPUS", "IDLE", "$/HOUR", "IDLE $/HOUR"), rows, style)


def group_header(key: str) -> str:
    """The header of the groups of a key: `Team`, or `team` for label:team."""
    return key.removeprefix(LABEL) if key.startswith(LABEL) else key.capitalize()


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
        span(low.idle, high.idle),
        span(hourly(low), hourly(high), of=(low.maximum, high.maximum)),
        span(monthly(low), monthly(high), of=(low.maximum, high.maximum)),
    )


def team_row(use: TeamUse) -> tuple[str, ...]:
    """The quota of a team and what it uses, as texts."""
    amounts = (use.quota, use.used, use.borrowed, use.lent)
    shown = ("?" if amount is None else f"{amount:,}" for amount in amounts)
    return (use.team, use.flavor or "-", use.resource, *shown, money(*use.price))


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
    return f"Summary: {outcome_counts(forecasts)}"


def outcome_counts(forecasts: Iterable[Forecast]) -> str:
    """`17 workloads - 4 schedulable, 13 uncertain, 0 unschedulable`."""
    outcomes = all_outcomes(forecasts)
    counts = ", ".join(f"{outcomes.count(name):,} {name}" for name in _COLOURS)
    return f"{count_text(len(outcomes), 'workload')} - {counts}"


def all_outcomes(forecasts: Iterable[Forecast]) -> list[str]:
    """The verdicts of all workloads on all clusters, each as one word."""
    outcomes: list[str] = []
    for forecast in forecasts:
        outcomes += map(outcome, forecast.verdicts)
    return outcomes


def skipped_note(number: int) -> str:
    """How much of the input was skipped."""
    subject, verb = ("file or object", "was") if number == 1 else ("files or objects", "were")
    return f"{number} {subject} could not be read and {verb} skipped"
