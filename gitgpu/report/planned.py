"""A plan on its way to words: what differs, against what, and the sentences that every format shares."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import unified_diff
from fnmatch import fnmatchcase
from itertools import groupby
from json import dumps
from typing import Any, NamedTuple

from gitgpu import registry
from gitgpu.compare import AtLimits, Change, ClusterChange, Field, Kind, PoolChange
from gitgpu.report import plans
from gitgpu.report.findings import Style

SIGNS = {Kind.ADDED: "+", Kind.CHANGED: "~", Kind.REMOVED: "-"}


class Planned(NamedTuple):
    """The clusters that differ, what they were compared with, and the currency of prices ("" where not known)."""

    clusters: tuple[ClusterChange, ...]
    against: str
    currency: str = ""

    @property
    def changes(self) -> bool:
        """Would anything be another than it is?"""
        return any(one.count(kind) for one in self.clusters for kind in Kind)

    def loses(self, globs: Sequence[str]) -> bool:
        """Does one of these pools lose nodes, or need to be made anew? No globs mean every pool."""
        return any(
            pool.touches_nodes and (not globs or any(_names(one.name, pool.name, glob) for glob in globs))
            for one in self.clusters
            for pool in one.pools
        )


@dataclass(frozen=True, slots=True)
class PlanFormat:
    """One way to tell a plan."""

    name: str
    render: Callable[[Planned, Style], str]


def plan_format_names() -> tuple[str, ...]:
    """The formats there are, sorted; none of them is imported."""
    return registry.names(plans)


def render_plan(plan: Planned, form: str, style: Style) -> str:
    """The plan as text in one of `plan_format_names()`."""
    text = registry.load(plans, form, "FORMAT", PlanFormat).render(plan, style)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _names(cluster: str, pool: str, glob: str) -> bool:
    return fnmatchcase(f"{cluster}/{pool}" if "/" in glob else pool, glob)


def counted(number: int, noun: str) -> str:
    """`1 pool`, `2 pools`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def head(clusters: Sequence[ClusterChange]) -> str:
    """The one sentence above all others: how much changes, and which nodes are lost."""
    objects = ", ".join(f"{sum(one.count(kind) for one in clusters):,} {kind}" for kind in Kind)
    pools = [pool for one in clusters for pool in one.pools]
    parts = [f"{counted(len(clusters), 'cluster')}: objects {objects}", *_losses(pools)]
    return "; ".join(parts)


def _losses(pools: Sequence[PoolChange]) -> Iterator[str]:
    for part in ("all", "some"):
        hit = [one for one in pools if one.replaced == part and one.kind is not Kind.REMOVED]
        if hit:
            verb = "replaces" if len(hit) == 1 else "replace"
            yield f"{counted(len(hit), 'pool')} {verb} {part} nodes{size([one.before for one in hit])}"
    for words, hit in (
        ("to be made anew", [one for one in pools if one.refused]),
        ("removed", [one for one in pools if one.kind is Kind.REMOVED]),
    ):
        if hit:
            yield f"{counted(len(hit), 'pool')} {words}"


def size(limits: Sequence[AtLimits | None]) -> str:
    """` (up to 8 nodes, 32 GPUs)`; empty where that is not known."""
    nodes, gpus = total([one and one.nodes for one in limits]), total([one and one.gpus for one in limits])
    known = [
        *([counted(nodes, "node")] if nodes is not None else []),
        *([f"{gpus:,} GPUs"] if gpus is not None else []),
    ]
    return f" (up to {', '.join(known)})" if known else ""


def total(numbers: Sequence[Any]) -> Any:
    """The sum; None when one of them is not known."""
    return None if None in numbers else sum(numbers)


class Totals(NamedTuple):
    """What all pools of a cluster are at their limits; None is unknown, or without a limit."""

    gpus: int | None
    price: Decimal | None


def totals(pools: Sequence[PoolChange], *, after: bool) -> Totals:
    """The sum over the pools of one side."""
    sides = [one.after if after else one.before for one in pools]
    there = [one for one in sides if one is not None]
    return Totals(total([one.gpus for one in there]), total([one.price for one in there]))


def rolling(pool: PoolChange) -> str:
    """How the nodes are replaced, in words; empty where nothing is known of it."""
    roll = pool.roll
    if roll is None:
        return ""
    if roll.blocked:
        return f"blocked: {roll.blocked}"
    parts = [f"{counted(roll.at_once, 'node')} at once" if roll.at_once is not None else "as the budgets allow"]
    parts += [f"{counted(roll.waves, 'wave')} at the limits"] if roll.waves is not None else []
    parts += [f"{minutes(roll.minutes)} while budgets are open"] if roll.minutes is not None else []
    parts += [f"nothing for {roll.closed:g} hours of every week"] if roll.closed else []
    drain = f"a drain ends after {roll.drain}" if roll.drain else "a drain may take for ever"
    return f"{', '.join([*parts, drain])}; each wave needs room for as many nodes more"


def minutes(length: float) -> str:
    """A length of time: `1 h 30 min`."""
    hours, rest = divmod(round(length), 60)
    return " ".join(
        part for part in (f"{hours} h" if hours else "", f"{rest} min" if rest or not hours else "") if part
    )


def pool_words(pool: PoolChange) -> str:
    """What becomes of the nodes of a pool, in a few words."""
    if pool.kind is Kind.REMOVED:
        return "all nodes go" if pool.replaced == "all" else "removed, and kept"
    if pool.refused:
        return "a new pool is needed"
    words = {"all": "all nodes are replaced", "some": "some nodes are replaced", "none": "no node is replaced"}
    return "new" if pool.kind is Kind.ADDED else words[pool.replaced]


def is_told(pool: PoolChange) -> bool:
    """Is there anything to say of the pool?"""
    return pool.kind is not None or pool.touches_nodes


def shown(value: Any) -> str:
    """A value of a field on one line; absent where there is none."""
    return (
        "(absent)" if value is None else value if isinstance(value, str) and value else dumps(value, ensure_ascii=False)
    )


def change_lines(change: Change) -> Iterator[str]:
    """The fields of an object that change; what came or went as a whole is one line."""
    for whole, fields in groupby(change.fields, lambda one: one.whole):
        parts = list(fields)
        if len(parts) == 1:
            yield from _field_lines(parts[0])
        else:
            before, after = ({_below(one.path, whole): side(one) for one in parts} for side in _SIDES)
            absent = all(value is None for value in before.values())
            sides = (None, after) if absent else (before, None)
            yield f"{whole}: {shown(sides[0])} -> {shown(sides[1])}"


_SIDES: tuple[Callable[[Field], Any], ...] = (lambda one: one.before, lambda one: one.after)


def _below(path: str, whole: str) -> str:
    return path.removeprefix(whole).removeprefix(".")


def _field_lines(field: Field) -> list[str]:
    """A field that changes; a text of several lines as the lines that differ."""
    texts = (field.before, field.after)
    if any(isinstance(text, str) and "\n" in text for text in texts):
        before, after = (text.splitlines() if isinstance(text, str) else [] for text in texts)
        lines = list(unified_diff(before, after, n=1, lineterm=""))[2:]
        return [f"{field.path}:", *(f"  {line}" for line in lines)]
    return [f"{field.path}: {shown(field.before)} -> {shown(field.after)}"]


def leaving(one: ClusterChange) -> list[str]:
    """What leaves the overlays, by what becomes of it."""
    by_reason: dict[str, list[str]] = {}
    for fate in one.fates:
        by_reason.setdefault(fate.reason, []).append(fate.thing.name)
    return [f"{', '.join(names[:_NAMED])}{_more(names)}: {reason}" for reason, names in by_reason.items()]


_NAMED = 6


def _more(names: Sequence[str]) -> str:
    return f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""


def order(one: ClusterChange) -> str:
    """The layers that change, in the order in which they are applied."""
    return ", ".join(
        step.layer + (f" after {' and '.join(step.after)}" if step.after else "") + (f" ({step.by})" if step.by else "")
        for step in one.steps
    )


def nothing(plan: Planned) -> list[str]:
    """What is said where nothing changes: defaults that are written down, if there are any."""
    silent = [(one.name, change) for one in plan.clusters for change in one.changes if change.is_silent]
    return [f"{name}: {written(change)}" for name, change in silent]


def written(change: Change) -> str:
    """An object that only says now what held without it."""
    return f"{change.thing.name} says what held anyway: {', '.join(change.written)}"


def change_title(change: Change) -> str:
    """`~ NodePool/h100 (nodes)`."""
    return f"{SIGNS[change.kind]} {change.thing.name} ({change.thing.layer})"
