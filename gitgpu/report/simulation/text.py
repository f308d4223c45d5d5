"""Forecasts in words and for programs."""

from collections.abc import Iterable, Iterator, Sequence

from gitgpu.report.findings import Style, place
from gitgpu.report.screen import folded, paint, printable
from gitgpu.report.simulation.shared_notes import note_lines, without_shared
from gitgpu.report.table import table
from gitgpu.simulate.explain.cost import of_cluster
from gitgpu.simulate.explain.forecast import HOURS, SCHEDULABLE, Forecast, Level, Reason, Verdict
from gitgpu.spelling import counted

HEADERS = ("WORKLOAD", "VERDICT", "REPLICAS", "POOL", "SIZE", "NODES", "GPUS", "STRANDED", "$/HOUR", "$/MONTH")
_COLOURS = {"schedulable": "32", "uncertain": "33", "unschedulable": "31"}
SIGNS = ("..", " -> ")
FALLS = "An arrow means that the second is smaller: more pods fill larger nodes, or share a node with others."
_ASSUMED = """\
Prices are on-demand list prices in USD; a month has 730 hours. Quota, capacity and the live prices of spot nodes
are not known offline. Two numbers are for the minimum and the maximum replicas.
"""


def word(verdict: Verdict) -> str:
    """The verdict in one word, which also says whether it is uncertain."""
    return verdict.verdict if verdict.certain or verdict.verdict != SCHEDULABLE else "uncertain"


def text(found: Sequence[Forecast], style: Style) -> str:
    """A table for each cluster with every reason and every doubt, then the notes that several workloads share."""
    notes = "".join(f"{folded(line)}\n" for line in note_lines(found))
    clusters = [_cluster(forecast, style) for forecast in without_shared(found)]
    told = "\n".join([*clusters, *([notes] if notes else []), _ASSUMED])
    return f"{told}{FALLS}\n" if SIGNS[1] in told else told


def _cluster(forecast: Forecast, style: Style) -> str:
    head = printable(f"{forecast.cluster} ({forecast.region or 'region unknown'})")
    rows = [_row(verdict) for verdict in forecast.verdicts]
    lines = [paint(head, "1", colour=style.colour) + "\n"]
    lines.append(table(HEADERS, rows, style) if rows else "no workload requests a GPU\n")
    lines += [
        _told(verdict, style) for verdict in forecast.verdicts if verdict.reasons or verdict.doubts or verdict.together
    ]
    lines += [f"\nnote: {folded(text)}" for text in forecast.notes] + ["\n"] * bool(forecast.notes)
    lines.append(_sum(forecast))
    return "".join(lines)


def _row(verdict: Verdict) -> tuple[str, ...]:
    low, high = verdict.low, verdict.high
    return (
        verdict.title,
        word(verdict),
        span(low.replicas, high.replicas),
        ", ".join(verdict.pools) or "-",
        ", ".join(verdict.skus) or "-",
        span(low.nodes, high.nodes),
        span(low.gpus, high.gpus),
        span(low.stranded, high.stranded),
        *(span(show(low), show(high), of=(low.most, high.most)) for show in (hourly, monthly)),
    )


def span(low: object, high: object, signs: tuple[str, str] = SIGNS, of: tuple[float | None, ...] = ()) -> str:
    """Two values, or one when they are the same; `of` are their numbers where they are texts.

    The second sign separates them if the second is smaller: then they are not a range.
    """
    numbers = [value for value in of or (low, high) if isinstance(value, (int, float))]
    return str(high) if low == high else f"{low}{signs[numbers != sorted(numbers)]}{high}"


def hourly(level: Level) -> str:
    """What a level costs an hour, as people read it."""
    return money(level.price, level.most)


def monthly(level: Level) -> str:
    """What it costs a month."""
    price, most = (None if price is None else price * HOURS for price in (level.price, level.most))
    return money(price, most, digits=0)


def money(price: float | None, most: float | None, digits: int = 2) -> str:
    """An amount, what it is at most, or a question mark."""
    if price is not None:
        return f"{price:,.{digits}f}"
    return "?" if most is None else f"<={most:,.{digits}f}"


def _told(verdict: Verdict, style: Style) -> str:
    title = paint(printable(verdict.title), "1", colour=style.colour)
    lines = [f"\n{title}: {paint(word(verdict), _COLOURS[word(verdict)], colour=style.colour)}"]
    if verdict.reasons and verdict.high.placed:
        lines.append(f"  {verdict.high.placed} of {verdict.high.replicas} replicas get a node; the rest do not:")
    lines += [line for reason in verdict.reasons for line in _reason(reason)]
    lines += [f"  {folded(text)}" for text in remarks(verdict)]
    return "\n".join(lines) + "\n"


def remarks(verdict: Verdict) -> list[str]:
    """What cannot be known, and what is to be kept in mind."""
    told = [
        f"{'uncertain' if doubt.decides else 'note'}: {doubt.message}"
        for doubt in sorted(verdict.doubts, key=lambda each: not each.decides)
    ]
    burst = (
        f"note: when all replicas come at once, Karpenter may start {verdict.together} nodes, and take some back later"
    )
    return [*told, *([burst] if verdict.together else [])]


def _reason(reason: Reason) -> Iterator[str]:
    who = f"pool {reason.pool}: " if reason.pool else ""
    yield f"  {folded(who + reason.message)}"
    yield f"    at {printable(place(reason.at))}"
    change = f" ({printable(place(reason.change))})" if reason.change != reason.at else ""
    yield f"    = help: {folded(reason.help)}{change}"


def _sum(forecast: Forecast) -> str:
    low, high = of_cluster(forecast.low), of_cluster(forecast.high)
    cost = _cost(low, high)
    passed = f"; {counted(forecast.passed, 'workload')} without a GPU skipped" if forecast.passed else ""
    nodes = f"{span(len(forecast.low), len(forecast.high))} node{'' if len(forecast.high) == 1 else 's'}"
    return f"\n{printable(forecast.cluster)}: {nodes}, {cost} USD/hour{passed}\n"


def _cost(low: tuple[float | None, float | None], high: tuple[float | None, float | None]) -> str:
    """What the nodes cost an hour. Of two upper bounds the larger one comes first: it is the one to budget."""
    least, most = low[1], high[1]
    if high[0] is None and least is not None and most is not None and least < most:
        return f"up to {most:,.2f} (from {least:,.2f})"
    return span(money(*low), money(*high), of=(least, most))


def summary(found: Iterable[Forecast]) -> str:
    """One line for stderr."""
    words = [word(verdict) for forecast in found for verdict in forecast.verdicts]
    counts = ", ".join(f"{words.count(name)} {name}" for name in _COLOURS)
    return f"Summary: {counted(len(words), 'workload')} - {counts}"


def left_out(number: int) -> str:
    """How much of what was named the answer goes without."""
    return f"{counted(number, 'file or object')} could not be read and {'was' if number == 1 else 'were'} skipped"


def over(found: Iterable[Forecast], budget: float) -> str:
    """Why the budget is exceeded: the price of all nodes at maximum replicas, or an unknown price; "" if it is not."""
    prices = [of_cluster(forecast.high) for forecast in found]
    known = [most if price is None else price for price, most in prices]
    if None in known:
        return f"over budget: the price of a node is unknown; the limit is ${budget:,.2f}/hour"
    cost = sum(price for price in known if price is not None)
    return f"over budget: ${cost:,.2f}/hour, limit ${budget:,.2f}/hour" if cost > budget else ""
