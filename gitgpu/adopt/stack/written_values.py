"""The values that the fleet writes in place of chart values that gitgpu sets by itself."""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.adopt.adoption import Fate, Outcome
from gitgpu.compare.snapshot import at
from gitgpu.emit.chart.releases import releases
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.inputs import Inputs
from gitgpu.plan import plan


def with_written(outcomes: Iterable[Outcome], inputs: Inputs | None) -> tuple[Outcome, ...]:
    """The outcomes, with the value that a release gets if it differs from the one that was read."""
    all_outcomes = tuple(outcomes)
    names = {outcome.into.name for outcome in all_outcomes if outcome.decided and outcome.into}
    if inputs is None or not names:
        return all_outcomes
    written = {cluster.name: _values(inputs, cluster.name) for cluster in inputs.clusters if cluster.name in names}
    return tuple(_compared(outcome, written) for outcome in all_outcomes)


def _values(inputs: Inputs, name: str) -> dict[str, Any]:
    """The values of each release of a cluster, on top of those defaults of its chart that the catalog knows."""
    [cluster] = [cluster for cluster in inputs.clusters if cluster.name == name]
    rows = inputs.catalog_for(cluster).rows("charts")
    return {
        release.chart.release: merge_patch(rows.get(release.chart.release, {}).get("defaults") or {}, release.values)
        for release in releases(plan(inputs, cluster))
    }


def _compared(outcome: Outcome, written: Mapping[str, Any]) -> Outcome:
    """The outcome of a value; if the release gets another value, LEFT with that value as the reason."""
    if not (outcome.decided and outcome.into):
        return outcome
    now = at(written.get(outcome.into.name), *map(str, outcome.decided))
    was = at(outcome.observed.body, *map(str, outcome.pointer))
    if now is None or was is None or now == was:
        return outcome
    what = "another value" if isinstance(now, dict | list) else value_text(now)
    return outcome._replace(fate=Fate.LEFT, reason=f"{outcome.reason}; the release gets {what}", into=None)
