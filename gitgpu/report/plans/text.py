"""For people at a terminal: what matters first, then field by field; clusters with the same changes are shown once."""

from collections.abc import Iterator

from gitgpu.compare import Change, ClusterChange, Kind
from gitgpu.report.comparison.objects import change_lines, change_title, defaults_line, leaving, nothing, order
from gitgpu.report.comparison.planned import PlanFormat, Planned
from gitgpu.report.comparison.pools import growth, head, is_reported, pool_text, rolling, size, upgrading
from gitgpu.report.comparison.totals import total_line
from gitgpu.report.comparison.transitions import step_lines, step_title
from gitgpu.report.findings import Style
from gitgpu.report.same_clusters import group_same, title
from gitgpu.report.terminal import fit, paint, printable
from gitgpu.spelling import count_text

_ROOM = 1000  # columns: a terminal wraps, and more is not readable
_COLOURS = {Kind.ADDED: "32", Kind.CHANGED: "35", Kind.REMOVED: "31"}
_LOSS = {"all": "1;31", "some": "1;35"}


def _render(plan: Planned, style: Style) -> str:
    if not plan.changes:
        lines = [f"No changes compared with {plan.against}.", *nothing(plan)]
        return "".join(f"{_line(line)}\n" for line in lines)
    lines = [_line(f"{count_text(len(plan.clusters), 'cluster')}, compared with {plan.against}")]
    for step in plan.steps:
        lines += ["", _line(step_title(step)), *(f"  {_line(line)}" for line in step_lines(step))]
    for ring in plan.by_ring():
        if plan.rings:
            lines += ["", paint(_line(ring.title), "1", colour=style.colour)]
        for same in group_same(ring.clusters, lambda changes: tuple(_body(changes, plan, style))):
            names = title([cluster.name for cluster in same])
            lines += ["", paint(_line(names), "1;4", colour=style.colour), *_body(same[0], plan, style)]
    lines.append("")
    if limits := total_line(plan.clusters, plan.currency, plan.today):
        lines.append(_line(limits))
    lines += [paint(f"Plan: {head(plan.clusters)}", "1", colour=style.colour)]
    return "".join(f"{line}\n" for line in lines)


def _body(cluster: ClusterChange, plan: Planned, style: Style) -> Iterator[str]:
    for pool in cluster.pools:
        if is_reported(pool):
            text = paint(pool_text(pool), _LOSS.get(pool.replaced, "0"), colour=style.colour)
            yield f"  pool {printable(pool.name)}: {text}{size([pool.before]) if pool.touches_nodes else ''}"
            if pool.kind is not Kind.ADDED:  # that it is new is said
                yield f"    {_line(pool.reason)}"
            if rollout := rolling(pool):
                yield f"    {_line(rollout)}"
            yield from (f"    stops on its nodes: {_line(line)}" for line in pool.stops)
    yield from (f"  {line}" for line in growth(cluster.pools, plan.currency, plan.today))
    yield from (f"  leaves: {_line(line)}" for line in leaving(cluster))
    yield from (f"  also: {_line(effect.object)}: {_line(effect.text)}" for effect in cluster.effects)
    for index, line in enumerate(upgrading(cluster.upgrade) if cluster.upgrade else ()):
        yield f"  upgrade: {_line(line)}" if not index else f"    {_line(line)}"
    if cluster.steps:
        yield f"  order: {_line(order(cluster))}"
    for change in cluster.changes:
        yield from _change(change, style)


def _change(change: Change, style: Style) -> Iterator[str]:
    if change.is_silent:
        yield f"  = {_line(defaults_line(change))}"
        return
    sign, _, name = _line(change_title(change)).partition(" ")
    yield f"  {paint(sign, _COLOURS[change.kind], colour=style.colour)} {name}"
    yield from (f"      {_line(line)}" for line in change_lines(change))


def _line(text: str) -> str:
    return fit(printable(text), _ROOM)


FORMAT = PlanFormat("text", _render)
