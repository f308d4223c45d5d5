"""The first screen of the page: what needs attention, what the fleet costs, what is idle, by cluster and by group."""

from collections.abc import Sequence

from gitgpu.report.html.bars import IDLE, USED, Part, bar
from gitgpu.report.html.markup import escape
from gitgpu.report.html.table import table
from gitgpu.report.same_clusters import title
from gitgpu.report.simulation.amounts import gpu_span, span
from gitgpu.report.simulation.attention import NOTHING, attention
from gitgpu.report.simulation.cluster_section import MARKS, badge, figures, region
from gitgpu.report.simulation.grouping import LABEL, Group, groups
from gitgpu.report.simulation.price_text import TO, prices
from gitgpu.report.simulation.text import all_outcomes, group_header
from gitgpu.report.simulation.totals import unpriced_text, usages
from gitgpu.report.simulation.view import View
from gitgpu.simulate.forecast import Forecast
from gitgpu.simulate.usage import Usage

_INDEXED = 2  # the number of sections from which the page has an index
_BAR = "Cost at maximum replicas"
_HEADERS = ("Cluster", "Workloads", "Nodes", "GPUs used", "An hour", "Idle an hour", _BAR)


def attention_list(forecasts: Sequence[Forecast], view: View) -> str:
    """What needs attention, in a section of its own."""
    found = attention(forecasts, view.over_budget, view.today)
    items = "".join(f'<li class="{entry.level}">{MARKS[entry.level]} {escape(entry.text)}.</li>' for entry in found)
    items = items or f'<li class="schedulable">{MARKS["schedulable"]} Nothing: {NOTHING}.</li>'
    return f'<section><h2>What needs attention</h2>\n<ul class="attention">{items}</ul></section>\n'


def totals(forecasts: Sequence[Forecast], today: str) -> str:
    """The sums over all clusters, in large print."""
    return f"<section><h2>The fleet</h2>\n{figures(forecasts, today)}</section>\n"


def index(sections: Sequence[Sequence[Forecast]]) -> str:
    """A row for each section: its clusters, with their verdicts, what they cost, and what of it is idle."""
    if len(sections) < _INDEXED:
        return ""
    sums = [usages(same) for same in sections]
    longest = max(high.price.maximum or 0 for _, high in sums)
    rows = [
        _row(same, f"c{number}", low, high, longest)
        for number, (same, (low, high)) in enumerate(zip(sections, sums, strict=True), 1)
    ]
    return f'<nav aria-label="Clusters"><h2>Clusters</h2>\n{table("Clusters", _HEADERS, rows)}{_KEY}</nav>\n'


_KEY = (
    '<ul class="legend"><li><span class="key used"></span> used</li><li><span class="key idle"></span> idle</li></ul>'
)


def _row(same: Sequence[Forecast], anchor: str, low: Usage, high: Usage, longest: float) -> list[str]:
    names = title([forecast.cluster for forecast in same])
    outcomes = all_outcomes(same)
    badges = " ".join(badge(name, f"{outcomes.count(name)} {name}") for name in MARKS if name in outcomes)
    return [
        f'<a href="#{anchor}">{escape(names)}</a> {region(same[0])}',
        badges or "&ndash;",
        span(f"{low.nodes:,}", f"{high.nodes:,}", TO, (low.nodes, high.nodes)),
        f"{high.busy:,} of {high.gpus:,}",
        prices(low.price, high.price)[0] + escape(unpriced_text(same)),
        prices(low.idle_price, high.idle_price)[0],
        _bar(names, high.price.maximum or 0, high.idle_price.maximum or 0, longest),
    ]


def _bar(name: str, cost: float, idle: float, longest: float) -> str:
    label = f"{name}: ${cost:,.2f} an hour, of it ${idle:,.2f} idle"
    return bar(label, [Part(USED, cost - idle), Part(IDLE, idle)], longest)


def by_group(forecasts: Sequence[Forecast], key: str) -> str:
    """What each group costs, in a section of its own; "" without a grouping."""
    found = groups(forecasts, key) if key else []
    if not found:
        return ""
    headers = (group_header(key), "Workloads", "GPUs", "Idle GPUs", "An hour", "Idle an hour", _BAR)
    longest = max(group.high.price.maximum or 0 for group in found)
    rows = [_group(group, longest) for group in found]
    unpriced = unpriced_text(forecasts).removeprefix(", ").capitalize()
    without = f'<p class="none">{escape(unpriced)}.</p>' if unpriced else ""
    head = f"Cost by label {headers[0]}" if key.startswith(LABEL) else f"Cost by {key}"
    return (
        f"<section><h2>{escape(head)}</h2>\n{table(head, tuple(map(escape, headers)), rows)}{_KEY}{without}</section>\n"
    )


def _group(group: Group, longest: float) -> list[str]:
    low, high = group.low, group.high
    return [
        escape(group.name),
        str(group.workloads),
        gpu_span(low.gpus, high.gpus, TO),
        gpu_span(low.idle, high.idle, TO),
        prices(low.price, high.price)[0],
        prices(low.idle_price, high.idle_price)[0],
        _bar(group.name, high.price.maximum or 0, high.idle_price.maximum or 0, longest),
    ]
