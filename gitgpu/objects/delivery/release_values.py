"""Chart values in separate files: `$ref/FILE` of Argo CD, and `helmCharts` of kustomizations."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach, text_at
from gitgpu.diagnostic import Places
from gitgpu.load.helm_values import Inside, Values, release_id, values_object
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.delivery import argo
from gitgpu.objects.delivery.application_sources import KINDS, placed_sources, spec_place
from gitgpu.objects.delivery.kustomize import CHARTS, Kustomization
from gitgpu.objects.delivery.tree import Tree
from gitgpu.objects.loaded import Loaded
from gitgpu.source import Pointer, SourceMap, Span


class _ChartPlaces(NamedTuple):
    """The places of a release that is an entry of `helmCharts`; its values are `valuesInline`."""

    places: Places
    entry: Pointer

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value, by its name in a release."""
        names = {"chart": "name", "values": "valuesInline"}
        renamed = (names.get(str(pointer[0]), pointer[0]), *pointer[1:]) if pointer else ()
        return self.places.span((*self.entry, *renamed), key=key)


def chart_releases(names: Iterable[str], tree: Tree) -> Iterator[Values]:
    """The releases that kustomizations inflate, each followed by its values files."""
    for kustomization in (tree.kustomizations[name] for name in names if name in tree.kustomizations):
        for index, entry in enumerate(list_at(kustomization.data, CHARTS)):
            if text_at(entry, "name"):
                yield from _chart_release(kustomization, (CHARTS, index), entry, tree)


def _chart_release(
    kustomization: Kustomization, place: Pointer, entry: Mapping[str, Any], tree: Tree
) -> Iterator[Values]:
    release = release_id(kustomization.places, place)
    merge, inline = text_at(entry, "valuesMerge"), reach(entry, "valuesInline")
    names = [text_at(entry, "valuesFile"), *list_at(entry, "additionalValuesFiles")]
    if merge == "replace" and inline:  # the inline values replace those of files
        names = []
    files = [values_file(_below(kustomization, str(name)), release, tree.texts) for name in names if name]
    # With `merge`, files override inline values; by default, it is the reverse (as in Kustomize's chart generator).
    body = values_object(text_at(entry, "name"), dict(mapping_at(inline))) | {
        "id": release,
        "version": str(entry.get("version") or ""),
        "repository": text_at(entry, "repo"),
        "namespace": text_at(entry, "namespace") or kustomization.namespace,
        "filesLast": merge == "merge",
        "whole": None not in files,
    }
    yield Values(body, _ChartPlaces(kustomization.places, place), tree.texts[kustomization.file])
    yield from filter(None, files)


def _below(kustomization: Kustomization, name: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(kustomization.file), name))


def application_values(loaded: Iterable[Loaded], world: argo.Argo) -> Iterator[Values]:
    """The values files that the charts of Applications and ApplicationSets refer to by `$ref/FILE`."""
    for application in loaded:
        place = spec_place(application.body)
        sources = list(placed_sources(reach(application.body, *place)))
        references = {text_at(source, "ref"): source for _, source in sources if text_at(source, "ref")}
        for at, source in sources if references else ():
            release = release_id(application.places, (*place, *at))
            for name in list_at(source, "helm", "valueFiles") if text_at(source, "chart") else ():
                path = argo.referenced_file(application.file, str(name), references, world)
                file_values = values_file(path, release, world.tree.texts) if path else None
                if file_values:
                    yield file_values


def values_file(path: str, release: str, texts: Mapping[str, Text]) -> Values | None:
    """A values file of a release; None if it was not read, or is not one mapping."""
    text = texts.get(path)
    if text is None:
        return None
    documents, faults = parse(text, as_json=True)
    if faults or len(documents) > 1:
        return None
    data = documents[0].data if documents else None  # Helm reads an empty file as one without values
    places = documents[0].places if documents else SourceMap.of(Span(path, 1, 1))
    if not isinstance(data, dict | None):
        return None
    return Values(values_object("", data or {}) | {"of": release}, Inside(places), text)


def applications(names: Iterable[str], tree: Tree) -> Iterator[Loaded]:
    """The Applications and ApplicationSets among the objects of files."""
    for name in names:
        for loaded in tree.files.get(name, ()):
            if group_kind(loaded.body) in KINDS:
                yield loaded
