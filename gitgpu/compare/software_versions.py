"""Charts and images whose version changes, from the objects of both sides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.compare.change import Change
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import APPLICATION, HELM_RELEASE, OCI_REPOSITORY
from gitgpu.model.software.advisories import Combination, exact_version
from gitgpu.model.software.digests import version_of_digest
from gitgpu.model.software.transitions import (
    ARGO,
    FLUX,
    HELM,
    Form,
    Identity,
    Installation,
    Transition,
    Verdict,
    as_replacement,
    transition,
)

_OWNERS = ("DaemonSet", "Deployment")


class _InstalledSoftware(NamedTuple):
    """A chart or image in an object: its version, how it is installed, and what upgrades the crds folder of a chart."""

    software: str
    version: str
    installed: Installation
    crds_by: str = ""


def transitions(changes: Sequence[Change], before: Iterable[OverlayObject], catalog: Catalog) -> tuple[Transition, ...]:
    """Each change of a version on a cluster, sorted by name. Software that is added or removed has none.

    Each side is read as a whole: the object that names the version can be of another kind afterwards. `before` includes
    the releases whose chart is in an OCIRepository.
    """
    releases = {str(reach(body, "spec", "chartRef", "name")): body for body in _releases(changes, before)}
    was: dict[str, _InstalledSoftware] = {}
    now: dict[str, _InstalledSoftware] = {}
    for change in changes:
        for installed in _software_in(change.before, releases, catalog):
            earlier = was.get(installed.software)
            was[installed.software] = _together(earlier, installed) if earlier else installed
        for installed in _software_in(change.after, releases, catalog):
            now[installed.software] = installed
    found = {}
    for name in was.keys() & now.keys():
        if was[name].version != now[name].version:
            step = transition(name, (was[name].version, now[name].version), catalog, was[name].installed)
            found[name] = step._replace(crds_by=now[name].crds_by) if step.crds else step
    for name, (old, new) in _moves(changes, catalog).items():
        version = catalog.version(name)  # if the object that has it does not change, it is as in the catalog
        same = Transition(name, version, version, Verdict.SAFE, "")
        found[name] = as_replacement(found.get(name, same), old, new, catalog)
    return tuple(found[name] for name in sorted(found))


def _releases(changes: Iterable[Change], before: Iterable[OverlayObject]) -> Iterator[Any]:
    """The releases of Flux, those before the change last, whose values count."""
    yield from (change.after.body for change in changes if change.after and _is_release(change.after.body))
    yield from (obj.body for obj in before if _is_release(obj.body))


def named_versions(body: Mapping[str, Any]) -> Iterator[Combination]:
    """The charts and images that an object names with an exact version."""
    for chart, version, _, _ in _charts(body, {}):
        if isinstance(version, str):
            yield Combination(chart=basename(chart), image="", version=exact_version(version))
    for repository, tag in _images(body):
        yield Combination(chart="", image=repository, version=exact_version(tag))


def _moves(changes: Sequence[Change], catalog: Catalog) -> dict[str, tuple[Identity, Identity]]:
    """The charts whose release is another one afterwards, with both, by the name of their row."""
    was: dict[str, Identity] = {}
    now: dict[str, Identity] = {}
    for change in changes:
        for obj, side in ((change.before, was), (change.after, now)):
            for identity in _identities(obj.body) if obj else ():
                if name := _chart_rows(catalog).get(identity.chart):
                    side[name] = identity
    both = {name: (was[name], now[name]) for name in was.keys() & now.keys()}
    return {name: (old, new) for name, (old, new) in both.items() if old != new and old.by == new.by}


def _identities(body: Any) -> Iterator[Identity]:
    """The releases that an object of Flux or Argo CD makes."""
    spec, name, own = reach(body, "spec"), reach(body, "metadata", "name"), reach(body, "metadata", "namespace")
    if _is_release(body):
        target = reach(spec, "targetNamespace")
        release = reach(spec, "releaseName") or (f"{target}-{name}" if target else name)
        # gitgpu names an OCIRepository like its chart.
        chart = reach(spec, "chart", "spec", "chart") or reach(spec, "chartRef", "name")
        storage = reach(spec, "storageNamespace") or own
        yield Identity(HELM, str(release), str(target or own), basename(str(chart)), str(storage))
    if body.get("kind") == APPLICATION.kind:
        namespace = str(reach(spec, "destination", "namespace"))
        for source in _sources(spec):
            release = reach(source, "helm", "releaseName") or name
            yield Identity(ARGO, str(release), namespace, str(reach(source, "chart")))


def _chart_rows(catalog: Catalog) -> dict[str, str]:
    """The row of each chart, by its name and the names that it had before."""
    rows = catalog.rows("charts").items()
    return {chart: name for name, row in rows for chart in (row["chart"], *row.get("renamed", ()))}


def _together(first: _InstalledSoftware, second: _InstalledSoftware) -> _InstalledSoftware:
    """The same software in two objects: the pods of both restart."""
    pods = tuple(sorted({*first.installed.pods, *second.installed.pods}))
    return second._replace(installed=second.installed._replace(pods=pods))


def _software_in(
    obj: OverlayObject | None, releases: Mapping[str, Any], catalog: Catalog
) -> Iterator[_InstalledSoftware]:
    """The charts and images that an object names, with their versions."""
    if obj is None:
        return
    body = obj.body
    charts = _chart_rows(catalog)
    for chart, version, values, crds_by in _charts(body, releases):
        if (name := charts.get(basename(chart))) and isinstance(version, str):
            yield _InstalledSoftware(name, version, Installation(Form.CHART, values), crds_by)
    owner = (str(reach(body, "metadata", "name")),) if body.get("kind") in _OWNERS else ()
    for repository, tag in _images(body):
        if (name := _software(repository, catalog)) and tag:
            version = version_of_digest(name, tag, catalog) or tag
            yield _InstalledSoftware(name, version, Installation(Form.IMAGE, pods=owner))


def _charts(body: Any, releases: Mapping[str, Any]) -> Iterator[tuple[str, Any, Mapping[str, Any] | None, str]]:
    """The charts that Flux and Argo CD install: name, version, values, and what upgrades the crds folder.

    The values are None if they are unknown.
    """
    spec = reach(body, "spec")
    if _is_release(body):
        yield (
            str(reach(spec, "chart", "spec", "chart")),
            reach(spec, "chart", "spec", "version"),
            reach(spec, "values") or {},
            _flux_crds(body),
        )
    if body.get("kind") == OCI_REPOSITORY.kind:
        release = releases.get(str(reach(body, "metadata", "name")))
        values = release and (reach(release, "spec", "values") or {})
        yield str(reach(spec, "url")), reach(spec, "ref", "tag"), values, _flux_crds(release)
    if body.get("kind") == APPLICATION.kind:
        for source in _sources(spec):
            values = None if reach(source, "helm", "values") else reach(source, "helm", "valuesObject") or {}
            crds_by = "" if reach(source, "helm", "skipCrds") else ARGO
            yield str(reach(source, "chart")), reach(source, "targetRevision"), values, crds_by


def _flux_crds(release: Any) -> str:
    """Flux, if it upgrades the crds folder with a release. By default, it does so as little as Helm."""
    return FLUX if reach(release, "spec", "upgrade", "crds") == "CreateReplace" else ""


def _sources(spec: Any) -> list[Any]:
    """The sources of an Application. It ignores `source` if `sources` lists any (GetSources of argoproj/argo-cd)."""
    sources = reach(spec, "sources")
    return sources if isinstance(sources, list) and sources else [reach(spec, "source")]


def _is_release(body: Any) -> bool:
    return bool(body.get("kind") == HELM_RELEASE.kind)


def _images(value: Any) -> Iterator[tuple[str, str]]:
    """Yields repository and tag of each image. Objects of operators have them in two fields, `image` and `version`."""
    if isinstance(value, Mapping):
        image, tag = value.get("image"), value.get("version")
        if isinstance(image, str):
            named, _, _ = image.partition("@")  # without the digest
            repository, _, own_tag = basename(named).partition(":")
            folder = dirname(image) or value.get("repository") or ""
            yield f"{folder}/{repository}", own_tag or str(tag or "")
        for inner in value.values():
            yield from _images(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _images(inner)


def _software(repository: str, catalog: Catalog) -> str:
    """The row whose repository has the same end, so that copies in a private registry count; "" if unclear."""
    parts = repository.split("/")
    # Counted from the end: a mirror puts its host and path before the public name.
    shared = {name: _alike(parts, row["repository"].split("/")) for name, row in catalog.rows("containers").items()}
    maximum = max(shared.values())
    best = [name for name, count in shared.items() if count == maximum]
    return best.pop() if maximum and len(best) == 1 else ""


def _alike(first: Sequence[str], second: Sequence[str]) -> int:
    """How many parts at the end are equal."""
    count = 0
    for part, other in zip(reversed(first), reversed(second), strict=False):
        if part != other:
            break
        count += 1
    return count
