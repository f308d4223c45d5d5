"""For reviewers: one HTML page with what needs attention, the waves in which nodes are replaced, and every field."""

from collections.abc import Iterator, Sequence

from gitgpu.compare import Change, ClusterChange, Kind, PoolChange, Rollout
from gitgpu.report.comparison.objects import change_lines, change_title, defaults_line, leaving, nothing, order
from gitgpu.report.comparison.planned import PlanFormat, Planned
from gitgpu.report.comparison.pools import growth, head, is_reported, pool_text, rolling, rollout_text, size, upgrading
from gitgpu.report.comparison.timeline import length, paused_week, waves
from gitgpu.report.comparison.totals import total_line
from gitgpu.report.comparison.transitions import step_lines, step_title
from gitgpu.report.findings import Style
from gitgpu.report.html.document import document
from gitgpu.report.html.markup import escape
from gitgpu.report.html.table import table
from gitgpu.report.same_clusters import group_same, title
from gitgpu.report.terminal import fit
from gitgpu.spelling import count_text

_COLUMNS = 500  # of a line of a field
_MOST_LINES = 12  # of what needs attention, for each kind of problem
_HEADERS = ("Pool", "Nodes", "Why", "How")


def _render(plan: Planned, _style: Style) -> str:
    chips = "".join(f"<li>{escape(part)}</li>" for part in head(plan.clusters).split("; "))
    against = f'<ul class="facts"><li>compared with {escape(plan.against)}</li></ul>'
    top = f"<header><div><h1>What does this change do?</h1>{against}</div>"
    if not plan.changes:
        notes = "".join(f"<p>{escape(line)}</p>\n" for line in nothing(plan))
        return document("gitgpu plan", f"{top}</header>\n<section><h2>No changes</h2>{notes}</section>\n")
    body = f'{top}<ul class="chips">{chips}</ul></header>\n{_attention(plan)}{_totals(plan)}{_timeline(plan)}'
    return document("gitgpu plan", body + "".join(_sections(plan)))


def _attention(plan: Planned) -> str:
    items = [f'<li class="{level}">{escape(text)}.</li>' for level, text in _urgent(plan)]
    items = items or ['<li class="schedulable">Nothing: no node is replaced or removed, and nothing stops.</li>']
    return f'<section><h2>What needs attention</h2>\n<ul class="attention">{"".join(items)}</ul></section>\n'


def _urgent(plan: Planned) -> Iterator[tuple[str, str]]:
    """How urgent it is, and a sentence: first what happens to nodes, then upgrades of software."""
    clusters: dict[str, list[str]] = {}
    for cluster in plan.clusters:
        for line in _losses(cluster):
            clusters.setdefault(line, []).append(cluster.name)
    for line, names in list(clusters.items())[:_MOST_LINES]:
        yield "unschedulable", f"{line} ({title(names)})"
    if len(clusters) > _MOST_LINES:
        yield "unschedulable", f"{len(clusters) - _MOST_LINES:,} more are below"
    for step in plan.steps:
        if step.transition.actions or step.transition.breaking:
            yield "uncertain", step_title(step)


def _losses(cluster: ClusterChange) -> Iterator[str]:
    """What nodes lose. Clusters often have the same lines."""
    for pool in cluster.pools:
        if pool.touches_nodes:
            yield f"pool {pool.name}: {pool_text(pool)}{size([pool.before])}: {pool.reason}"
            if pool.roll and pool.roll.blocked:
                yield f"pool {pool.name}: {rolling(pool)}"
        yield from (f"pool {pool.name}: stops on its nodes: {line}" for line in pool.stops)
    if cluster.upgrade and cluster.upgrade.back:
        yield from upgrading(cluster.upgrade)


def _totals(plan: Planned) -> str:
    text = total_line(plan.clusters, plan.currency, plan.today)
    return f"<section><h2>The fleet</h2>\n<p>{escape(text)}.</p></section>\n" if text else ""


def _timeline(plan: Planned) -> str:
    """The pools whose nodes Karpenter replaces: their waves side by side, and when budgets pause them."""
    rolls: dict[tuple[str, str, Rollout], list[str]] = {}
    for ring in plan.by_ring():
        for cluster in ring.clusters:
            for pool in cluster.pools:
                if pool.roll and pool.touches_nodes and pool.kind is not Kind.REMOVED:
                    rolls.setdefault((ring.name, pool.name, pool.roll), []).append(cluster.name)
    if not rolls:
        return ""
    in_minutes = all(roll.minutes is not None for _, _, roll in rolls if roll.waves)
    longest = max(length(roll, in_minutes=in_minutes) for _, _, roll in rolls)
    headers = ("Pool", "How", "Waves, by time" if in_minutes else "Waves", "A week (UTC): when it is paused")
    rows = []
    for (ring_name, name, roll), clusters in rolls.items():
        where = escape(f"{f'ring {ring_name}, ' if ring_name else ''}{title(clusters)}")
        pictures = [waves(roll, longest, in_minutes=in_minutes) or "&ndash;", paused_week(roll) or "&ndash;"]
        rows.append([f"{escape(name)} <small>{where}</small>", escape(rollout_text(roll)), *pictures])
    after = "Rings follow each other. " if plan.rings else ""
    note = f'<p class="none">{after}Pools are replaced at the same time, each in its own waves.</p>'
    return f"<section><h2>How nodes are replaced</h2>\n{table('Waves', headers, rows)}{note}</section>\n"


def _sections(plan: Planned) -> Iterator[str]:
    for step in plan.steps:
        lines = "".join(f"<li>{escape(line)}</li>" for line in step_lines(step))
        yield f"<section><h2>{escape(step_title(step))}</h2>\n<ul>{lines}</ul></section>\n"
    for ring in plan.by_ring():
        if plan.rings:
            yield f"<h2>{escape(ring.title)}</h2>\n"
        for same in group_same(ring.clusters, lambda cluster: _cluster(cluster, plan)):
            names = title([cluster.name for cluster in same])
            yield f"<section><h2>{escape(names)}</h2>\n{_cluster(same[0], plan)}</section>\n"


def _cluster(cluster: ClusterChange, plan: Planned) -> str:
    pools = [_pool(pool) for pool in cluster.pools if is_reported(pool)]
    facts = "".join(f"<li>{escape(line)}</li>" for line in _facts(cluster, plan))
    facts = f"<ul>{facts}</ul>\n" if facts else ""
    return f"{table('Pools', _HEADERS, pools)}{facts}{_fields(cluster.changes)}"


def _pool(pool: PoolChange) -> list[str]:
    nodes = pool_text(pool) + (size([pool.before]) if pool.touches_nodes else "")
    return [escape(text) for text in (pool.name, nodes, pool.reason, rolling(pool))]


def _facts(cluster: ClusterChange, plan: Planned) -> Iterator[str]:
    yield from growth(cluster.pools, plan.currency, plan.today)
    for pool in cluster.pools:
        yield from (f"stops on the nodes of {pool.name}: {line}" for line in pool.stops)
    yield from (f"leaves: {line}" for line in leaving(cluster))
    yield from (f"{effect.object}: {effect.text}" for effect in cluster.effects)
    yield from upgrading(cluster.upgrade) if cluster.upgrade else ()
    if cluster.steps:
        yield f"in this order: {order(cluster)}"


def _fields(changes: Sequence[Change]) -> str:
    if not changes:
        return ""
    lines: list[str] = []
    for change in changes:
        if change.is_silent:
            lines.append(defaults_line(change))
            continue
        lines.append(change_title(change))
        lines += [f"    {line}" for line in change_lines(change)]
    text = "\n".join(escape(fit(line, _COLUMNS)) for line in lines)
    summary = f"<summary>{count_text(len(changes), 'object')}, field by field</summary>"
    return f"<details>{summary}<pre>{text}</pre></details>\n"


FORMAT = PlanFormat("html", _render)
