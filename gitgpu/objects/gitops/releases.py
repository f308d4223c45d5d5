"""Chart releases as rules read them: chart, version and values, wherever they are set."""

from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any, NamedTuple

from gitgpu.access import has, list_at, mapping_at, reach
from gitgpu.load.helm_values import release_id
from gitgpu.load.parse.quick import parse_quickly
from gitgpu.load.text import Text
from gitgpu.model.names.groups import FLUX_SOURCE_GROUP
from gitgpu.model.names.kinds import APPLICATION_SET, HELM_RELEASE, HELM_VALUES
from gitgpu.objects.delivery.application_sources import placed_sources, spec_place
from gitgpu.objects.gitops.applications import applications
from gitgpu.objects.gitops.layered_values import ACTION, literal_text, merge_values, without_actions
from gitgpu.objects.indexes import group_by
from gitgpu.objects.objects import Item, Objects
from gitgpu.source import Pointer

_HERE = ("", "https://kubernetes.default.svc", "in-cluster")  # the cluster that Argo CD itself runs on
_SET = ("parameters", "fileParameters")  # keys of an Application that override its values
# With one of these keys, the object does not contain all values.
_ELSEWHERE = ("valueFiles", *_SET)


class Release(NamedTuple):
    """One release of a chart. `pointer` is the place of its values; `version` is "" if none is set.

    With `whole`, no values come from elsewhere, so what is not set here has the chart's default. With `text`, the
    values are YAML inside a string: then every place is the string's, and no repair is safe. `files` are
    additional values files, which go over the inline values with `files_last`; `inline` are the values at `pointer`,
    None if there are no files. `cluster` names the target cluster, "" if it is the cluster that has the object.
    """

    item: Item
    chart: str
    version: str
    namespace: str
    pointer: Pointer
    values: Mapping[str, Any]
    whole: bool = True
    text: bool = False
    inline: Mapping[str, Any] | None = None
    files: tuple[Item, ...] = ()
    files_last: bool = False
    cluster: str = ""

    def value(self, *path: str) -> Any:
        """The value at a path below the values; None if it is not set, so that the chart's default applies."""
        value: Any = self.values
        for part in path:
            value = value.get(part) if isinstance(value, dict) else None
        return value

    @property
    def version_at(self) -> Pointer:
        """The place of the version in the object of the release; of what has it, if that is another object."""
        kind = self.item.identity.kind
        if kind == HELM_RELEASE.kind:
            has_chart = has(self.item.body, ("spec", "chart"))
            return ("spec", "chart", "spec", "version") if has_chart else ("spec", "chartRef")
        return self.pointer if kind == HELM_VALUES.kind else (*self.pointer[:-2], "targetRevision")

    def place(self, *path: str | int) -> Pointer:
        """The place of a value in the object of the release."""
        return self.pointer if self.text else (*self.pointer, *path)

    def locate(self, *path: str | int) -> tuple[Item, Pointer]:
        """The place of a value or of the deepest part of its path that is set, and the object or file that sets it."""
        deepest = next((path[:end] for end in range(len(path), 0, -1) if has(self.values, path[:end])), ())
        last = next((item for item in reversed(self.files) if has(item.body["values"], deepest)), None)
        if last and deepest and (self.files_last or not has(mapping_at(self.inline), deepest)):
            return last, ("values", *deepest)
        return self.item, self.place(*deepest)


def releases(objects: Objects, *charts: str) -> Iterator[Release]:
    """The releases of these charts (without names, of all): Flux HelmReleases, Argo CD Applications, values files."""
    all_releases = objects.once("releases", lambda: (*_flux(objects), *_argo(objects), *_value_objects(objects)))
    if not charts:
        return iter(all_releases)
    by_chart = objects.once("releases by chart", lambda: group_by(enumerate(all_releases), lambda pair: pair[1].chart))
    pairs: list[tuple[int, Release]] = []
    for chart in dict.fromkeys(charts):
        pairs += by_chart.get(chart, ())
    return (release for _, release in sorted(pairs, key=itemgetter(0)))


def _flux(objects: Objects) -> Iterator[Release]:
    patched = objects.patched_names(*HELM_RELEASE)
    for item in objects.of(*HELM_RELEASE):
        spec = reach(item.body, "spec") or {}
        chart = reach(spec, "chart", "spec") or {}
        name, version = chart.get("chart"), chart.get("version")
        if not name and (source := _oci(item, objects)):
            name, version = source["url"].rpartition("/")[2], reach(source, "ref", "tag")
        namespace = spec.get("targetNamespace") or item.identity.namespace
        if name:
            short, values = name.rpartition("/")[2], mapping_at(spec, "values")
            elsewhere = spec.get("valuesFrom") or chart.get("valuesFiles")
            whole = not elsewhere and item.identity.name not in patched
            release = Release(item, short, str(version or ""), namespace, ("spec", "values"), values, whole)
            yield release._replace(cluster=_remote_cluster(item))


def _remote_cluster(item: Item) -> str:
    """The cluster that a HelmRelease with a kubeConfig installs into, by the name of the reference; else ""."""
    references = mapping_at(item.body, "spec", "kubeConfig")
    names = (reach(reference, "name") for reference in references.values())
    return next((f"{item.identity.namespace}/{name}" for name in names if name), "")


def _oci(item: Item, objects: Objects) -> Mapping[str, Any] | None:
    reference = reach(item.body, "spec", "chartRef") or {}
    namespace = reference.get("namespace") or item.identity.namespace
    kind, name = str(reference.get("kind")), str(reference.get("name"))
    for source_object in objects.by_name(FLUX_SOURCE_GROUP, kind, name):
        if source_object.identity.namespace == namespace and reach(source_object.body, "spec", "url"):
            spec: Mapping[str, Any] = source_object.body["spec"]
            return spec
    return None


def _argo(objects: Objects) -> Iterator[Release]:
    for item, spec in applications(objects):
        place = spec_place(item.body)
        for release in releases_of(item, spec, place):
            files = files_of(release_id(item.given.places, release.pointer[:-2]), objects)
            yield _with_files(release, files) if files else release


def releases_of(item: Item, spec: Mapping[str, Any], place: Pointer) -> Iterator[Release]:
    """The releases of an Application, given the place of its spec in an object (an Application or ApplicationSet).

    Values that an ApplicationSet fills in are unknown, and omitted.
    """
    is_set = item.identity.kind == APPLICATION_SET.kind
    target = mapping_at(spec, "destination")
    namespace, far = str(target.get("namespace") or ""), str(target.get("server") or target.get("name") or "")
    for at, source in placed_sources(spec):
        chart, version = (str(source.get(key) or "") for key in ("chart", "targetRevision"))
        if not chart or (is_set and ACTION in chart):
            continue
        if is_set:
            version, namespace = literal_text(version), literal_text(namespace)
        _, _, name = chart.rpartition("/")
        pointer = (*place, *at, "helm", "valuesObject")
        bare = Release(item, name, version, namespace, pointer, {}, cluster="" if far in _HERE else far)
        release = _argo_release(bare, source)
        yield _without_actions(release) if is_set else release


def _argo_release(release: Release, source: Mapping[str, Any]) -> Release:
    helm = reach(source, "helm") or {}
    whole = not any(helm.get(key) for key in _ELSEWHERE)
    values_object, values_text = helm.get("valuesObject"), helm.get("values")
    if values_object or not values_text:
        return release._replace(values=mapping_at(values_object), whole=whole)  # valuesObject has priority over values
    documents, faults = parse_quickly(Text("values", values_text, "values"))
    read = documents[0].data if len(documents) == 1 and not faults else None
    pointer, whole = (*release.pointer[:-1], "values"), whole and isinstance(read, dict)
    return release._replace(pointer=pointer, values=mapping_at(read), whole=whole, text=True)


def _without_actions(release: Release) -> Release:
    values = without_actions(release.values)
    return release._replace(values=values, whole=release.whole and values == release.values)


def _with_files(release: Release, files: tuple[Item, ...]) -> Release:
    """The release with its values files merged below its own values; `whole` if it has no other sources of values."""
    helm = mapping_at(release.item.body, *release.pointer[:-1])
    has_all = len(files) == len(list_at(helm, "valueFiles")) and not any(helm.get(key) for key in _SET)
    own_is_known = not release.text or bool(release.values)  # a text that cannot be read gives no values
    return _merged(release._replace(whole=has_all and own_is_known), files)


def _merged(release: Release, files: tuple[Item, ...], *, files_last: bool = False) -> Release:
    inline, values = release.values, dict[str, Any]()
    layers = [mapping_at(item.body, "values") for item in files]
    for layer in (inline, *layers) if files_last else (*layers, inline):
        values = merge_values(values, layer)
    return release._replace(values=values, inline=inline, files=files, files_last=files_last)


def files_of(release: str, objects: Objects) -> tuple[Item, ...]:
    """The values files of a release, in the order in which they are read."""
    by_release = objects.once("values files", lambda: _by_release(objects))
    return tuple(by_release.get(release, ()))


def _by_release(objects: Objects) -> dict[str, list[Item]]:
    by_release: dict[str, list[Item]] = {}
    for item in objects.of(*HELM_VALUES):
        if item.body.get("of"):
            by_release.setdefault(item.body["of"], []).append(item)
    return by_release


def _value_objects(objects: Objects) -> Iterator[Release]:
    """Values files passed for a chart, and the charts that kustomizations inflate."""
    for item in objects.of(*HELM_VALUES):
        body, values = item.body, mapping_at(item.body, "values")
        version, namespace = (str(body.get(key) or "") for key in ("version", "namespace"))
        release = Release(item, str(body["chart"]), version, namespace, ("values",), values, body.get("whole", True))
        if body.get("id"):
            yield _merged(release, files_of(body["id"], objects), files_last=bool(body.get("filesLast")))
        elif not body.get("of"):
            yield release
