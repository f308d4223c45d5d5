"""Running software in whose place the output of the fleet has other objects, and the steps that hand it over.

Two HelmReleases for one release of Helm upgrade it in turns. Deleting the old one uninstalls the release, unless it is
suspended: https://github.com/fluxcd/helm-controller/blob/v1.6.3/internal/controller/helmrelease_controller.go
(reconcileDelete).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.adopt.adoption import Fate, Outcome
from gitgpu.adopt.stack.gpu_daemons import part_of
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.inventory.observed import Observed, ObservedCluster
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    HELM_RELEASE,
    HELM_VALUES,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    POD_MONITOR,
    SCRAPE_CONFIG,
    SERVICE_MONITOR,
)
from gitgpu.objects.delivery.application_sources import sources_of
from gitgpu.objects.objects import identity
from gitgpu.spelling import join_names

CHARTS = (HELM_RELEASE.kind, APPLICATION.kind, HELM_VALUES.kind)
_SELECTING = ("DaemonSet", "Deployment", "StatefulSet")
# A workload is patched in place, and nodes keep their objects.
_KEPT = (
    "Deployment",
    "StatefulSet",
    "Job",
    "CronJob",
    NODE_POOL.kind,
    AKS_NODE_CLASS.kind,
    MANAGED_CLUSTERS_AGENT_POOL.kind,
)
_PLUGINS = ("device-plugin", "mps-control-daemon")
_APPLY = "apply the overlays"


class Replaced(NamedTuple):
    """A running object, the name of the object of the output that takes its place, and what to do, in order."""

    observed: Observed
    by: str
    steps: tuple[str, ...]


class HelmRelease(NamedTuple):
    """A release of Helm: the chart, and what identifies the release on a cluster."""

    chart: str
    name: str
    namespace: str


def replaceable_objects(running: ObservedCluster, outcomes: Iterable[Outcome]) -> list[Observed]:
    """The adopted objects of a cluster that others may replace, in the order of the outcomes."""
    wanted = {
        id(observed): observed
        for observed in running.objects
        if not observed.generated and observed.body.get("kind") not in _KEPT
    }
    adopted = dict.fromkeys(
        id(outcome.observed) for outcome in outcomes if outcome.fate is Fate.ADOPTED and outcome.into
    )
    return [wanted[key] for key in adopted if key in wanted]


def objects_to_remove(replaceable: Iterable[Observed], manifests: Sequence[Manifest]) -> Iterator[Replaced]:
    """What to remove from a cluster before its overlays are applied. `manifests` is the output for the cluster."""
    bodies = [manifest.body for manifest in manifests if manifest.role is Role.RESOURCE and not manifest.layer.by_hand]
    built = {identity(body): body for body in bodies}
    for observed in replaceable:
        if same := built.get(identity(observed.body)):
            yield from _with_other_selector(observed, same)
            continue
        if observed.body.get("kind") in CHARTS:
            yield from _chart(observed, bodies)
        else:
            yield from _object(observed, bodies)


def _chart(observed: Observed, bodies: Iterable[Mapping[str, Any]]) -> Iterator[Replaced]:
    old = helm_release(observed.body)
    for body in bodies:
        new = helm_release(body) if body["kind"] in CHARTS else None
        if old and new and old.chart and old.chart == new.chart:
            steps = tuple(_chart_steps(observed, old, new, body["kind"]))
            if steps:
                yield Replaced(observed, _title(body), steps)


def _chart_steps(observed: Observed, old: HelmRelease, new: HelmRelease, kind: str) -> Iterator[str]:
    named, is_same = _named(observed), (old.name, old.namespace) == (new.name, new.namespace)
    if observed.body["kind"] == APPLICATION.kind:
        yield f"take the Application out of what applies it, and turn its automated sync off ({named})"
        yield "delete it without its objects: argocd app delete --cascade=false"
        yield f"{_APPLY}; the objects of the chart keep running" if is_same else _other(new)
    elif not is_same:
        remove = named if observed.body["kind"] == HELM_VALUES.kind else f"kubectl delete {named}"
        yield f"uninstall the release while no GPU pods run, because its pods leave the nodes: {remove}"
        yield _other(new)
    elif observed.owner.tool == "terraform":
        yield f"take it out of Terraform without destroying it: terraform state rm {observed.name}, and its block"
        yield f"{_APPLY}; the new {kind} upgrades the same release of Helm"
    elif observed.body["kind"] == HELM_RELEASE.kind:
        patch = """--type merge --patch '{"spec":{"suspend":true}}'"""
        yield f"suspend it, in Git too if Flux applies it from there: kubectl patch {named} {patch}"
        yield f"remove its file from Git, or kubectl delete {named}: a suspended HelmRelease uninstalls nothing"
        yield f"{_APPLY}; the new {kind} upgrades the same release of Helm"


def _other(new: HelmRelease) -> str:
    return f"{_APPLY}, which install release {new.name} in namespace {new.namespace}"


def _with_other_selector(observed: Observed, new: Mapping[str, Any]) -> Iterator[Replaced]:
    """A running object that the API server does not change to the one with its name, because of its selector."""
    if has_other_selector(observed.body, new):
        yield Replaced(observed, f"{_title(new)} with another selector", tuple(_steps(observed, new)))


def has_other_selector(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether both select other pods, which an update cannot change."""
    selectors = [reach(body, "spec", "selector", "matchLabels") for body in (old, new)]
    return old.get("kind") in _SELECTING and None not in selectors and selectors[0] != selectors[1]


def _object(observed: Observed, bodies: Iterable[Mapping[str, Any]]) -> Iterator[Replaced]:
    successors = [body for body in bodies if succeeds(body, observed.body)]
    if successors:
        yield Replaced(observed, join_names(list(map(_title, successors))), tuple(_steps(observed, successors[0])))


def _steps(observed: Observed, successor: Mapping[str, Any]) -> Iterator[str]:
    yield f"take it out of what applies it, and kubectl delete {_named(observed)}"
    result = "running pods keep their GPUs, and new ones get GPUs again when the new pods are ready"
    is_plugin = any(name in successor["metadata"]["name"] for name in _PLUGINS)
    yield f"{_APPLY} immediately; {result}" if is_plugin else _APPLY


def succeeds(body: Mapping[str, Any], old: Mapping[str, Any]) -> bool:
    """Whether it does what the old object does: DaemonSets run the same part of an image, others have one target."""
    if body["kind"] != old.get("kind"):
        return False
    if body["kind"] == "DaemonSet":
        return bool(_images(body) & _images(old)) and part_of(body) == part_of(old)
    target = reach(old, "spec", "scaleTargetRef", "name")
    if target:
        same = bool(reach(body, "spec", "scaleTargetRef", "name") == target)
        return same and body["metadata"].get("namespace") == reach(old, "metadata", "namespace")
    return body["kind"] in (SERVICE_MONITOR.kind, POD_MONITOR.kind, SCRAPE_CONFIG.kind)


def _images(body: Mapping[str, Any]) -> set[str]:
    """The names of the images of the containers, without registry and tag."""
    containers = reach(body, "spec", "template", "spec", "containers")
    images = [str(reach(entry, "image") or "") for entry in containers] if isinstance(containers, list) else []
    return {image.partition("@")[0].rpartition("/")[2].partition(":")[0] for image in images} - {""}


def helm_release(body: Mapping[str, Any]) -> HelmRelease | None:
    """The release of Helm that an object stands for."""
    meta, spec = reach(body, "metadata") or {}, reach(body, "spec") or {}
    name, namespace = str(reach(meta, "name") or ""), str(reach(meta, "namespace") or "")
    if body.get("kind") == HELM_VALUES.kind:
        return HelmRelease(str(body.get("chart", "")), str(body.get("release", "")), str(body.get("namespace", "")))
    if body.get("kind") == APPLICATION.kind:
        source = next((source for source in sources_of(spec) if source.get("chart")), {})
        release, target = reach(source, "helm", "releaseName") or name, reach(spec, "destination", "namespace")
        return HelmRelease(str(source.get("chart") or ""), str(release), str(target or ""))
    chart = reach(spec, "chart", "spec", "chart") or reach(spec, "chartRef", "name")
    target = reach(spec, "targetNamespace")
    release = reach(spec, "releaseName") or (f"{target}-{name}" if target else name)
    return HelmRelease(str(chart or ""), str(release), str(reach(spec, "storageNamespace") or namespace))


def _named(observed: Observed) -> str:
    """The object as arguments of kubectl; a release of Helm as those of `helm uninstall`."""
    body = observed.body
    if body["kind"] == HELM_VALUES.kind:
        return f"helm uninstall {body.get('release', 'RELEASE')} --namespace {body.get('namespace', 'NAMESPACE')}"
    own = identity(body)
    namespace = f" --namespace {own.namespace}" if own.namespace else ""
    return f"{own.kind.lower()} {own.name}{namespace}"


def _title(body: Mapping[str, Any]) -> str:
    own = identity(body)
    return "/".join(part for part in (own.kind, own.namespace, own.name) if part)
