"""Forecasts as one HTML page without scripts or external resources: an index, and a section for each cluster."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.report.html.document import document
from gitgpu.report.html.markup import escape
from gitgpu.report.same_clusters import group_same, title
from gitgpu.report.simulation.cluster_section import MARKS, NO_WORKLOAD, code, region, remainder, section
from gitgpu.report.simulation.numbers import renumber
from gitgpu.report.simulation.overview import attention_list, by_group, index, totals
from gitgpu.report.simulation.price_text import ARROW, prices
from gitgpu.report.simulation.shared_notes import note_lines, without_shared
from gitgpu.report.simulation.text import FALLS, PAIRS, all_outcomes, skipped_note
from gitgpu.report.simulation.totals import usages
from gitgpu.report.simulation.view import View
from gitgpu.simulate.forecast import HOURS, Forecast


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


def page(
    forecasts: Sequence[Forecast],
    basis: Basis,
    unread: Sequence[Diagnostic] = (),
    view: View = View(),  # noqa: B008
) -> str:
    """The page. `unread` are faults for input that was omitted, or the reason why there is nothing to show."""
    head = skipped_note(len(unread)) if forecasts else "There is no result because of these errors"
    parts = [_header(forecasts, basis), _unread(unread, head)]
    if forecasts:
        parts += [attention_list(forecasts, view), totals(forecasts, view.today), by_group(forecasts, view.group_by)]
    shown_forecasts = [forecast for forecast in renumber(without_shared(forecasts)) if not _is_empty(forecast)]
    sections = group_same(shown_forecasts, lambda forecast: (forecast.region, section(forecast, view.today)))
    parts.append(index(sections))
    parts += [_section(same, f"c{number}", view.today) for number, same in enumerate(sections, 1)]
    parts += [f'<p class="none">{escape(line)}.</p>\n' for line in note_lines(forecasts)]
    parts += [_empty([forecast for forecast in forecasts if _is_empty(forecast)])]
    body = "".join(parts)
    falls = f" {FALLS}" if ARROW in body else ""
    footer = (
        f"<footer>Prices are on-demand list prices in USD; a month has {HOURS} hours. Quota, capacity and the live "
        f"prices of spot nodes are not known offline. {PAIRS} "
        f"GPUs are idle if no pod requests them.{falls}</footer>\n"
    )
    return document(" ".join(filter(None, ("gitgpu simulate", basis.fleet))), body + footer)


def _section(same: Sequence[Forecast], anchor: str, today: str) -> str:
    """Clusters with the same result, in one section; its figures are those of one cluster."""
    first, name = same[0], f"{anchor}-name"
    each = f" <small>{len(same):,} clusters, the same on each</small>" if len(same) > 1 else ""
    names = escape(title([forecast.cluster for forecast in same]))
    head = f'<h2 id="{name}">{names} {region(first)}{each}</h2>\n'
    return f'<section id="{anchor}" aria-labelledby="{name}">\n{head}{section(first, today)}</section>\n'


def _is_empty(forecast: Forecast) -> bool:
    """Whether there is nothing to show: no workload with GPUs and no node."""
    return not (forecast.verdicts or forecast.low or forecast.high)


def _header(forecasts: Sequence[Forecast], basis: Basis) -> str:
    outcomes = all_outcomes(forecasts)
    counts = {name: outcomes.count(name) for name in MARKS}
    looks = {name: name if count else "none" for name, count in counts.items()}
    chips = "".join(f'<li class="{looks[name]}">{MARKS[name]} {counts[name]} {name}</li>' for name in MARKS)
    if forecasts:
        _, high = usages(forecasts)
        chips += f"<li>{prices(high.price, high.price)[0]} an hour at maximum replicas</li>"
        chips += f"<li>{prices(high.idle_price, high.idle_price)[0]} of it for idle GPUs</li>"
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


def _empty(empty: Sequence[Forecast]) -> str:
    """The clusters that have nothing to show, in one section."""
    entries = ""
    for same in group_same(empty, lambda forecast: (forecast.region, tuple(remainder(forecast)))):
        names = escape(title([forecast.cluster for forecast in same]))
        entries += f"<h3>{names} {region(same[0])}</h3>\n{''.join(remainder(same[0]))}"
    return f'<section class="empty">\n<h2>{NO_WORKLOAD}</h2>\n{entries}</section>\n' if entries else ""
