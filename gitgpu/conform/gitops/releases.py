"""Chart releases as rules ask about them: which chart, which version, which values, wherever they are written."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.conform.objects import Item, Objects, mapping, reach
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Pointer

VALUES = ("gitgpu.dev", "HelmValues")  # a values file that somebody said is one: {chart, values}
_ELSEWHERE = ("valueFiles", "parameters", "fileParameters")  # what Argo CD lays over the values of an Application


class Release(NamedTuple):
    """One release of a chart. `pointer` is where its values stand; `version` is "" where none is named.

    `whole` says that no other values come from elsewhere, so that what is not set here has the chart's default.
    `text` says that the values are YAML inside a string: then every place is that of the string, and no repair is safe.
    """

    item: Item
    chart: str
    version: str
    namespace: str
    pointer: Pointer
    values: Mapping[str, Any]
    whole: bool = True
    text: bool = False

    def value(self, *path: str) -> Any:
        """The value at a path below the values; None where it is not set, and the chart's default holds."""
        found: Any = self.values
        for part in path:
            found = found.get(part) if isinstance(found, dict) else None
        return found

    def place(self, *path: str | int) -> Pointer:
        """The place of a value."""
        return self.pointer if self.text else (*self.pointer, *path)


def releases(objects: Objects, *charts: str) -> Iterator[Release]:
    """The releases of these charts (of all without names): Flux HelmReleases, Argo CD Applications, values files."""
    every = objects.once("releases", lambda: (*_flux(objects), *_argo(objects), *_files(objects)))
    return (release for release in every if not charts or release.chart in charts)


def _flux(objects: Objects) -> Iterator[Release]:
    patched = objects.patched("helm.toolkit.fluxcd.io", "HelmRelease")
    for item in objects.of("helm.toolkit.fluxcd.io", "HelmRelease"):
        spec = reach(item.body, "spec") or {}
        chart = reach(spec, "chart", "spec") or {}
        name, version = chart.get("chart"), chart.get("version")
        if not name and (source := _oci(item, objects)):
            name, version = source["url"].rpartition("/")[2], reach(source, "ref", "tag")
        namespace = spec.get("targetNamespace") or item.identity.namespace
        if name:
            short, values = name.rpartition("/")[2], mapping(spec.get("values"))
            elsewhere = spec.get("valuesFrom") or chart.get("valuesFiles")
            whole = not elsewhere and item.identity.name not in patched
            yield Release(item, short, str(version or ""), namespace, ("spec", "values"), values, whole)


def _oci(item: Item, objects: Objects) -> Mapping[str, Any] | None:
    reference = reach(item.body, "spec", "chartRef") or {}
    wanted = (reference.get("name"), reference.get("namespace") or item.identity.namespace)
    for source_object in objects.of("source.toolkit.fluxcd.io", str(reference.get("kind"))):
        if (source_object.identity.name, source_object.identity.namespace) == wanted and reach(
            source_object.body, "spec", "url"
        ):
            found: Mapping[str, Any] = source_object.body["spec"]
            return found
    return None


def _argo(objects: Objects) -> Iterator[Release]:
    for item in objects.of("argoproj.io", "Application"):
        yield from releases_of(item, mapping(item.body.get("spec")), ("spec",))


def releases_of(item: Item, spec: Mapping[str, Any], place: Pointer) -> Iterator[Release]:
    """The releases of an Application whose spec is at a place of an object, which may be an ApplicationSet."""
    items = [((*place, "source"), spec["source"])] if spec.get("source") else []
    many = [((*place, "sources", at), source) for at, source in enumerate(spec.get("sources") or ())]
    namespace = reach(spec, "destination", "namespace") or ""
    for at, source in (*items, *many):
        if source.get("chart"):
            name, version = source["chart"].rpartition("/")[2], str(source.get("targetRevision") or "")
            yield _of_argo(Release(item, name, version, namespace, (*at, "helm", "valuesObject"), {}), source)


def _of_argo(release: Release, source: Mapping[str, Any]) -> Release:
    helm = reach(source, "helm") or {}
    whole = not any(helm.get(key) for key in _ELSEWHERE)
    given, written = helm.get("valuesObject"), helm.get("values")
    if given or not written:
        return release._replace(values=mapping(given), whole=whole)  # an object goes before a text
    documents, faults = parse(Text("values", written, "values"), as_json=True)
    read = documents[0].data if len(documents) == 1 and not faults else None
    known: Mapping[str, Any] | None = read if isinstance(read, dict) else None
    pointer, whole = (*release.pointer[:-1], "values"), whole and known is not None
    return release._replace(pointer=pointer, values=mapping(known), whole=whole, text=True)


def _files(objects: Objects) -> Iterator[Release]:
    for item in objects.of(*VALUES):
        yield Release(item, str(item.body["chart"]), "", "", ("values",), mapping(item.body.get("values")))
