"""The values of running charts: the outcome of each, and those that `stack.values` has to contain."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.adopt.adoption import Destination, Fate, Outcome, RunningChart
from gitgpu.adopt.field_outcomes import fields
from gitgpu.adopt.stack.chart_versions import known_defaults, why_chart_stays
from gitgpu.adopt.stack.charts import CHARTS, StackChart, known_charts
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import InstalledRelease, installed_releases
from gitgpu.adopt.stack.owned_software import REPLACED, owned_software
from gitgpu.adopt.stack.policy_values import CONFIGS, COUNTERS
from gitgpu.adopt.stack.view import View
from gitgpu.emit.chart.decisions import decision_at
from gitgpu.emit.chart.images import image_values
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.gitops.value_keys import Keys
from gitgpu.plan.chart import chart_image
from gitgpu.source import Pointer, dotted_text

_SECRET = re.compile(r"password|passwd|secret$|token$|apikey|accountkey|connectionstring", re.IGNORECASE)
_OF_AKS = {"keda": "keda", "kaito-workspace": "kaito", "kueue": "kueue"}  # by chart: the key in `Azure.addons`
DECIDED = "gitgpu sets it"  # how the reason starts for a value that gitgpu sets by itself
_UNUSED = "it is omitted: the version of the chart that runs does not use it"
_UNSET: tuple[Any, ...] = (None, [], "", {})


def chart_values(view: View) -> Iterator[Evidence]:
    """Evidence for `stack.values`: the values that are neither defaults of the chart nor set by gitgpu."""
    for installed in _adopted(view):
        chart, release = installed
        stack_chart, read = CHARTS[chart.chart], _keys(release.chart, view)
        for path, value in fields(release.values):
            if value in _UNSET or _why_omitted(path, value, installed, view):
                continue
            why = _why_not(path, stack_chart, read)
            fate, reason = (Fate.INEXPRESSIBLE, why) if why else (Fate.ADOPTED, "")
            place = ("values", chart.chart, *path)
            yield Evidence(place, value, reason, chart.observed, release.place(*path), fate=fate)


def decided_values(view: View) -> Iterator[Outcome]:
    """Outcomes of the other values: gitgpu sets them, or they are defaults of the chart."""
    for installed in _adopted(view):
        chart, release = installed
        where = Destination("Cluster", view.cluster.name, ("spec", "stack", *CHARTS[chart.chart].key))
        for path, value in fields(release.values):
            reason = "not set" if value in _UNSET else _why_omitted(path, value, installed, view)
            if reason:
                decided = (chart.chart, *path) if reason.startswith(DECIDED) else ()
                fate, into = (Fate.CHANGED, None) if reason == _UNUSED else (Fate.ADOPTED, where)
                yield Outcome(chart.observed, fate, reason, release.place(*path), into, decided)


def running_charts(view: View) -> Iterator[RunningChart]:
    """The charts that gitgpu installs in place of those that run."""
    for chart, release in _adopted(view):
        if CHARTS[chart.chart].own:
            defaults = known_defaults(chart.chart, view.catalog)
            configs = dict(_configs(release, view))
            yield RunningChart(
                chart.chart,
                chart.observed,
                release.place(),
                release.values,
                defaults,
                configs,
                release.whole,
                release.version,
            )


def _configs(release: Release, view: View) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The data of the ConfigMaps that a GPU Operator names, whether its chart has created them or not."""
    for path in CONFIGS:
        group = mapping_at(release.values, *path)
        name = str(group.get("name") or "")
        if data := group.get("data"):
            yield name, data if isinstance(data, dict) else {COUNTERS: data}
        for item in view.objects.by_name(*CONFIG_MAP, name):
            if item.identity.namespace in (release.namespace, "") or not release.namespace:
                yield name, mapping_at(item.body, "data")


def _adopted(view: View) -> Iterator[InstalledRelease]:
    """The releases whose values the stack takes over."""
    for installed in installed_releases(view, *known_charts(view)):
        stack_chart = CHARTS[installed.chart.chart]
        part = REPLACED.get(installed.chart.chart)
        if why_chart_stays(installed.chart, view) or (part and owned_software(view, part)):
            continue  # it stays with its owner
        if view.cluster.azure.addons.get(_OF_AKS.get(installed.chart.chart, "")):
            continue  # AKS runs the software, and gitgpu installs no chart of it
        if not stack_chart.drivers or view.has(*stack_chart.drivers):
            yield installed


def _why_omitted(path: Pointer, value: Any, installed: InstalledRelease, view: View) -> str:
    """Why `stack.values` need not contain a value; "" if it has to."""
    chart, release = installed
    if reach(known_defaults(chart.chart, view.catalog), *path) == value:
        return "a default of the chart"
    if _is_of_registry(path, value, release, view):
        return f"{DECIDED} from the registry of the cluster"
    if _is_without_effect(path, installed, view):
        return _UNUSED
    if not _is_decided(path, CHARTS[chart.chart].decided):
        return ""
    decision = decision_at(chart.chart, tuple(map(str, path)))
    return f"{DECIDED}: {decision.meaning}" if decision else f"{DECIDED} from the spec"


def _is_without_effect(path: Pointer, installed: InstalledRelease, view: View) -> bool:
    """Whether the running version of a chart, which gitgpu installs too, does not read a value."""
    keys, version = _keys(installed.chart.chart, view), installed.release.version.removeprefix("v")
    return bool(keys and version == keys.version.removeprefix("v") and _why_unread(path, keys))


def _is_of_registry(path: Pointer, value: Any, release: Release, view: View) -> bool:
    """Whether gitgpu sets this value, so that an image comes from the registry of the cluster."""
    images = chart_row(release, view.objects).get("images", ())
    image_settings = (dict(image_values(chart_image(image), view.registry)) for image in images)
    return any(path in values and values[path] == value for values in image_settings)


def _keys(chart: str, view: View) -> Keys | None:
    """The values that gitgpu's version of the chart reads; None if the catalog does not know them."""
    row = view.catalog.facts("values", chart)
    pinned = next((row for row in view.catalog.rows("charts").values() if row["chart"] == chart), None)
    known = row and pinned and str(pinned["version"]).removeprefix("v") in row["versions"]
    return Keys(row, str(pinned["version"])) if row and pinned and known else None


def is_read(path: Pointer, chart: str, view: View) -> bool:
    """Whether gitgpu's version of a chart reads the value at a path; what is not known is read."""
    return not _why_unread(path, _keys(chart, view))


def _why_not(path: Pointer, stack_chart: StackChart, read: Keys | None) -> str:
    """Why `stack.values` cannot contain a value; "" if it can."""
    dotted = dotted_text(path)
    if not stack_chart.own:
        return f"gitgpu installs a DaemonSet instead of the chart, and has no key for {dotted}"
    if _SECRET.search(str(path[-1])):
        return f"{dotted} may be a secret, which does not belong in a spec"
    return _why_unread(path, read)


def _why_unread(path: Pointer, read: Keys | None) -> str:
    for end, key in enumerate(path):
        names = read.below(tuple(map(str, path[:end]))) if read else frozenset()
        if read and not names:
            return ""  # a mapping that allows any key
        if read and key not in names:
            return f"the version of the chart that gitgpu installs does not use {dotted_text(path)}"
    return ""


def _is_decided(path: Pointer, decided: tuple[str, ...]) -> bool:
    text = dotted_text(path)
    return any(text == prefix or text.startswith(f"{prefix}.") for prefix in decided)
