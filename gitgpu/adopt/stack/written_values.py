"""The values that the fleet writes in place of those with which a chart runs: what the first build changes."""

from collections.abc import Iterator
from typing import Any

from gitgpu.access import reach
from gitgpu.adopt.adoption import Adopted, Fate, Outcome, RunningChart
from gitgpu.adopt.field_outcomes import fields
from gitgpu.adopt.stack.chart_versions import known_defaults
from gitgpu.emit.chart.decisions import decision_at
from gitgpu.emit.chart.releases import Release, releases
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.inputs import Inputs
from gitgpu.plan.cluster_plan import plan
from gitgpu.source import Pointer, dotted_text


def with_changes(fleet: Adopted, inputs: Inputs | None) -> Adopted:
    """The fleet with an outcome for each value of a running chart that its release will change."""
    if inputs is None:
        return fleet
    outcomes = list(fleet.outcomes)
    for cluster in inputs.clusters:
        charts = fleet.running.get(cluster.name, ())
        emitted = {release.chart.release: release for release in releases(plan(inputs, cluster))} if charts else {}
        catalog = inputs.catalog_for(cluster)
        for running in charts:
            if release := emitted.get(running.chart):
                values = merge_patch(known_defaults(running.chart, catalog), release.values)
                outcomes = [_compared(outcome, running, values) for outcome in outcomes]
                outcomes += _changes(running, release, values)
    return fleet._replace(outcomes=tuple(outcomes))


def _compared(outcome: Outcome, running: RunningChart, values: Any) -> Outcome:
    """The outcome of a value of this chart; CHANGED if the `values` that its release gets have a different one."""
    if outcome.observed is not running.observed or outcome.decided[:1] != (running.chart,):
        return outcome
    now = reach(values, *outcome.decided[1:])
    was = reach(running.values, *outcome.decided[1:])
    if now is None or was is None or now == was:
        return outcome
    what = "another value" if isinstance(now, dict | list) else value_text(now)
    reason = f"{outcome.reason}; the release gets {what}"
    return outcome._replace(fate=Fate.CHANGED, reason=reason, into=None)


def _changes(running: RunningChart, release: Release, values: Any) -> Iterator[Outcome]:
    """An outcome for each setting that the running release leaves at the default of its chart."""
    reported: set[str] = set()
    for path, _ in fields(release.own):
        was, now = reach(running.defaults, *path), reach(values, *path)
        if reach(running.values, *path) is None and was != now and now is not None:
            setting, why = _setting(running.chart, path)
            if setting not in reported:
                reported.add(setting)
                reason = f"gitgpu sets {setting}{why}"
                yield Outcome(running.observed, Fate.CHANGED, reason, running.pointer)


def _setting(chart: str, path: Pointer) -> tuple[str, str]:
    """What a value belongs to, and what gitgpu decides with it."""
    decision = decision_at(chart, tuple(map(str, path)))
    return (decision.at, f": {decision.meaning}") if decision else (dotted_text(path), "")
