"""The part of the page about one cluster: its figures, its nodes, a table of its workloads, reasons and notes."""

from collections.abc import Iterator, Sequence

from gitgpu.report.findings import place
from gitgpu.report.price_dates import priced_on
from gitgpu.report.simulation.amounts import span
from gitgpu.report.simulation.markup import escape
from gitgpu.report.simulation.picture import COLOURS, letter, picture, short
from gitgpu.report.simulation.price_text import PERIODS, TO, prices
from gitgpu.report.simulation.text import outcome, remarks, team_row
from gitgpu.report.simulation.totals import known_price, unpriced_text
from gitgpu.simulate.forecast import Forecast, Node, Price, Reason, TeamUse, Verdict
from gitgpu.source import Span
from gitgpu.spelling import counted

MARKS = {"schedulable": "✓", "uncertain": "?", "unschedulable": "✕"}
NO_WORKLOAD = "No simulated workload requests a GPU"  # of kinds that are not simulated, the notes tell
_HEADERS = ("Workload", "Verdict", "Replicas", "Pool", "Size", "Nodes", "GPUs", "Stranded", "An hour", "A month")
_TEAM_HEADERS = ("Team", "Flavor", "Resource", "Quota", "Used", "Borrowed", "Lent", "An hour")
_NONE = "&ndash;"


def section(forecast: Forecast, anchor: str) -> str:
    """The section of a cluster; `anchor` is its id in the page."""
    parts = [
        f'<section id="{anchor}">\n<h2>{escape(forecast.cluster)} {region(forecast)}</h2>\n{_figures(forecast)}',
        _drawn(forecast, forecast.high, "at maximum replicas"),
    ]
    if forecast.low != forecast.high:
        low = _drawn(forecast, forecast.low, "at minimum replicas")
        parts.append(f"<details><summary>At minimum replicas</summary>{low}</details>\n")
    return "".join(
        (
            *parts,
            _table(forecast),
            *map(_explained, forecast.verdicts),
            _teams(forecast),
            *remainder(forecast),
            "</section>\n",
        )
    )


def region(forecast: Forecast) -> str:
    """The region of a cluster, in lowercase."""
    return f"<small>{escape(forecast.region or 'region unknown')}</small>"


def badge(verdict: str, text: str = "") -> str:
    """A coloured badge for a verdict. It has a mark too, because not everyone can see colours."""
    return f'<span class="badge {verdict}">{MARKS[verdict]} {text or verdict}</span>'


def code(at: Span) -> str:
    """A place in a file."""
    return f"<code>{escape(place(at))}</code>" if at.file else ""


def remainder(forecast: Forecast) -> Iterator[str]:
    """The rest of the section, below the verdicts: skipped workloads and notes."""
    if forecast.skipped:
        yield f'<p class="none">{counted(forecast.skipped, "workload")} without a GPU skipped.</p>\n'
    for text in forecast.notes:
        yield f'<p class="none">{escape(text)}.</p>\n'


def _figures(forecast: Forecast) -> str:
    """The key figures of a cluster, in large print."""
    used, gpus = sum(node.used for node in forecast.high), sum(node.gpus for node in forecast.high)
    costs = prices(known_price(forecast.low).price, known_price(forecast.high).price)
    figures = [
        ("nodes", span(len(forecast.low), len(forecast.high), TO)),
        ("GPUs used at maximum replicas", f"{used} of {gpus}"),
    ]
    dated = priced_on([forecast.priced]) + escape(unpriced_text([forecast]))
    figures += [(f"{name}{dated}", cost) for (name, _, _), cost in zip(PERIODS, costs, strict=True)]
    return "<dl>" + "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures) + "</dl>\n"


def _drawn(forecast: Forecast, nodes: Sequence[Node], when: str) -> str:
    names = {verdict.number: verdict.title for verdict in forecast.verdicts if verdict.number is not None}
    if not nodes:
        return f'<p class="none">No node is needed {when}.</p>\n'
    drawn: set[int] = set()
    for node in nodes:
        drawn.update(share.workload for share in node.shares)
    keys = "".join(f"<li>{_key(number)} {escape(names[number])}</li>" for number in sorted(names.keys() & drawn))
    free = '<li><span class="key empty"></span> idle</li>' if any(map(_has_idle_slots, nodes)) else ""
    label = escape(f"Nodes of {forecast.cluster} {when}")
    legend = f'<figcaption><ul class="legend">{keys}{free}</ul></figcaption>'
    return f'<figure aria-label="{label}">{picture(nodes, names)}{legend}</figure>\n'


def _has_idle_slots(node: Node) -> bool:
    return sum(share.slots for share in node.shares) < node.slots


def _key(number: int | None) -> str:
    """The coloured letter of a workload."""
    return "" if number is None else f'<span class="key k{number % COLOURS}">{letter(number)}</span>'


def _table(forecast: Forecast) -> str:
    if not forecast.verdicts:
        return f'<p class="none">{NO_WORKLOAD}.</p>\n'
    rows = "".join(map(_row, forecast.verdicts))
    return _of_rows(f"Workloads on {forecast.cluster}", _HEADERS, rows)


def _of_rows(caption: str, headers: Sequence[str], rows: str) -> str:
    head = "".join(f'<th scope="col" role="columnheader">{name}</th>' for name in headers)
    # With the roles, screen readers still see a table if the style sheet turns its rows into blocks.
    return (
        f'<table role="table"><caption>{escape(caption)}</caption><thead role="rowgroup"><tr role="row">{head}</tr>'
        f'</thead><tbody role="rowgroup">{rows}</tbody></table>\n'
    )


def _teams(forecast: Forecast) -> str:
    """The quotas of teams, and what they use at maximum replicas; "" if Kueue queues nothing."""
    rows = "".join(map(_team, forecast.teams))
    return _of_rows(f"Teams on {forecast.cluster}, at maximum replicas", _TEAM_HEADERS, rows) if rows else ""


def _team(use: TeamUse) -> str:
    *values, _ = map(escape, team_row(use))
    [cost, _] = prices(use.price, use.price)
    return _cells(values[0], _TEAM_HEADERS[1:], (*values[1:], cost))


def _row(verdict: Verdict) -> str:
    low, high = verdict.low, verdict.high
    pools, skus = ", ".join(verdict.pools), ", ".join(map(short, verdict.skus))
    values = (
        badge(outcome(verdict)),
        span(low.replicas, high.replicas, TO),
        escape(pools) or _NONE,
        escape(skus) or _NONE,
        span(low.nodes, high.nodes, TO),
        span(low.gpus, high.gpus, TO),
        span(low.stranded, high.stranded, TO),
        *prices(Price(low.price, low.maximum), Price(high.price, high.maximum)),
    )
    return _cells(f"{_key(verdict.number)} {escape(verdict.title)}", _HEADERS[1:], values)


def _cells(name: str, headers: Sequence[str], values: Sequence[str]) -> str:
    cells = "".join(
        f'<td role="cell" data-label="{header}">{value}</td>' for header, value in zip(headers, values, strict=True)
    )
    return f'<tr role="row"><th scope="row" role="rowheader">{name}</th>{cells}</tr>'


def _explained(verdict: Verdict) -> str:
    """Why a workload does not get a node, and what is uncertain."""
    if not (verdict.reasons or remarks(verdict)):
        return ""
    name = outcome(verdict)
    lines = list(map(_reason, verdict.reasons))
    lines += [f"<li>{escape(text)}</li>" for text in remarks(verdict)]
    part = ""
    if verdict.reasons and verdict.partly:
        part = f"<p>{verdict.high.placed} of {verdict.high.replicas} replicas get a node; the rest do not:</p>"
    head = f"<h3>{escape(verdict.title)} {badge(name)}</h3>"
    return f'<article class="{name}">{head}{part}<ul>{"".join(lines)}</ul></article>\n'


def _reason(reason: Reason) -> str:
    who = f"<b>{escape(reason.pool)}</b>: " if reason.pool else ""
    change = code(reason.change) if reason.change != reason.at else ""
    return f"<li>{who}{escape(reason.message)} {code(reason.at)}<br><em>{escape(reason.help)}</em> {change}</li>"
