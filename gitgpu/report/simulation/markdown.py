"""Forecasts for pull requests: what needs attention, what the fleet costs, and a table of clusters and of groups."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Diagnostic
from gitgpu.report.markdown_text import cell
from gitgpu.report.same_clusters import group_same, title
from gitgpu.report.simulation.amounts import gpu_span, span
from gitgpu.report.simulation.attention import NOTHING, attention
from gitgpu.report.simulation.grouping import groups
from gitgpu.report.simulation.text import all_outcomes, assumptions, group_header, outcome_counts, skipped_note
from gitgpu.report.simulation.totals import price_range, total_line, usages
from gitgpu.report.simulation.view import View
from gitgpu.simulate.forecast import Forecast

_MAX_ROWS = 100  # of a table: the limit of a GitHub comment is 65,536 characters


def as_markdown(forecasts: Sequence[Forecast], view: View, unread: Sequence[Diagnostic] = ()) -> str:
    """The report. `unread` are faults for input that was omitted."""
    found = attention(forecasts, view.over_budget, view.today)
    lines = [f"**gitgpu simulate: {outcome_counts(forecasts)}**", ""]
    lines += [f"- {cell(entry.text)}." for entry in found] or [f"- Nothing needs attention: {NOTHING}."]
    if unread:
        lines.append(f"- {skipped_note(len(unread))}.")
    lines += ["", f"{cell(total_line('Total', forecasts, view.today).rstrip())}.", "", *_clusters(forecasts)]
    if view.group_by:
        lines += ["", *_groups(forecasts, view.group_by)]
    lines += ["", *(cell(line) for line in assumptions("".join(lines)).splitlines())]
    return "".join(f"{line}\n" for line in lines)


def _clusters(forecasts: Sequence[Forecast]) -> Iterator[str]:
    rows = []
    for same in group_same(forecasts, lambda forecast: (outcome_counts([forecast]), usages([forecast]))):
        low, high = usages(same)
        rows.append(
            (
                title([forecast.cluster for forecast in same]),
                outcome_counts(same) if all_outcomes(same) else "-",
                span(low.nodes, high.nodes),
                f"{high.busy:,} of {high.gpus:,}",
                price_range(low.price, high.price, 1, digits=2),
                price_range(low.idle_price, high.idle_price, 1, digits=2),
            )
        )
    return _table(("cluster", "workloads", "nodes", "GPUs used", "USD/hour", "idle USD/hour"), rows)


def _groups(forecasts: Sequence[Forecast], key: str) -> Iterator[str]:
    rows = []
    for group in groups(forecasts, key):
        low, high = group.low, group.high
        rows.append(
            (
                group.name,
                str(group.workloads),
                gpu_span(low.gpus, high.gpus),
                gpu_span(low.idle, high.idle),
                price_range(low.price, high.price, 1, digits=2),
                price_range(low.idle_price, high.idle_price, 1, digits=2),
            )
        )
    return _table((group_header(key).lower(), "workloads", "GPUs", "idle GPUs", "USD/hour", "idle USD/hour"), rows)


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(map(cell, headers))} |"
    yield f"| {' | '.join('---' for _ in headers)} |"
    for row in rows[:_MAX_ROWS]:
        yield f"| {' | '.join(map(cell, row))} |"
    if len(rows) > _MAX_ROWS:
        yield f"\n... and {len(rows) - _MAX_ROWS:,} more."
