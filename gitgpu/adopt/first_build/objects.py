"""What the first build does to the other objects of a cluster: pods restart, start, or take the place of others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, reach, text_at
from gitgpu.adopt.first_build.charts import UNREAD
from gitgpu.adopt.first_build.forecast import Forecast
from gitgpu.adopt.first_build.software_change import Effect, SoftwareChange
from gitgpu.adopt.replaced import has_other_selector, succeeds
from gitgpu.adopt.stack.gpu_daemons import part_of
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.owned_software import owned_software
from gitgpu.compare import change as compared
from gitgpu.compare.normal_form import as_stored
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import (
    DEVICE_CONFIG,
    NIC_CLUSTER_POLICY,
    NVIDIA_DRIVER,
    POD_MONITOR,
    SCALED_OBJECT,
    SCRAPE_CONFIG,
    SERVICE_MONITOR,
)
from gitgpu.model.software.names import DEVICE_PLUGIN, daemon_of
from gitgpu.objects.objects import identity
from gitgpu.objects.software.operands import is_operand

_PODS = ("DaemonSet", "Deployment", "StatefulSet")
_OPERATED = (NVIDIA_DRIVER.kind, DEVICE_CONFIG.kind, NIC_CLUSTER_POLICY.kind)  # an operator makes pods of them
_READ = (SERVICE_MONITOR.kind, POD_MONITOR.kind, SCRAPE_CONFIG.kind, SCALED_OBJECT.kind, "ConfigMap")
_TEMPLATE, _SPEC, _DATA = "spec.template", "spec", "data"
_CONTAINERS = ("spec", "template", "spec", "containers")
_OF_SERVERS = (  # fields that a server or `kubectl rollout restart` adds, and applying leaves alone
    'spec.template.metadata.annotations."kubectl.kubernetes.io/restartedAt"',
    "spec.template.spec.serviceAccount",
)
_MAX_FIELDS = 6  # the most fields that a line names
_AKS_ONLY = "stack.driver: aks-only, which leaves all GPU software of the nodes to its owner"
_AVOID: Mapping[str, str] = {
    DEVICE_PLUGIN: _AKS_ONLY,
    "nvidia-mps-control-daemon": _AKS_ONLY,
    "gpu-feature-discovery": "stack.discovery: none",
    "dcgm-exporter": "stack.metrics.exporter: false",
    "gpu-problem-detector": "stack.health: none",
}  # by the software of a DaemonSet: the line that keeps it out
_CHARTS: Mapping[str, str] = {
    DEVICE_PLUGIN: DEVICE_PLUGIN,
    "dcgm-exporter": "dcgm-exporter",
}  # by the software of a DaemonSet: the chart that it takes the place of


def object_changes(forecast: Forecast) -> Iterator[SoftwareChange]:
    """A change for each object of the output that changes a running one, takes its place, or starts pods on nodes."""
    running = forecast.running
    for body in forecast.bodies:
        if body["kind"] not in (*_PODS, *_OPERATED, *_READ):
            continue
        observed = running.get(identity(body))
        if observed:
            yield from _changed(observed, body, forecast)
        elif body["kind"] in ("DaemonSet", *_OPERATED):
            yield from _new(body, forecast)


def _changed(observed: Observed, body: Mapping[str, Any], forecast: Forecast) -> Iterator[SoftwareChange]:
    """The change of an object that runs already, if the first build changes what its pods get."""
    catalog, own = forecast.view.catalog, identity(body)
    server_defaults = {"defaults": catalog.must("edits", "daemonset")["podDefaults"]}  # the same for all pod templates
    was, now = (OverlayObject("", own, as_stored(side, server_defaults)) for side in (observed.body, body))
    restarts = own.kind in (*_PODS, *_OPERATED)
    if has_other_selector(observed.body, body):
        yield _replaced(observed, body, forecast)
        return
    for change in compared.object_changes({own: was}, {own: now}, catalog):
        paths = [field.path for field in change.fields if _counts(field, own.kind)]
        if paths:
            more = f" and {len(paths) - _MAX_FIELDS} more" if len(paths) > _MAX_FIELDS else ""
            yield SoftwareChange(
                forecast.plan.cluster.name,
                observed.name,
                Effect.RESTARTS if restarts else Effect.CHANGES,
                f"these fields change: {', '.join(paths[:_MAX_FIELDS])}{more}",
                observed.places.span(),
                pools=forecast.pools_of(body),
                avoid=_AVOID.get(daemon_of(own.name), "") if restarts else "",
            )


def _replaced(observed: Observed, body: Mapping[str, Any], forecast: Forecast) -> SoftwareChange:
    """The change of an object that has to be removed first."""
    reason = "another one of that name takes its place: the API server does not change its selector"
    return SoftwareChange(
        forecast.plan.cluster.name,
        observed.name,
        Effect.REPLACED,
        reason,
        observed.places.span(),
        pools=forecast.pools_of(body),
        avoid=_AVOID.get(daemon_of(identity(body).name), ""),
    )


def _counts(field: compared.Field, kind: str) -> bool:
    """Whether a changed field reaches pods. What only a server or another tool has set is its own in other kinds."""
    if kind in _PODS:
        return compared.below(field.path, _TEMPLATE) and field.path not in _OF_SERVERS
    is_content = compared.below(field.path, _SPEC) or compared.below(field.path, _DATA)
    return is_content and None not in (field.before, field.after)  # gitgpu writes out defaults that others omit


def _new(body: Mapping[str, Any], forecast: Forecast) -> Iterator[SoftwareChange]:
    """The changes of an object that does not run yet: it takes the place of others, and starts on other nodes."""
    name = str(reach(body, "metadata", "name"))
    title = "/".join(part for part in (body["kind"], reach(body, "metadata", "namespace"), name) if part)
    change = SoftwareChange(
        forecast.plan.cluster.name,
        title,
        Effect.STARTS,
        "nothing in the input does the same",
        forecast.view.bare.places.span(),
        pools=forecast.pools_of(body),
        avoid=_AVOID.get(daemon_of(name), ""),
    )
    old = _predecessors(name, body, forecast)
    if old and (owned := owned_software(forecast.view, part_of(body))):
        yield change._replace(reason=f"beside {old[0].name}: {owned.reason}")
    elif old:
        yield from _successions(change, old, body, forecast)
    elif not forecast.software_was_read:
        yield change._replace(reason=UNREAD, certain=False)
    else:
        yield change


def _predecessors(name: str, body: Mapping[str, Any], forecast: Forecast) -> list[Observed]:
    """The running objects that do the same on the nodes, which their owner has to remove."""
    for chart in installed_charts(forecast.view, _CHARTS.get(daemon_of(name), "")):
        return [chart.observed]
    running = forecast.view.cluster.objects
    return [old for old in running if succeeds(body, old.body) and not is_operand(old.body)]  # an operator keeps it


def _successions(
    start: SoftwareChange, old: Sequence[Observed], body: Mapping[str, Any], forecast: Forecast
) -> Iterator[SoftwareChange]:
    """What a new object does on its pools: it takes the place of the old ones where these run, and starts elsewhere."""
    left = start.pools
    for observed in old:
        served = tuple(pool for pool in left if forecast.runs_on(observed, pool))
        if served or not start.pools:
            reason = f"{start.title} takes its place{_versions(observed, body)}"
            yield start._replace(
                title=observed.name,
                effect=Effect.REPLACED,
                reason=reason,
                span=observed.places.span(),
                pools=served,
            )
        left = tuple(pool for pool in left if pool not in served)
    if left:
        yield start._replace(reason="nothing in the input does the same there", pools=left)


def _versions(old: Observed, body: Mapping[str, Any]) -> str:
    """The versions of both, if their images have different tags."""
    was, now = (_tag(side) for side in (old.body, body))
    return f", in version {now} instead of {was}" if was and now and was != now else ""


def _tag(body: Mapping[str, Any]) -> str:
    images = [text_at(container, "image") for container in list_at(body, *_CONTAINERS)]
    return images[0].rpartition("/")[2].partition("@")[0].partition(":")[2] if images else ""
