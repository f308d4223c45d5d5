"""The part of the page about clusters with the same result: figures, pools, nodes, workloads, reasons and notes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitgpu.report.findings import place
from gitgpu.report.html.bars import IDLE, Part, bar
from gitgpu.report.html.markup import escape
from gitgpu.report.html.table import table
from gitgpu.report.price_dates import price_date_note
from gitgpu.report.simulation.amounts import span
from gitgpu.report.simulation.picture import COLOURS, letter, picture, short
from gitgpu.report.simulation.price_text import PERIODS, TO, prices
from gitgpu.report.simulation.text import outcome, remarks, team_row
from gitgpu.report.simulation.totals import known_usage, unpriced_text, usages
from gitgpu.simulate.forecast import Forecast, Node, Price, Reason, TeamUse, Verdict
from gitgpu.simulate.usage import Usage, idle_part, is_unrequested, parts_of
from gitgpu.source import Span
from gitgpu.spelling import count_text

MARKS = {"schedulable": "✓", "uncertain": "?", "unschedulable": "✕"}
NO_WORKLOAD = "No simulated workload requests a GPU"  # of kinds that are not simulated, the notes tell
_HEADERS = ("Workload", "Verdict", "Replicas", "Pool", "Size", "Nodes", "GPUs", "Idle GPUs", "An hour", "A month")
_POOL_HEADERS = ("Pool", "Nodes", "GPUs used", "Used", "An hour", "Idle an hour", "Cost at maximum replicas")
_TEAM_HEADERS = ("Team", "Flavor", "Resource", "Quota", "Used", "Borrowed", "Lent", "An hour")
_NONE = "&ndash;"


def section(forecast: Forecast, today: str) -> str:
    """The content of the section of a cluster, below its heading. Prices are marked if they are old on that day."""
    parts = [figures([forecast], today), _pools(forecast), _drawn(forecast, forecast.high, "at maximum replicas")]
    if forecast.low != forecast.high:
        low = _drawn(forecast, forecast.low, "at minimum replicas")
        parts.append(f"<details><summary>At minimum replicas</summary>{low}</details>\n")
    parts += [_workloads(forecast), *map(_explained, forecast.verdicts), _teams(forecast), *remainder(forecast)]
    return "".join(parts)


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
        yield f'<p class="none">{count_text(forecast.skipped, "workload")} without a GPU skipped.</p>\n'
    for text in forecast.notes:
        yield f'<p class="none">{escape(text)}.</p>\n'


def figures(forecasts: Sequence[Forecast], today: str) -> str:
    """The sums over clusters, in large print."""
    low, high = usages(forecasts)
    costs, idle = prices(low.price, high.price), prices(low.idle_price, high.idle_price)
    dated = price_date_note((forecast.priced for forecast in forecasts), today) + escape(unpriced_text(forecasts))
    entries = [
        ("nodes", span(f"{low.nodes:,}", f"{high.nodes:,}", TO, (low.nodes, high.nodes))),
        ("GPUs used at maximum replicas", f"{high.busy:,} of {high.gpus:,}"),
        *((f"{name}{dated}", cost) for (name, _, _), cost in zip(PERIODS, costs, strict=True)),
        ("an hour for idle GPUs", idle[0]),
    ]
    return "<dl>" + "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in entries) + "</dl>\n"


def _pools(forecast: Forecast) -> str:
    """Each pool: how much of it is used, and what it costs, for whom."""
    low, high = _by_pool(forecast.low), _by_pool(forecast.high)
    names = {verdict.number: verdict.title for verdict in forecast.verdicts if verdict.number is not None}
    longest = max((known_usage(nodes).usage.price.maximum or 0 for nodes in high.values()), default=0)
    rows = [
        _pool(pool, (low.get(pool, []), high.get(pool, [])), names, longest)
        for pool in sorted(low.keys() | high.keys())
    ]
    return table("Pools", _POOL_HEADERS, rows)


def _by_pool(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    by_pool: dict[str, list[Node]] = {}
    for node in nodes:
        by_pool.setdefault(node.pool, []).append(node)
    return by_pool


def _pool(pool: str, sides: tuple[list[Node], list[Node]], names: Mapping[int, str], longest: float) -> list[str]:
    low, high = (known_usage(nodes).usage for nodes in sides)
    return [
        escape(pool),
        span(low.nodes, high.nodes, TO),
        f"{span(low.busy, high.busy, TO)} of {span(low.gpus, high.gpus, TO)}",
        span(_percent(low if low.gpus else high), _percent(high), TO),
        prices(low.price, high.price)[0],
        prices(low.idle_price, high.idle_price)[0],
        _bar(pool, sides[1], names, longest),
    ]


def _percent(usage: Usage) -> str:
    """How much of the GPUs is used; a dash if there is none."""
    return f"{100 * usage.busy // usage.gpus} %" if usage.gpus else _NONE


def _bar(pool: str, nodes: Sequence[Node], names: Mapping[int, str], longest: float) -> str:
    """What the nodes of a pool cost, by workload, and what of it is idle."""
    by_workload: dict[int, float] = {}
    idle = 0.0
    for node in nodes:
        cost = node.maximum or 0.0
        idle += cost * float(idle_part(node))
        for number, part in parts_of(node).items():
            by_workload[number] = by_workload.get(number, 0.0) + cost * float(part * (1 - idle_part(node)))
    parts = [Part(f"w{number % COLOURS}", cost) for number, cost in sorted(by_workload.items())]
    said = [f"{names[number]} ${cost:,.2f}" for number, cost in sorted(by_workload.items())]
    if idle:
        said.append(f"idle ${idle:,.2f}")
    return bar(f"{pool}: {', '.join(said)} an hour", [*parts, Part(IDLE, idle)], longest)


def _drawn(forecast: Forecast, nodes: Sequence[Node], when: str) -> str:
    names = {verdict.number: verdict.title for verdict in forecast.verdicts if verdict.number is not None}
    if not nodes:
        return f'<p class="none">No node is needed {when}.</p>\n'
    shares = {share for node in nodes for share in node.shares}
    squares = {share.workload for share in shares if share.slots}
    circles = {share.workload for share in shares if not share.slots} - squares
    keys = "".join(f"<li>{_key(number)} {escape(names[number])}</li>" for number in sorted(squares))
    keys += "".join(
        f"<li>{_key(number, 'pod')} {escape(names[number])}, requests no GPU</li>" for number in sorted(circles)
    )
    if any(map(is_unrequested, nodes)):
        keys += '<li><span class="key mute"></span> requested by no pod: possibly in use</li>'
    if any(map(_has_idle_slots, nodes)):
        keys += '<li><span class="key idle"></span> idle</li>'
    label = f"Nodes {when}"
    legend = f'<figcaption><ul class="legend">{keys}</ul></figcaption>'
    return f'<figure aria-label="{label}">{picture(nodes, names)}{legend}</figure>\n'


def _has_idle_slots(node: Node) -> bool:
    return not is_unrequested(node) and sum(share.slots for share in node.shares) < node.slots


def _key(number: int | None, look: str = "") -> str:
    """The coloured letter of a workload."""
    return "" if number is None else f'<span class="key {look} k{number % COLOURS}">{letter(number)}</span>'


def _workloads(forecast: Forecast) -> str:
    if not forecast.verdicts:
        return f'<p class="none">{NO_WORKLOAD}.</p>\n'
    return table("Workloads", _HEADERS, map(_row, forecast.verdicts))


def _teams(forecast: Forecast) -> str:
    """The quotas of teams, and what they use at maximum replicas; "" without any."""
    return table("Teams, at maximum replicas", _TEAM_HEADERS, map(_team, forecast.teams))


def _team(use: TeamUse) -> list[str]:
    *values, _ = map(escape, team_row(use))
    [cost, _] = prices(use.price, use.price)
    return [*values, cost]


def _row(verdict: Verdict) -> list[str]:
    low, high = verdict.low, verdict.high
    pools, skus = ", ".join(verdict.pools), ", ".join(map(short, verdict.skus))
    return [
        f"{_key(verdict.number)} {escape(verdict.title)}",
        badge(outcome(verdict)),
        span(low.replicas, high.replicas, TO),
        escape(pools) or _NONE,
        escape(skus) or _NONE,
        span(low.nodes, high.nodes, TO),
        span(low.gpus, high.gpus, TO),
        span(low.idle, high.idle, TO),
        *prices(Price(low.price, low.maximum), Price(high.price, high.maximum)),
    ]


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
