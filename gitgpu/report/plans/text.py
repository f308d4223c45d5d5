"""For people at a terminal: what matters first, then field by field; clusters that change alike are told once."""

from collections.abc import Iterator

from gitgpu.compare import Change, ClusterChange, Kind
from gitgpu.report.alike import alike, amount, title
from gitgpu.report.findings import Style
from gitgpu.report.planned import (
    PlanFormat,
    Planned,
    change_title,
    field_lines,
    head,
    is_told,
    pool_words,
    rolling,
    size,
    totals,
)
from gitgpu.report.screen import fit, paint, printable

_ROOM = 160
_COLOURS = {Kind.ADDED: "32", Kind.CHANGED: "33", Kind.REMOVED: "31"}
_LOSS = {"all": "1;31", "some": "1;33"}


def _render(plan: Planned, style: Style) -> str:
    if not plan.clusters:
        return f"No change against {plan.against}.\n"
    lines = [paint(head(plan.clusters), "1", colour=style.colour), f"against {plan.against}"]
    for names, one in alike(plan.clusters, lambda each: tuple(_body(each, plan.currency, style))):
        lines += ["", paint(title(names), "1;4", colour=style.colour), *_body(one, plan.currency, style)]
    return "".join(f"{line}\n" for line in lines)


def _body(one: ClusterChange, currency: str, style: Style) -> Iterator[str]:
    for pool in one.pools:
        if is_told(pool):
            words = paint(pool_words(pool), _LOSS.get(pool.replaced, "0"), colour=style.colour)
            yield f"  pool {printable(pool.name)}: {words}{size([pool.before]) if pool.touches_nodes else ''}"
            yield f"    {_line(pool.reason)}"
            if told := rolling(pool):
                yield f"    {told}"
    yield from _totals(one, currency)
    yield from (f"  leaves: {_line(fate.thing.name)}: {fate.reason}" for fate in one.fates)
    yield from (f"  also: {_line(effect.object)}: {_line(effect.text)}" for effect in one.effects)
    if one.steps:
        yield f"  order: {_order(one)}"
    for change in one.changes:
        yield from _change(change, style)


def _totals(one: ClusterChange, currency: str) -> Iterator[str]:
    before, after = totals(one.pools, after=False), totals(one.pools, after=True)
    if before.gpus != after.gpus:
        yield f"  GPUs at the limits: {amount(before.gpus)} -> {amount(after.gpus)}"
    if before.price != after.price:
        unit = f"{currency} an hour, on demand".strip()
        yield f"  price at the limits: {amount(before.price)} -> {amount(after.price)} {unit}"


def _order(one: ClusterChange) -> str:
    return ", ".join(
        f"{step.layer}{f' after {chr(32).join(step.after)}' if step.after else ''}{f' ({step.by})' if step.by else ''}"
        for step in one.steps
    )


def _change(change: Change, style: Style) -> Iterator[str]:
    if change.is_silent:
        yield f"  = {_line(change.thing.name)}: says now what held anyway: {_line(', '.join(change.written))}"
        return
    yield "  " + paint(_line(change_title(change)), _COLOURS[change.kind], colour=style.colour)
    for field in change.fields:
        yield from (f"      {_line(line)}" for line in field_lines(field))


def _line(text: str) -> str:
    return fit(printable(text), _ROOM)


FORMAT = PlanFormat("text", _render)
