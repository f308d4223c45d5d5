"""What a newer catalog changes in a fleet: facts, then prices, then objects and nodes."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.compare import ClusterChange
from gitgpu.compare.facts import RowChange
from gitgpu.diagnostic import Diagnostic
from gitgpu.report.catalog.facts import fact_lines, row_change
from gitgpu.report.comparison.planned import Planned
from gitgpu.report.comparison.pools import Totals, growth, totals
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.markdown_text import cell
from gitgpu.report.plan_formats import plan_format_names, render_plan
from gitgpu.report.result import result
from gitgpu.spelling import count_text

FORMS = tuple(name for name in plan_format_names() if name != "html")  # rows of the catalog have no page
_PLAN, _MARK = "<!-- gitgpu plan -->", "<!-- gitgpu catalog diff -->"


class CatalogDiff(NamedTuple):
    """The changed rows that the fleet uses, the number of others, the plan, and findings about the catalog."""

    rows: Sequence[RowChange]
    others: int
    plan: Planned
    notes: Sequence[Diagnostic] = ()

    @property
    def changes(self) -> bool:
        """Whether anything in the fleet changes."""
        return bool(self.rows) or self.plan.changes


def render_diff(diff: CatalogDiff, form: str, style: Style) -> str:
    """The difference as text in one of `FORMS`."""
    changed_clusters = [cluster for cluster in diff.plan.clusters if cluster.is_changed]
    planned = diff.plan._replace(clusters=tuple(changed_clusters))
    if form == "json":
        return _json(diff, render_plan(planned, form, style))
    # Facts can change without any change of the output.
    plan = render_plan(planned._replace(against=f"what is built with {planned.against}"), form, style)
    # The plan shows the prices of clusters that change.
    priced_clusters = [cluster for cluster in diff.plan.clusters if cluster not in changed_clusters]
    if form == "markdown":
        # A comment on a pull request is found by its first mark, so the plan inside of it has none.
        lines = [_MARK, f"**gitgpu catalog diff: {_head(diff)}**", ""]
        for line in (*fact_lines(diff.rows), *_prices(priced_clusters, diff.plan.currency)):
            level = "  " if line.startswith(" ") else ""
            lines.append(f"{level}- {cell(line.strip())}")
        return "".join(f"{line}\n" for line in lines) + f"\n{plan.removeprefix(_PLAN).lstrip()}"
    lines = [_head(diff), *fact_lines(diff.rows), *_prices(priced_clusters, diff.plan.currency), ""]
    return "".join(f"{line}\n" for line in lines) + plan


def _head(diff: CatalogDiff) -> str:
    others = f"; {count_text(diff.others, 'row')} that this fleet does not use" if diff.others else ""
    return f"Facts: {count_text(len(diff.rows), 'row')} of this fleet{others}"


def _prices(clusters: Sequence[ClusterChange], currency: str) -> Iterator[str]:
    for cluster in clusters:
        yield from (f"{cluster.name}: {line}" for line in growth(cluster.pools, currency))


def _at_limits(cluster: ClusterChange) -> dict[str, Any]:
    before, after = totals(cluster.pools, after=False), totals(cluster.pools, after=True)
    return {"cluster": cluster.name, "before": _totals(before), "after": _totals(after)}


def _json(diff: CatalogDiff, plan: str) -> str:
    content = {
        "against": diff.plan.against,
        "facts": [row_change(row) for row in diff.rows],
        "otherRows": diff.others,
        "atLimits": list(map(_at_limits, diff.plan.clusters)),
        "plan": json.loads(plan),
        "findings": [result(note) for note in diff.notes],
    }
    return envelope("CatalogDiff", content)


def _totals(sums: Totals) -> dict[str, float | int | None]:
    return {"gpus": sums.gpus, "pricePerHour": None if sums.price is None else float(round(sums.price, 4))}
