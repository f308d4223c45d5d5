"""Values passed for a chart: which release they belong to, according to the objects that the chart has installed."""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.access import mapping_at, text_at
from gitgpu.adopt.stack.installed import RELEASE, chart_of, version_of_chart
from gitgpu.inventory.observed import Observed, ObservedCluster
from gitgpu.model.names.kinds import HELM_VALUES, group_kind

_NAMESPACE = "meta.helm.sh/release-namespace"


def with_named_releases(clusters: Iterable[ObservedCluster]) -> list[ObservedCluster]:
    """The clusters with the version, the name and the namespace of the release in values that were passed."""
    return [seen._replace(objects=tuple(_named(each, seen.objects) for each in seen.objects)) for seen in clusters]


def _named(observed: Observed, others: Iterable[Observed]) -> Observed:
    body = observed.body
    if group_kind(body) != HELM_VALUES or any(body.get(key) for key in ("of", "id", "version")):
        return observed
    installed = [each for each in others if chart_of(each) == body.get("chart")]
    if len({version_of_chart(each) for each in installed}) != 1:
        return observed  # none, or an upgrade under way
    return observed._replace(body={**body, **_release(installed), "version": version_of_chart(installed[0])})


def _release(installed: Iterable[Observed]) -> Mapping[str, Any]:
    """The name and the namespace of the release, if an object has both. Those that an operator has created do not."""
    for each in installed:
        notes = mapping_at(each.body, "metadata", "annotations")
        if text_at(notes, RELEASE) and text_at(notes, _NAMESPACE):
            return {"release": notes[RELEASE], "namespace": notes[_NAMESPACE]}
    return {}
