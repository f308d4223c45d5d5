"""Forecasts as one HTML page without scripts or external resources: an index, and a section for each cluster."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.report.price_dates import priced_on
from gitgpu.report.simulation.cluster_section import MARKS, NO_WORKLOAD, badge, code, region, remainder, section
from gitgpu.report.simulation.markup import escape
from gitgpu.report.simulation.price_text import ARROW, prices
from gitgpu.report.simulation.shared_notes import note_lines, without_shared
from gitgpu.report.simulation.style import STYLE
from gitgpu.report.simulation.text import FALLS, all_outcomes, left_out, outcome
from gitgpu.report.simulation.totals import known_price, unpriced_text
from gitgpu.simulate.forecast import HOURS, Forecast

_INDEXED = 3  # the number of clusters from which the page has an index: two fit on a screen


class Basis(NamedTuple):
    """The input that a page was generated from; a text is empty if it is unknown.

    `commit` is the Git commit that contains the fleet, `changed` whether files of the fleet differ from it. `catalog`
    is the age of the catalog's evidence, `version` that of gitgpu.
    """

    fleet: str = ""
    commit: str = ""
    changed: bool = False
    catalog: str = ""
    version: str = ""


def page(forecasts: Sequence[Forecast], basis: Basis, unread: Sequence[Diagnostic] = ()) -> str:
    """The page. `unread` are faults for input that was omitted, or the reason why there is nothing to show."""
    title = escape(" ".join(filter(None, ("gitgpu simulate", basis.fleet))))
    head = left_out(len(unread)) if forecasts else "There is no result because of these errors"
    shown = [forecast for forecast in without_shared(forecasts) if not _is_empty(forecast)]
    notes = "".join(f'<p class="none">{escape(line)}.</p>\n' for line in note_lines(forecasts))
    sections = "".join(section(forecast, f"c{number}") for number, forecast in enumerate(shown, 1))
    falls = f" {FALLS}" if ARROW in sections else ""
    parts = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f'<meta name="color-scheme" content="light dark">\n<title>{title}</title>\n',
        f"<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{_header(forecasts, basis)}{_unread(unread, head)}",
        _index(shown),
        sections,
        notes,
        _empty([forecast for forecast in forecasts if _is_empty(forecast)]),
        f"<footer>Prices are on-demand list prices in USD; a month has {HOURS} hours. Quota, capacity and the live ",
        f"prices of spot nodes are not known offline. Two numbers mean the minimum and the maximum replicas.{falls}",
        "</footer>\n</main>\n</body>\n</html>\n",
    )
    return "".join(parts)


def _is_empty(forecast: Forecast) -> bool:
    """Whether there is nothing to show: no workload with GPUs and no node."""
    return not (forecast.verdicts or forecast.low or forecast.high)


def _header(forecasts: Sequence[Forecast], basis: Basis) -> str:
    outcomes = all_outcomes(forecasts)
    chips = "".join(f'<li class="{name}">{MARKS[name]} {outcomes.count(name)} {name}</li>' for name in MARKS)
    facts = "".join(f"<li>{fact}</li>" for fact in _facts(basis))
    basics = f'<ul class="facts">{facts}</ul>' if facts else ""
    return (
        f'<header><div><h1>Would every GPU pod get a node?</h1>{basics}</div><ul class="chips">{chips}</ul></header>\n'
    )


def _facts(basis: Basis) -> Iterator[str]:
    if basis.fleet:
        yield f"fleet <b>{escape(basis.fleet)}</b>"
    if basis.commit:
        changed = " with uncommitted changes" if basis.changed else ""
        yield f"commit <code>{escape(basis.commit)}</code>{changed}"
    if basis.catalog:
        yield f"catalog: {escape(basis.catalog)}"
    if basis.version:
        yield f"gitgpu {escape(basis.version)}"


def _unread(unread: Sequence[Diagnostic], head: str) -> str:
    if not unread:
        return ""
    items = ""
    for finding in unread:
        items += f"<li>{code(finding.span)} {escape(finding.message)}<br><em>{escape(finding.help)}</em></li>"
    return f'<article class="uncertain"><h3>{head}</h3><ul>{items}</ul></article>\n'


def _index(shown: Sequence[Forecast]) -> str:
    """Links to the clusters, each with its verdicts and its price."""
    if len(shown) < _INDEXED:
        return ""
    entries = "".join(_entry(forecast, f"c{number}") for number, forecast in enumerate(shown, 1))
    return f'<nav aria-label="Clusters"><ul class="index">{entries}</ul></nav>\n'


def _entry(forecast: Forecast, anchor: str) -> str:
    outcomes = [outcome(verdict) for verdict in forecast.verdicts]
    badges = " ".join(badge(name, f"{outcomes.count(name)} {name}") for name in MARKS if name in outcomes)
    hourly, _ = prices(known_price(forecast.low).price, known_price(forecast.high).price)
    dated = priced_on([forecast.priced]) + escape(unpriced_text([forecast]))
    name = f'<a href="#{anchor}">{escape(forecast.cluster)}</a> {region(forecast)}'
    return f'<li><span>{name}</span> <span>{badges} <span class="cost">{hourly} an hour{dated}</span></span></li>'


def _empty(empty: Sequence[Forecast]) -> str:
    """The clusters that have nothing to show, in one section."""
    if not empty:
        return ""
    entries = "".join(
        f"<h3>{escape(forecast.cluster)} {region(forecast)}</h3>\n{''.join(remainder(forecast))}" for forecast in empty
    )
    return f'<section class="empty">\n<h2>{NO_WORKLOAD}</h2>\n{entries}</section>\n'
