"""Forecasts in words and for programs."""

from collections.abc import Iterable, Iterator, Sequence

from gitgpu.report.findings import Style, place
from gitgpu.report.screen import folded, paint, printable
from gitgpu.report.table import table
from gitgpu.simulate.explain.cost import of_cluster
from gitgpu.simulate.explain.forecast import HOURS, SCHEDULABLE, Forecast, Level, Reason, Verdict

HEADERS = ("WORKLOAD", "VERDICT", "REPLICAS", "POOL", "SIZE", "NODES", "GPUS", "STRANDED", "$/HOUR", "$/MONTH")
_COLOURS = {"schedulable": "32", "uncertain": "33", "unschedulable": "31"}
SIGNS = ("..", " -> ")
FALLS = "An arrow means that the second is smaller: more pods fill larger nodes, or share a node with others."
_ASSUMED = """\
Prices are on-demand list prices in USD; a month has 730 hours. Quota, capacity and the live prices of spot nodes
are not known offline. Two numbers are for the minimum and the maximum replicas.
"""


def word(one: Verdict) -> str:
    """The verdict in a word for people, who also want to know of doubts."""
    return one.verdict if one.certain or one.verdict != SCHEDULABLE else "uncertain"


def text(found: Sequence[Forecast], style: Style) -> str:
    """A table for each cluster, then every reason and every doubt."""
    told = "\n".join([*(_cluster(one, style) for one in found), _ASSUMED])
    return f"{told}{FALLS}\n" if SIGNS[1] in told else told


def _cluster(one: Forecast, style: Style) -> str:
    head = printable(f"{one.cluster} ({one.region or 'region unknown'})")
    rows = [_row(verdict) for verdict in one.verdicts]
    lines = [paint(head, "1", colour=style.colour) + "\n"]
    lines.append(table(HEADERS, rows, style) if rows else "no workload requests a GPU\n")
    lines += [
        _told(verdict, style) for verdict in one.verdicts if verdict.reasons or verdict.doubts or verdict.together
    ]
    lines += [f"\nnote: {folded(text)}" for text in one.notes] + ["\n"] * bool(one.notes)
    lines.append(_sum(one))
    return "".join(lines)


def _row(one: Verdict) -> tuple[str, ...]:
    low, high = one.low, one.high
    return (
        one.title,
        word(one),
        span(low.replicas, high.replicas),
        ", ".join(one.pools) or "-",
        ", ".join(one.skus) or "-",
        span(low.nodes, high.nodes),
        span(low.gpus, high.gpus),
        span(low.stranded, high.stranded),
        *(span(show(low), show(high), of=(low.most, high.most)) for show in (hourly, monthly)),
    )


def span(low: object, high: object, signs: tuple[str, str] = SIGNS, of: tuple[float | None, ...] = ()) -> str:
    """Two values, or one when they are the same; `of` are their numbers where they are texts.

    The second sign stands between them where the second is the smaller one: then they are no range.
    """
    numbers = [one for one in of or (low, high) if isinstance(one, (int, float))]
    return str(high) if low == high else f"{low}{signs[numbers != sorted(numbers)]}{high}"


def hourly(one: Level) -> str:
    """What a level costs an hour, as people read it."""
    return money(one.price, one.most)


def monthly(one: Level) -> str:
    """What it costs a month."""
    price, most = (None if price is None else price * HOURS for price in (one.price, one.most))
    return money(price, most, digits=0)


def money(price: float | None, most: float | None, digits: int = 2) -> str:
    """An amount, what it is at most, or a question mark."""
    if price is not None:
        return f"{price:,.{digits}f}"
    return "?" if most is None else f"<={most:,.{digits}f}"


def _told(one: Verdict, style: Style) -> str:
    title = paint(printable(one.title), "1", colour=style.colour)
    lines = [f"\n{title}: {paint(word(one), _COLOURS[word(one)], colour=style.colour)}"]
    if one.reasons and one.high.placed:
        lines.append(f"  {one.high.placed} of {one.high.replicas} replicas get a node; the rest do not:")
    lines += [line for reason in one.reasons for line in _reason(reason)]
    lines += [f"  {folded(text)}" for text in remarks(one)]
    return "\n".join(lines) + "\n"


def remarks(one: Verdict) -> list[str]:
    """What cannot be known, and what is to be kept in mind."""
    told = [
        f"{'uncertain' if doubt.decides else 'note'}: {doubt.message}"
        for doubt in sorted(one.doubts, key=lambda each: not each.decides)
    ]
    burst = f"note: if all replicas arrive at once, Karpenter may start {one.together} nodes and remove some later"
    return [*told, *([burst] if one.together else [])]


def _reason(one: Reason) -> Iterator[str]:
    who = f"pool {one.pool}: " if one.pool else ""
    yield f"  {folded(who + one.message)}"
    yield f"    at {printable(place(one.at))}"
    change = f" ({printable(place(one.change))})" if one.change != one.at else ""
    yield f"    = help: {folded(one.help)}{change}"


def _sum(one: Forecast) -> str:
    low, high = of_cluster(one.low), of_cluster(one.high)
    cost = span(money(*low), money(*high), of=(low[1], high[1]))
    passed = f"; {counted(one.passed, 'workload')} without a GPU skipped" if one.passed else ""
    nodes = f"{span(len(one.low), len(one.high))} node{'' if len(one.high) == 1 else 's'}"
    return f"\n{printable(one.cluster)}: {nodes}, {cost} USD/hour{passed}\n"


def counted(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def summary(found: Iterable[Forecast]) -> str:
    """One line for stderr."""
    words = [word(verdict) for one in found for verdict in one.verdicts]
    counts = ", ".join(f"{words.count(name)} {name}" for name in _COLOURS)
    return f"Summary: {counted(len(words), 'workload')} - {counts}"


def left_out(number: int) -> str:
    """How much of what was named the answer goes without."""
    return f"{counted(number, 'file or object')} could not be read and {'was' if number == 1 else 'were'} skipped"


def over(found: Iterable[Forecast], budget: float) -> str:
    """What breaks the budget: the price of all nodes at maximum replicas, or that nobody knows it; else empty."""
    prices = [of_cluster(one.high) for one in found]
    known = [most if price is None else price for price, most in prices]
    if None in known:
        return f"over budget: the price of a node is unknown; the limit is ${budget:,.2f}/hour"
    cost = sum(price for price in known if price is not None)
    return f"over budget: ${cost:,.2f}/hour, limit ${budget:,.2f}/hour" if cost > budget else ""
