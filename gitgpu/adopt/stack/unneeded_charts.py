"""Running charts that the stack knows and that nothing in the fleet needs: a build would not install them."""

from collections.abc import Iterator, Mapping, Sequence

from gitgpu.adopt.adoption import Adopted, Fate, Outcome
from gitgpu.adopt.stack.chart_sources import sources_of
from gitgpu.emit.chart.releases import releases
from gitgpu.inventory.observed import Observed
from gitgpu.model.inputs import Inputs
from gitgpu.plan.cluster_plan import plan


def without_unneeded_charts(
    fleet: Adopted, inputs: Inputs | None, running: Mapping[str, Sequence[Observed]]
) -> Adopted:
    """The fleet, in which these and their sources stay with their owners. `running` are the objects by Cluster."""
    reasons: dict[int, str] = {}
    used: set[int] = set()
    for cluster in inputs.clusters if inputs else ():
        charts = fleet.running.get(cluster.name, ())
        installed = (
            {release.chart.release for release in releases(plan(inputs, cluster))} if inputs and charts else set()
        )
        for chart in charts:
            objects = [chart.observed, *sources_of(chart.observed.body, running.get(cluster.name, ()))]
            if chart.chart in installed:
                used.update(map(id, objects))
            else:
                reason = f"nothing in the fleet needs {chart.chart}, so gitgpu would not install it"
                reasons |= dict.fromkeys(map(id, objects), reason)
    left = {key: reason for key, reason in reasons.items() if key not in used}
    return fleet._replace(outcomes=tuple(_outcomes(fleet, left))) if left else fleet


def _outcomes(fleet: Adopted, left: Mapping[int, str]) -> Iterator[Outcome]:
    said: set[int] = set()
    for outcome in fleet.outcomes:
        reason = left.get(id(outcome.observed))
        if reason is None or outcome.fate is not Fate.ADOPTED:
            yield outcome
        elif id(outcome.observed) not in said:
            said.add(id(outcome.observed))
            yield Outcome(outcome.observed, Fate.LEFT, reason)
