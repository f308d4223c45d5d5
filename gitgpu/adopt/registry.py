"""The registry of a running cluster, inferred from the names of its images and charts: the inverse of a mirror.

A copy has the path of its source at the end of its name, so one name reveals the mirror and how it names copies. It is
certain only if all images of the GPU software agree. Otherwise the images that do not have their public name are
reported, because gitgpu would pull them from elsewhere.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.adopt.adoption import Destination, Fate, Outcome, SpecDocument
from gitgpu.adopt.stack.installed import InstalledChart, installed_releases
from gitgpu.adopt.stack.view import View
from gitgpu.emit.chart.images import chart_value, running
from gitgpu.emit.mirror import KEYS, OWN
from gitgpu.inventory.observed import Observed
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import HELM_REPOSITORY, OCI_REPOSITORY, group_kind
from gitgpu.model.software.registries import public_hosts
from gitgpu.model.syntax.image import image_fault
from gitgpu.model.syntax.reference import reference
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.plan.chart import chart_image
from gitgpu.plan.decided.registry import WHOLE_NAME, Registry
from gitgpu.source import Pointer

_HOST = "{registry}"


class Named(NamedTuple):
    """The name of a running image or its registry, its public name, and where it was read."""

    name: str
    public: str
    observed: Observed
    pointer: Pointer

    @property
    def start(self) -> str | None:
        """What precedes the path of the image, with {registry} for its host; None if the name does not end with it.

        It is {registry} alone for the public name.
        """
        host, slash, path = self.public.partition("/")
        if not self.name.endswith(slash + path):
            return None
        return self.name.removesuffix(slash + path).replace(host, _HOST)


def registry_of(view: View) -> tuple[Registry, list[Outcome]]:
    """The registry, empty if none is certain, and outcomes for the names of images."""
    images = [*_object_images(view), *_chart_registries(view)]
    starts = {named.start for named in images}
    if starts <= {_HOST}:
        return Registry(), []
    first, *others = starts
    if others or not first or first.startswith(_HOST):
        return Registry(), [_from_elsewhere(named) for named in images if named.start != _HOST]
    mirror, name = _mirror(first)
    registry = Registry(mirror, public_hosts(view.catalog), _secret(images), _charts(view), name=name)
    where, shown = Destination("Cluster", view.cluster.name, ("spec", "registry")), images[0]
    reason = f"all images of its GPU software come from {mirror}"
    return registry, [Outcome(shown.observed, Fate.INFERRED, reason, shown.pointer, where)]


def _mirror(start: str) -> tuple[str, str]:
    """The mirror, and the name of a copy below it: from the first folder on that has the host of the image."""
    parts = start.split("/")
    at = next((number for number, part in enumerate(parts) if _HOST in part), len(parts))
    return "/".join(parts[:at]), "/".join((*parts[at:], "{repository}"))


def with_registry(cluster: SpecDocument, registry: Registry, outcomes: Sequence[Outcome]) -> SpecDocument:
    """The Cluster with its registry, if one is certain."""
    if not registry.mirror:
        return cluster
    name = "" if registry.name == WHOLE_NAME else registry.name
    keys = {"mirror": registry.mirror, "name": name, "pullSecret": registry.secret, "charts": registry.charts}
    spec = {**cluster.spec, "registry": {key: value for key, value in keys.items() if value}}
    note: dict[Pointer, str] = {("spec", "registry"): f"Inferred: {outcomes[0].reason}."}
    return cluster._replace(spec=spec, comments={**cluster.comments, **note})


def _from_elsewhere(named: Named) -> Outcome:
    reason = (
        f"it comes from {named.name}, but gitgpu pulls it from {named.public}: your own registry needs it as "
        f"<mirror>/{named.public}, or as registry.name says, with all other images below the same mirror"
    )
    return Outcome(named.observed, Fate.INEXPRESSIBLE, reason, named.pointer)


def _object_images(view: View) -> Iterator[Named]:
    """The images of GPU software that objects name, such as DaemonSets."""
    public_names = _software(view.catalog)
    hosts = public_hosts(view.catalog)
    for observed in view.cluster.objects:
        if observed.body.get("kind") in OWN:
            for pointer, text in _images(observed.body, ()):
                name = text if image_fault(text) else reference(text).repository
                public = _public(name, public_names)
                # An image with this path on another public host is not a copy.
                if public and (name == public or name.partition("/")[0] not in hosts):
                    yield Named(name, public, observed, pointer)


def _software(catalog: Catalog) -> Mapping[str, str]:
    """The repositories of images that gitgpu or its charts use, by their names without the registry."""
    names = {row["repository"] for row in catalog.rows("containers").values()}
    for row in catalog.rows("charts").values():
        names |= {image["image"] for image in row.get("images", ())}
    # Official images of Docker Hub are omitted, because any software may use them.
    return {name.partition("/")[2]: name for name in sorted(names) if "/library/" not in name}


def _public(name: str, public_names: Mapping[str, str]) -> str:
    """The public name of the known image whose path is at the end of a name; "" for other images."""
    parts = name.split("/")
    ends = ("/".join(parts[start:]) for start in range(1, len(parts)))
    return next((public_names[end] for end in ends if end in public_names), "")


def _images(value: Any, above: Pointer) -> Iterator[tuple[Pointer, str]]:
    """The image references in an object, with their pointers."""
    if isinstance(value, list):
        for position, entry in enumerate(value):
            yield from _images(entry, (*above, position))
    if not isinstance(value, Mapping):
        return
    if "repository" in value and "image" in value:
        yield (*above, "repository"), f"{value['repository']}/{value['image']}"
        return
    for key, below in value.items():
        if key in KEYS and isinstance(below, str):
            yield (*above, key), below
        else:
            yield from _images(below, (*above, key))


def _chart_registries(view: View) -> Iterator[Named]:
    """The registries of the images that charts run; the public registry if a release sets none."""
    for chart, release in installed_releases(view, *view.catalog.rows("charts")):
        images = map(chart_image, chart_row(release, view.objects).get("images", ()))
        started_images = (image for image in running(release.values, images) if not image.use)
        for image in started_images:
            for path, start in image.registries.items():
                name = str(chart_value(release.values, path, start))
                yield Named(name, start, chart.observed, release.place(*path.split(".")))


def _secret(images: Iterable[Named]) -> str:
    """The pull secret that all DaemonSets use; "" if they differ."""
    names: set[str] = set()
    for named in images:
        if named.observed.body.get("kind") == "DaemonSet":
            pod = reach(named.observed.body, "spec", "template", "spec") or {}
            # A DaemonSet without a secret differs from those that have one.
            names |= {str(secret["name"]) for secret in pod.get("imagePullSecrets", [{"name": ""}])}
    return names.pop() if len(names) == 1 else ""


def _charts(view: View) -> str:
    """The OCI registry that all charts come from; "" if they differ, or come from upstream."""
    sources = {_source(view, chart) for chart, _ in installed_releases(view, *view.catalog.rows("charts"))}
    return sources.pop() if len(sources) == 1 else ""


def _source(view: View, chart: InstalledChart) -> str:
    """The OCI registry of a chart: its URL without its name; "" if it is upstream's or not OCI."""
    row, spec = view.catalog.must("charts", chart.chart), reach(chart.observed.body, "spec") or {}
    end = f"/{row['chart']}"
    urls = (*_urls_of_flux(view, spec), *_urls_of_argo(spec))
    source = next((url.removesuffix(end) for url in urls if url.endswith(end)), "")
    return "" if source == row["repository"].rstrip("/") else source


def _urls_of_flux(view: View, spec: Mapping[str, Any]) -> Iterator[str]:
    """The URL of the OCIRepository, or of a HelmRepository with OCI and the chart, that a HelmRelease refers to."""
    name, of_chart = reach(spec, "chartRef", "name"), mapping_at(spec, "chart", "spec")
    for observed in view.cluster.objects:
        url, own = text_at(observed.body, "spec", "url"), text_at(observed.body, "metadata", "name")
        is_oci = group_kind(observed.body) == HELM_REPOSITORY and url.startswith("oci://")
        if is_oci and own == text_at(of_chart, "sourceRef", "name"):
            yield f"{url.rstrip('/')}/{text_at(of_chart, 'chart')}"
        if observed.body.get("kind") == OCI_REPOSITORY.kind and reach(observed.body, "metadata", "name") == name:
            yield str(reach(observed.body, "spec", "url"))


def _urls_of_argo(spec: Mapping[str, Any]) -> Iterator[str]:
    """The URLs of the charts of an Application, which names OCI registries without `oci://`."""
    sources = spec.get("sources") or ()
    for source in (spec.get("source"), *sources):
        if source and "chart" in source and "://" not in source["repoURL"]:
            yield f"oci://{source['repoURL']}/{source['chart']}"
