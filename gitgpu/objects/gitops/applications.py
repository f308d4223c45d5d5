"""Argo CD Applications as rules read them: their specs, and which objects they apply."""

from collections.abc import Iterable, Iterator, Mapping
from posixpath import normpath
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.model.names.kinds import APPLICATION, APPLICATION_SET
from gitgpu.objects.delivery.application_sources import sources_of
from gitgpu.objects.delivery.controller import controller
from gitgpu.objects.objects import Item, Objects


def applications(objects: Objects) -> Iterator[tuple[Item, Mapping[str, Any]]]:
    """Applications and the templates of ApplicationSets, each with the spec of the Application."""
    for application in objects.of(*APPLICATION):
        yield application, mapping_at(application.body, "spec")
    for generator in objects.of(*APPLICATION_SET):
        if not reach(generator.body, "spec", "templatePatch"):
            yield generator, mapping_at(generator.body, "spec", "template", "spec")


def heals(spec: Mapping[str, Any]) -> bool:
    """Whether an Application with this spec reverts changes that others make on the cluster."""
    automated = mapping_at(spec, "syncPolicy", "automated")
    return automated.get("selfHeal") is True and automated.get("enabled") is not False


def applies(application: Item, spec: Mapping[str, Any], item: Item) -> bool:
    """Whether it applies an object as it is in Git.

    It does not if its sources set replicas, such as `kustomize.replicas`.
    """
    return "replicas" not in str(sources_of(spec)) and reaches(application, spec, item)


def reaches(application: Item, spec: Mapping[str, Any], item: Item) -> bool:
    """Whether an Application applies an object at all."""
    if item.delivered:
        return item.delivered.by == controller(application.body)
    return _is_in_a_path(item, sources_of(spec))


def _is_in_a_path(item: Item, sources: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the file is in a directory that an Application applies unchanged."""
    paths = [str(source["path"]) for source in sources if source.get("path") and not source.get("chart")]
    return any(_is_below(item, path) for path in paths)


def _is_below(item: Item, path: str) -> bool:
    file, below = normpath(item.given.places.span().file), normpath(path)
    return below == "." or file.startswith(f"{below}/")
