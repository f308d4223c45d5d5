"""Values that keep a running chart as it is where gitgpu would set or rely on another value.

They become `stack.values`, which go over the values that gitgpu sets; null removes one that the release does not set.
Without them, the pods of the release restart. Some values are replaced by objects with the same effect, and a release
that serves workloads gets the values that these need.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.adoption import Adopted, ClusterDocument, Destination, Fate, Outcome, RunningChart, SpecDocument
from gitgpu.adopt.field_outcomes import fields
from gitgpu.adopt.stack.chart_versions import known_defaults
from gitgpu.adopt.stack.charts import CHARTS
from gitgpu.adopt.stack.needed_values import needed_values
from gitgpu.adopt.stack.policy_values import CONFIGS, COUNTERS
from gitgpu.emit.chart.decisions import decision_at
from gitgpu.emit.chart.releases import Release, releases
from gitgpu.load.explain.messages import value_text
from gitgpu.load.parse.quick import mapping_in
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.inputs import Inputs
from gitgpu.objects.software.plugin_configs import with_known_case
from gitgpu.plan.cluster_plan import plan
from gitgpu.source import Pointer, dotted_text

_REPLACED: Mapping[str, tuple[Pointer, ...]] = {
    "gpu-operator": (("dcgmExporter", "serviceMonitor"),),  # gitgpu writes the monitor
    "kaito-workspace": (("nvidiaDevicePlugin",), ("clusterName",)),  # gitgpu installs the device plugin
}
_MONITOR: Pointer = ("dcgmExporter", "serviceMonitor")
# Where the worker of Node Feature Discovery runs: on fewer nodes, the others lose the labels that it has set.
_AS_THEY_RUN: Mapping[str, tuple[Pointer, ...]] = {"gpu-operator": (("node-feature-discovery", "worker"),)}
_DEFAULT_DRIVER: Pointer = ("driver", "nvidiaDriverCRD", "deployDefaultCR")
_PLUGIN, _COUNTERS, _LAYOUTS = CONFIGS


class _Kept(NamedTuple):
    """A running value at a path, and what the release would get instead; a value of None removes it."""

    path: Pointer
    value: Any
    instead: Any


def with_kept_values(fleet: Adopted, inputs: Inputs | None) -> Adopted:
    """The fleet with the values that its running charts need to stay as they are."""
    if inputs is None:
        return fleet
    documents, outcomes = list(fleet.documents), list(fleet.outcomes)
    for cluster in inputs.clusters:
        charts = fleet.running.get(cluster.name, ())
        if not charts:
            continue
        planned, catalog = plan(inputs, cluster), inputs.catalog_for(cluster)
        emitted = {release.chart.release: release for release in releases(planned)}
        for running in charts:
            if release := emitted.get(running.chart):
                defaults = known_defaults(running.chart, catalog)
                whole = _AS_THEY_RUN.get(running.chart, ())
                metrics = cluster.stack.metrics
                if running.chart == "gpu-operator" and (metrics.scrape == "none" or not metrics.exporter):
                    whole = (*whole, _MONITOR)  # nothing takes the place of the one that the chart may create
                needed = needed_values(running, planned, catalog)
                kept_values = [
                    value for value in _kept(running, release, defaults, whole) if not _is_below(value, needed)
                ]
                documents = [_with_values(entry, cluster.name, running.chart, kept_values) for entry in documents]
                outcomes = [
                    outcome for outcome in outcomes if not _is_about(outcome, running, cluster.name, kept_values)
                ]
                outcomes = [_left_to_owner(outcome, running, kept_values) for outcome in outcomes]
                outcomes += [_outcome(value, running, cluster.name) for value in kept_values]
    return fleet._replace(documents=tuple(documents), outcomes=tuple(outcomes))


def _kept(
    running: RunningChart, release: Release, defaults: Mapping[str, Any], whole: tuple[Pointer, ...]
) -> Iterator[_Kept]:
    """The values to keep; those at the paths in `whole` stay as they are, set or not."""
    ran, gets = merge_patch(running.defaults, running.values), merge_patch(defaults, release.values)
    groups = [path for path in CONFIGS if running.chart == "gpu-operator" and reach(running.values, *path, "name")]
    for group in groups:
        yield from _kept_config(group, running, mapping_at(ran, *group), mapping_at(gets, *group))
    for path in whole:
        if reach(ran, *path) != reach(gets, *path):
            yield _Kept(path, reach(running.values, *path), reach(gets, *path))
    left = (*groups, *whole, *_REPLACED.get(running.chart, ()))
    if reach(release.own, *_DEFAULT_DRIVER) is False:  # gitgpu writes NVIDIADrivers in place of the default one
        left = (*left, _DEFAULT_DRIVER)
    yield from _single_values(running, release, (ran, gets), left)


def _single_values(
    running: RunningChart, release: Release, sides: tuple[Any, Any], left: tuple[Pointer, ...]
) -> Iterator[_Kept]:
    """The values to keep apart from those below the paths in `left`."""
    ran, gets = sides
    unset: set[Pointer] = set()
    for path in _paths(running, release):
        was, now = reach(ran, *path), reach(gets, *path)
        if was == now or any(path[: len(above)] == above for above in left):
            continue
        if was is None:
            unset.add(_decided(path, running.chart, ran))
        elif (value := _joined(path, was, now)) != now:
            is_default = reach(running.values, *path) is None and path[-1] == "tolerations"
            yield _Kept(path, None if is_default else value, now)
    for path in sorted(unset):
        if not any(path[:end] in unset for end in range(len(path))):  # removed with what is above it
            yield _Kept(path, None, reach(gets, *path))


def _is_below(kept: _Kept, needed: tuple[Pointer, ...]) -> bool:
    """Whether it removes a value that the release needs."""
    return kept.value is None and any(kept.path[: len(above)] == above for above in needed)


def _decided(path: Pointer, chart: str, ran: Any) -> Pointer:
    """The path of the whole decision that a value is part of, if the release sets nothing of it; else its own path."""
    decision = decision_at(chart, tuple(map(str, path)))
    whole = tuple(decision.at.split(".")) if decision else path
    return path if reach(ran, *whole) else whole


def _paths(running: RunningChart, release: Release) -> Iterator[Pointer]:
    """The paths that gitgpu sets or that its spec decides, which are not in `stack.values` yet."""
    decided = [tuple(path.split(".")) for path in CHARTS[running.chart].decided]
    paths = [path for path, _ in fields(release.own)]
    paths += [path for path, _ in fields(running.values) if any(path[: len(above)] == above for above in decided)]
    return iter(dict.fromkeys(paths))


def _joined(path: Pointer, was: Any, now: Any) -> Any:
    """The value that keeps what runs: rules have the entries of both sides, because each serves its own workloads."""
    if path[-1] != "rules":
        return was
    names = {reach(entry, "name") for entry in list_at(was)}
    return [*list_at(was), *(entry for entry in list_at(now) if reach(entry, "name") not in names)]


def _kept_config(
    group: Pointer, running: RunningChart, was: Mapping[str, Any], now: Mapping[str, Any]
) -> Iterator[_Kept]:
    """The ConfigMap that a GPU Operator reads, unless the one that gitgpu creates has the same content."""
    data = running.configs.get(str(was["name"]))
    ours = now.get("data")
    if data is not None and ours and _SAME[group](data, ours, str(was.get("default")), str(now.get("default"))):
        return
    removed = dict.fromkeys(key for key in now if key not in was)
    value = {**removed, **{key: value for key, value in was.items() if now.get(key) != value}}
    if value:
        yield _Kept(group, value, now)


def _same_counters(data: Mapping[str, Any], ours: Any, *_: str) -> bool:
    return _names(data.get(COUNTERS)) == _names(ours)


def _names(text: Any) -> set[str]:
    lines = (line.partition(",")[0].strip() for line in str(text or "").splitlines())
    return {name for name in lines if name and not name.startswith("#")}


def _same_plugin(data: Mapping[str, Any], ours: Any, default: str, our_default: str) -> bool:
    """Whether the device plugin gets the same configuration by every name, and without a name."""
    was = {name: with_known_case(mapping_in(text)) for name, text in data.items()}
    now = {name: with_known_case(mapping_in(text)) for name, text in mapping_at(ours).items()}
    by_default = was.pop(default, {}), now.pop(our_default, {})
    return was.items() <= now.items() and mapping_at(by_default[0], "sharing") == mapping_at(
        by_default[1].get("sharing")
    )


def _same_layouts(data: Mapping[str, Any], ours: Any, *_: str) -> bool:
    was, now = (mapping_at(mapping_in(reach(texts, "config.yaml")).get("mig-configs")) for texts in (data, ours))
    return was.items() <= now.items()


_SAME: Mapping[Pointer, Callable[[Mapping[str, Any], Any, str, str], bool]] = {
    _PLUGIN: _same_plugin,
    _COUNTERS: _same_counters,
    _LAYOUTS: _same_layouts,
}


def _with_values(entry: ClusterDocument, cluster: str, chart: str, kept: list[_Kept]) -> ClusterDocument:
    """The Cluster with the values in its stack, and a comment at each."""
    document: SpecDocument = entry.document
    if document.kind != "Cluster" or document.name != cluster or not kept:
        return entry
    spec, comments = dict(document.spec), dict(document.comments)
    for value in kept:
        path: Pointer = ("stack", "values", chart, *value.path)
        spec = _with(spec, path, value.value)
        comments["spec", *path] = f"Kept: {_reason(value)}."
    return entry._replace(document=document._replace(spec=spec, comments=comments))


def _with(spec: Any, path: Pointer, value: Any) -> dict[str, Any]:
    """The mapping with a value at a path. Not `merge_patch`: a null in the value stays, because it removes one."""
    key, *rest = path
    if rest:
        value = _with(reach(spec, str(key)), tuple(rest), value)
    return {**mapping_at(spec), str(key): value}


def _is_about(outcome: Outcome, running: RunningChart, cluster: str, kept: list[_Kept]) -> bool:
    """Whether an outcome says that gitgpu sets a value that is kept now."""
    if not outcome.decided or not outcome.into or outcome.into.name != cluster:
        return False
    chart, *path = outcome.decided
    return chart == running.chart and any(tuple(path[: len(value.path)]) == value.path for value in kept)


def _left_to_owner(outcome: Outcome, running: RunningChart, kept: list[_Kept]) -> Outcome:
    """The outcome of a ConfigMap that the release continues to read: it stays with its owner."""
    names = {reach(value.value, "name") for value in kept if value.path in CONFIGS}
    body = outcome.observed.body
    if body.get("kind") == "ConfigMap" and not outcome.pointer and reach(body, "metadata", "name") in names:
        reason = f"the chart {running.chart} of the fleet reads it: keep it"
        return outcome._replace(fate=Fate.LEFT, reason=reason, into=None)
    return outcome


def _outcome(value: _Kept, running: RunningChart, cluster: str) -> Outcome:
    into = Destination("Cluster", cluster, ("spec", "stack", "values", running.chart, *value.path))
    written = reach(running.values, *value.path) is not None
    pointer = (*running.pointer, *value.path) if written else running.pointer
    return Outcome(running.observed, Fate.ADOPTED if written else Fate.INFERRED, _reason(value), pointer, into)


def _reason(value: _Kept) -> str:
    dotted = dotted_text(value.path)
    if value.value is None:
        return f"the running release does not set {dotted}, which gitgpu would"
    if isinstance(value.value, dict | list):
        return f"the running release keeps its {dotted}, which gitgpu would change"
    instead = "another value" if isinstance(value.instead, dict | list) else f"{value_text(value.instead)}"
    return f"the running release has {dotted}: {value_text(value.value)}; gitgpu would set {instead}"
