"""Forecasts as one HTML page that needs nothing else: a picture of every cluster, and the table in words."""

from collections.abc import Sequence

from gitgpu.diagnostic import Diagnostic
from gitgpu.report.findings import counted, place
from gitgpu.report.markup import escape
from gitgpu.report.picture import COLOURS, letter, picture, short
from gitgpu.report.simulation import FALLS, hourly, left_out, money, monthly, remarks, span, word
from gitgpu.report.style import STYLE
from gitgpu.simulate.explain.cost import of_cluster
from gitgpu.simulate.explain.forecast import HOURS, Forecast, Node, Reason, Verdict
from gitgpu.source import Span

_MARKS = {"schedulable": "✓", "uncertain": "?", "unschedulable": "✕"}
_HEADERS = ("", "Workload", "Verdict", "Replicas", "Pool", "Size", "Nodes", "GPUs", "Stranded", "$/hour", "$/month")
TO, NONE = (" &ndash; ", " &rarr; "), "&ndash;"


def page(found: Sequence[Forecast], unread: Sequence[Diagnostic] = ()) -> str:
    """The page; `unread` is what was left out because it could not be read, or why there is nothing to show."""
    words = [word(verdict) for each in found for verdict in each.verdicts]
    chips = "".join(f'<li class="{name}">{_MARKS[name]} {words.count(name)} {name}</li>' for name in _MARKS)
    clusters = "".join(map(_cluster, found))
    head = left_out(len(unread)) if found else "There is no result because of these errors"
    falls = f" {FALLS}" if TO[1] in clusters else ""
    parts = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        '<meta name="color-scheme" content="light dark">\n<title>gitgpu simulate</title>\n',
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        "<header><h1>Would every GPU pod get a node?</h1>",
        f'<ul class="chips">{chips}</ul></header>\n{_unread(unread, head)}',
        clusters,
        f"<footer>Prices are on-demand list prices in USD; a month has {HOURS} hours. Quota, capacity and the live ",
        f"prices of spot nodes are not known offline. Two numbers are for the minimum and the maximum replicas.{falls}",
        "</footer>\n</main>\n</body>\n</html>\n",
    )
    return "".join(parts)


def _unread(unread: Sequence[Diagnostic], head: str) -> str:
    if not unread:
        return ""
    lines = "".join(
        f"<li>{_code(finding.span)} {escape(finding.message)}<br><em>{escape(finding.help)}</em></li>"
        for finding in unread
    )
    return f'<article class="uncertain"><h3>{head}</h3><ul>{lines}</ul></article>\n'


def _cluster(forecast: Forecast) -> str:
    region = f"<small>{escape(forecast.region)}</small>" if forecast.region else "<small>region unknown</small>"
    parts = [
        f"<section>\n<h2>{escape(forecast.cluster)} {region}</h2>\n{_figures(forecast)}",
        _drawn(forecast, forecast.high, "at maximum replicas"),
    ]
    if forecast.low != forecast.high:
        low = _drawn(forecast, forecast.low, "at minimum replicas")
        parts.append(f"<details><summary>At minimum replicas</summary>{low}</details>\n")
    rest = (*map(_told, forecast.verdicts), _passed(forecast), *map(_noted, forecast.notes), "</section>\n")
    return "".join((*parts, _table(forecast), *rest))


def _figures(forecast: Forecast) -> str:
    """The numbers of a cluster, large."""
    low, high = of_cluster(forecast.low), of_cluster(forecast.high)
    used, gpus = sum(node.used for node in forecast.high), sum(node.gpus for node in forecast.high)
    figures = (
        ("nodes", span(len(forecast.low), len(forecast.high), TO)),
        ("GPUs used at most", f"{used} of {gpus}"),
        *(
            (name, span(_dollars(low, hours), _dollars(high, hours), TO, (low[1], high[1])))
            for name, hours in (("an hour", 1), ("a month", HOURS))
        ),
    )
    return "<dl>" + "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in figures) + "</dl>\n"


def _dollars(prices: tuple[float | None, float | None], hours: int) -> str:
    price, most = (None if price is None else price * hours for price in prices)
    text = money(price, most, digits=2 if hours == 1 else 0)
    return f"&le; ${text[2:]}" if text.startswith("<=") else f"${text}"


def _drawn(forecast: Forecast, nodes: Sequence[Node], when: str) -> str:
    names = {verdict.number: verdict.title for verdict in forecast.verdicts if verdict.number is not None}
    if not nodes:
        return f'<p class="none">No node is there {when}.</p>\n'
    here = {share.workload for node in nodes for share in node.shares}
    keys = "".join(
        f'<li><span class="key k{number % COLOURS}">{letter(number)}</span> {escape(name)}</li>'
        for number, name in sorted(names.items())
        if number in here
    )
    stranded = any(sum(share.slots for share in node.shares) < node.slots for node in nodes)
    free = '<li><span class="key empty"></span> idle</li>' if stranded else ""
    drawn = picture(nodes, names, f"Nodes of {forecast.cluster} {when}")
    return f'<figure>{drawn}<figcaption><ul class="legend">{keys}{free}</ul></figcaption></figure>\n'


def _table(forecast: Forecast) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in _HEADERS)
    rows = "".join(map(_row, forecast.verdicts))
    caption = f"<caption>Workloads on {escape(forecast.cluster)}</caption>"
    return f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>\n'


def _row(verdict: Verdict) -> str:
    low, high, name = verdict.low, verdict.high, word(verdict)
    number = verdict.number
    key = "" if number is None else f'<span class="key k{number % COLOURS}">{letter(number)}</span>'
    counts = (
        span(low.nodes, high.nodes, TO),
        span(low.gpus, high.gpus, TO),
        span(low.stranded, high.stranded, TO),
        *(span(show(low), show(high), TO, (low.most, high.most)).replace("<=", "&le; ") for show in (hourly, monthly)),
    )
    cells = (
        f"<td>{key}</td>",
        f'<th scope="row">{escape(verdict.title)}</th>',
        f'<td><span class="badge {name}">{_MARKS[name]} {name}</span></td>',
        f'<td class="number">{span(low.replicas, high.replicas, TO)}</td>',
        *(f"<td>{escape(', '.join(names)) or NONE}</td>" for names in (verdict.pools, map(short, verdict.skus))),
        *(f'<td class="number">{count}</td>' for count in counts),
    )
    return f"<tr>{''.join(cells)}</tr>"


def _told(verdict: Verdict) -> str:
    """Why a workload gets no node, and what nobody can know."""
    if not (verdict.reasons or remarks(verdict)):
        return ""
    name = word(verdict)
    lines = [*map(_reason, verdict.reasons), *(f"<li>{escape(text)}</li>" for text in remarks(verdict))]
    some = verdict.reasons and verdict.high.placed
    part = (
        f"<p>{verdict.high.placed} of {verdict.high.replicas} replicas get a node; the rest do not:</p>" if some else ""
    )
    head = f'<h3>{escape(verdict.title)} <span class="badge {name}">{_MARKS[name]} {name}</span></h3>'
    return f'<article class="{name}">{head}{part}<ul>{"".join(lines)}</ul></article>\n'


def _reason(reason: Reason) -> str:
    who = f"<b>{escape(reason.pool)}</b>: " if reason.pool else ""
    change = _code(reason.change) if reason.change != reason.at else ""
    return f"<li>{who}{escape(reason.message)} {_code(reason.at)}<br><em>{escape(reason.help)}</em> {change}</li>"


def _code(at: Span) -> str:
    return f"<code>{escape(place(at))}</code>" if at.file else ""


def _passed(forecast: Forecast) -> str:
    words = f"{counted(forecast.passed, 'workload')} without a GPU skipped"
    return f'<p class="none">{words}.</p>\n' if forecast.passed else ""


def _noted(text: str) -> str:
    return f'<p class="none">{escape(text)}.</p>\n'
