"""For pull requests: a table of what happens to nodes, followed by the fields in folded sections."""

import re
from collections.abc import Iterator
from functools import partial

from gitgpu.compare import Change, ClusterChange
from gitgpu.report.comparison.objects import change_lines, change_title, defaults_line, leaving, nothing, order
from gitgpu.report.comparison.planned import PlanFormat, Planned
from gitgpu.report.comparison.pools import growth, head, is_reported, pool_text, rolling, size, upgrading
from gitgpu.report.comparison.totals import total_line
from gitgpu.report.comparison.transitions import step_lines, step_title
from gitgpu.report.findings import Style
from gitgpu.report.markdown_text import cell
from gitgpu.report.same_clusters import group_same, title
from gitgpu.report.terminal import fit, printable
from gitgpu.spelling import count_text

MARK = "<!-- gitgpu plan -->"  # to find the comment again, and update it
_MAX_CHARACTERS = 60_000  # characters; a comment on GitHub holds 65,536
_MAX_COLUMNS = 500  # columns of a line of a field
# A fence must be longer than any row of backticks inside it.
_BACKTICKS = re.compile("`+")


def _render(plan: Planned, _style: Style) -> str:
    if not plan.changes:
        notes = [f"- {cell(line)}" for line in nothing(plan)]
        lines = [MARK, f"**gitgpu plan: no changes** compared with {cell(plan.against)}."]
        if notes:
            lines += ["", *notes]
        return "".join(f"{line}\n" for line in lines)
    full, short = (_report(plan, whole=whole) for whole in (True, False))
    if len(full) <= _MAX_CHARACTERS:
        return full
    end = len(short) if len(short) <= _MAX_CHARACTERS else short.rfind("\n", 0, _MAX_CHARACTERS) + 1
    why = "Truncated: " if end < len(short) else "Too long to show field by field: "
    return f"{short[:end]}\n{why}run `gitgpu plan` to see everything.\n"


def _report(plan: Planned, *, whole: bool) -> str:
    """The whole report, or the report without fields. In the latter, clusters that lose nodes come first."""
    lines = [MARK, f"**gitgpu plan: {cell(head(plan.clusters))}**", ""]
    lines.append(f"{count_text(len(plan.clusters), 'cluster')}, compared with {cell(plan.against)}.")
    if limits := total_line(plan.clusters, plan.currency, plan.today):
        lines += ["", f"{cell(limits)}."]
    for step in plan.steps:
        lines += ["", f"**{cell(step_title(step))}**", "", *(f"- {cell(line)}" for line in step_lines(step))]
    section = partial(_cluster, plan=plan, whole=whole)
    for ring in plan.by_ring():
        if plan.rings:
            lines += ["", f"## {cell(ring.title)}"]
        clusters = ring.clusters if whole else sorted(ring.clusters, key=_harmless)
        for same in group_same(clusters, lambda cluster: tuple(section(cluster))):
            lines += ["", f"### {cell(title([cluster.name for cluster in same]))}", "", *section(same[0])]
    return "".join(f"{line}\n" for line in lines)


def _harmless(cluster: ClusterChange) -> bool:
    return not any(pool.touches_nodes for pool in cluster.pools)


def _cluster(cluster: ClusterChange, plan: Planned, *, whole: bool) -> Iterator[str]:
    rows = list(_rows(cluster))
    if rows:
        yield from ("| pool | nodes | why | how |", "| --- | --- | --- | --- |", *rows, "")
    facts = [f"- {cell(line)}" for line in growth(cluster.pools, plan.currency, plan.today)]
    facts += _others(cluster)
    if facts:
        yield from (*facts, "")
    if whole and cluster.changes:
        yield from _details(cluster)


def _rows(cluster: ClusterChange) -> Iterator[str]:
    for pool in cluster.pools:
        if is_reported(pool):
            lost = f"**{pool_text(pool)}**{size([pool.before])}" if pool.touches_nodes else pool_text(pool)
            yield f"| {cell(pool.name)} | {lost} | {cell(pool.reason)} | {cell(rolling(pool))} |"


def _others(cluster: ClusterChange) -> Iterator[str]:
    for pool in cluster.pools:
        yield from (f"- stops on the nodes of {cell(pool.name)}: {cell(line)}" for line in pool.stops)
    yield from (f"- leaves: {cell(line)}" for line in leaving(cluster))
    yield from (f"- {cell(effect.object)}: {cell(effect.text)}" for effect in cluster.effects)
    for index, line in enumerate(upgrading(cluster.upgrade) if cluster.upgrade else ()):
        yield f"- {cell(line)}" if not index else f"  - {cell(line)}"
    if cluster.steps:
        yield f"- in this order: {cell(order(cluster))}"


def _details(cluster: ClusterChange) -> list[str]:
    lines: list[str] = []
    for change in cluster.changes:
        lines += _change(change)
    longest = max(map(_run, lines))
    fence = "`" * max(3, longest + 1)  # a fence ends at the next run of as many backticks
    summary = f"<summary>{count_text(len(cluster.changes), 'object')}, field by field</summary>"
    return ["<details>", summary, "", f"{fence}diff", *lines, fence, "", "</details>"]


def _change(change: Change) -> Iterator[str]:
    if change.is_silent:
        yield _line(f"# {defaults_line(change)}")
        return
    # In a diff, GitHub colours lines that start with an exclamation mark, but not those with a tilde.
    yield _line(change_title(change).replace("~", "!", 1))
    yield from (_line(f"    {line}") for line in change_lines(change))


def _line(text: str) -> str:
    return fit(printable(text), _MAX_COLUMNS)


def _run(line: str) -> int:
    """The longest run of backticks in a line."""
    return max(map(len, _BACKTICKS.findall(line)), default=0)


FORMAT = PlanFormat("markdown", _render)
