"""What the first build does to the charts of a cluster: values, versions, and charts that it starts.

An operator writes the values of its operands into the pod templates of their DaemonSets, so that their pods restart.
Which values belong to which operand is in the catalog (`operands`).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach
from gitgpu.adopt.adoption import RunningChart
from gitgpu.adopt.field_outcomes import fields
from gitgpu.adopt.first_build.forecast import Forecast
from gitgpu.adopt.first_build.software_change import Effect, SoftwareChange
from gitgpu.adopt.replaced import CHARTS, HelmRelease, helm_release
from gitgpu.adopt.stack.chart_versions import EXACT, known_defaults
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.values import is_read, running_charts
from gitgpu.adopt.stack.view import View
from gitgpu.emit.chart.decisions import INSTALLED_BY, decision_at
from gitgpu.emit.chart.releases import Release, releases
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.catalog import Facts
from gitgpu.model.names.kinds import POD_MONITOR, SCRAPE_CONFIG, SERVICE_MONITOR
from gitgpu.model.software.names import DRA_DRIVER, NODE_FEATURE_DISCOVERY
from gitgpu.model.syntax.version import version
from gitgpu.objects.gitops.releases import Release as RunningRelease
from gitgpu.objects.monitoring.monitors import exporter_monitors
from gitgpu.source import Pointer, dotted_text

_MAX_LINE = 300  # characters: a longer value is not shown as a line to copy
_MONITORS = (SERVICE_MONITOR.kind, POD_MONITOR.kind, SCRAPE_CONFIG.kind)
_OPERATED: Mapping[str, tuple[str, ...]] = {"gpu-operator": ("operator",), "amd-gpu-operator": ("operator",)}
_ON_NODES = ("dra-driver-nvidia-gpu", "network-operator", NODE_FEATURE_DISCOVERY)
_OFF: Mapping[str, str] = {
    "keda": "stack.keda: none",
    "kueue": "stack.queues: none",
    "kaito-workspace": "stack.kaito: none",
    "keda-kaito-scaler": "stack.kaito: none",
    "kaito-ragengine": "stack.kaito: none",
    "prometheus-adapter": "stack.adapter: none",
    NODE_FEATURE_DISCOVERY: "stack.discovery: none",
    "dra-driver-nvidia-gpu": "stack.allocation: device-plugin",
}  # the line that keeps the chart out


class _Setting(NamedTuple):
    """A setting of a release that changes: its path, what it was (None if it was not set), and what it gets."""

    path: Pointer
    was: Any
    now: Any


def chart_changes(forecast: Forecast) -> Iterator[SoftwareChange]:
    """A change for each release that gets a different version or other values, and for each chart that does not run."""
    emitted = {release.chart.release: release for release in releases(forecast.plan)}
    running = {chart.chart: chart for chart in running_charts(forecast.view)}
    for name, release in emitted.items():
        if name in running:
            yield from _release_changes(running[name], release, forecast)
        else:
            yield _without_values(release, forecast)


def _release_changes(running: RunningChart, release: Release, forecast: Forecast) -> Iterator[SoftwareChange]:
    row = forecast.view.catalog.must("charts", running.chart)
    change = SoftwareChange(
        cluster=forecast.plan.cluster.name,
        title=running.observed.name,
        effect=Effect.RESTARTS,
        reason="",
        span=running.observed.places.span(running.pointer),
        pools=_pools(running.chart, forecast),
        certain=running.whole,
    )
    if other := _other_release(running, forecast):
        reason = f"release {other.name} in namespace {other.namespace} takes its place, once this one is uninstalled"
        # Without the DRA driver, a device plugin would start too.
        avoid = "" if running.chart == DRA_DRIVER else _OFF.get(running.chart, "")
        yield change._replace(effect=Effect.REPLACED, reason=reason, avoid=avoid)
    yield from _version(change, running, release)
    for setting in _settings(running, release, known_defaults(running.chart, forecast.view.catalog)):
        if not is_read(setting.path, row["chart"], forecast.view):
            continue  # the running release does not read it either, unless its version changes
        parts = _parts(setting, row)
        avoid = f"stack.values.{running.chart}.{dotted_text(setting.path)}: {_line(setting.was)}"
        effect = Effect.RESTARTS if row.get("operands") is None or parts else Effect.CHANGES
        setting_change = change._replace(
            effect=effect, parts=parts, reason=_reason(setting, running.chart), avoid=avoid
        )
        is_off = setting.path[-1] == "serviceMonitor" and reach(setting.now, "enabled") is False
        yield _scraping(setting_change, running, forecast) if is_off else setting_change


def _other_release(running: RunningChart, forecast: Forecast) -> HelmRelease | None:
    """The release of Helm that the fleet installs, if its name or namespace differs from the running one."""
    own = helm_release(running.observed.body) if running.observed.body["kind"] in CHARTS else None
    if own and own.chart and own.name and own.namespace:
        for body in forecast.bodies:
            new = helm_release(body) if body["kind"] in CHARTS else None
            if new and new.chart == own.chart and new != own:
                return new
    return None


def _settings(running: RunningChart, release: Release, defaults: Facts) -> Iterator[_Setting]:
    """The settings that change; values of one decision are one setting."""
    ran = merge_patch(running.defaults, running.values)
    gets = merge_patch(defaults, release.values)
    found: dict[Pointer, _Setting] = {}
    for path in dict.fromkeys(path for side in (release.values, running.values) for path, _ in fields(side)):
        if (reach(ran, *path) or None) != (reach(gets, *path) or None):  # an empty mapping sets nothing
            decision = decision_at(running.chart, tuple(map(str, path)))
            whole = tuple(decision.at.split(".")) if decision else path
            found.setdefault(whole, _Setting(whole, reach(running.values, *whole), reach(gets, *whole)))
    yield from found.values()


def _parts(setting: _Setting, row: Facts) -> tuple[str, ...]:
    """The operands whose pods have the setting."""
    return tuple(mapping_at(row.get("operands")).get(str(setting.path[0]), ()))


def _reason(setting: _Setting, chart: str) -> str:
    decision = decision_at(chart, tuple(map(str, setting.path)))
    meaning = f" ({decision.meaning})" if decision else ""
    return f"{dotted_text(setting.path)} becomes {_line(setting.now) or 'another value'}{meaning}"


def _line(value: Any) -> str:
    """A value as YAML in one line; "" if it is too long for one."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MAX_LINE else ""


def _scraping(change: SoftwareChange, running: RunningChart, forecast: Forecast) -> SoftwareChange:
    """The change of a release that no longer creates a monitor: what scrapes the exporter afterwards."""
    view = forecast.view
    created_monitors = [
        monitor for monitor in exporter_monitors(view.objects) if _is_of(monitor.release, running, view)
    ]
    if not created_monitors:
        return change._replace(effect=Effect.CHANGES, parts=("its ServiceMonitor",))
    change = change._replace(certain=created_monitors[0].certain)
    monitor = next((body for body in forecast.bodies if body["kind"] in _MONITORS), None)
    if monitor is None:
        reason = "its ServiceMonitor is deleted, and nothing else scrapes the exporter"
        return change._replace(effect=Effect.STOPS, parts=("the scraping of GPU metrics",), reason=reason)
    by = f"{monitor['kind']} {monitor['metadata']['name']}"
    reason = f"{by} scrapes the exporter in its place, so that the label job of its metrics can change"
    return change._replace(effect=Effect.REPLACED, parts=("its ServiceMonitor",), reason=reason)


def _is_of(release: RunningRelease, running: RunningChart, view: View) -> bool:
    return view.original(release.item) is running.observed


def _version(change: SoftwareChange, running: RunningChart, release: Release) -> Iterator[SoftwareChange]:
    was, now = running.version.removeprefix("v"), release.chart.version.removeprefix("v")
    if was == now:
        return
    if not EXACT.fullmatch(was):
        installs = f"the first build installs {release.chart.version}"
        written = f" ('{running.version}')" if running.version else ""
        reason = f"which version runs is not known{written}; {installs}"
        yield change._replace(effect=Effect.UPGRADES, reason=reason, certain=False)
        return
    effect = Effect.UPGRADES if version(was) < version(now) else Effect.DOWNGRADES
    reason = f"from {running.version} to {release.chart.version}, which the catalog has: its pods restart"
    avoid = f"stack.versions.{running.chart}: {running.version}, with a row for it in your own catalog"
    yield change._replace(effect=effect, reason=reason, avoid=avoid)


def _without_values(release: Release, forecast: Forecast) -> SoftwareChange:
    """A chart whose release was not read: it does not run, or only objects show that it does."""
    name = release.chart.release
    seen = next(iter(installed_charts(forecast.view, name)), None)
    start = SoftwareChange(
        cluster=forecast.plan.cluster.name,
        title=seen.observed.name if seen else f"chart {name}",
        effect=Effect.STARTS,
        reason=INSTALLED_BY[name],
        span=seen.observed.places.span() if seen else forecast.view.bare.places.span(),
        pools=_pools(name, forecast),
        avoid=_OFF.get(name, ""),
    )
    if seen:
        reason = f"its values were not read: pass helm get values as --values {release.chart.name}=FILE"
        return start._replace(effect=Effect.RESTARTS, reason=reason, certain=False, avoid="")
    if not forecast.software_was_read:
        return start._replace(reason=f"{start.reason}; {UNREAD}", certain=False)
    return start


UNREAD = "whether it runs already is not known: pass the DaemonSets, Deployments and releases too"


def _pools(chart: str, forecast: Forecast) -> tuple[str, ...]:
    if chart in _ON_NODES:
        return tuple(pool.name for pool in forecast.plan.pools)
    return forecast.pools_with(*_OPERATED.get(chart, ()))
