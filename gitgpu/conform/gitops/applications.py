"""Applications of Argo CD as rules ask about them: which there are, and which objects they apply."""

from collections.abc import Iterable, Iterator, Mapping
from posixpath import normpath
from typing import Any

from gitgpu.conform.objects import Item, Objects, listed, mapping, reach
from gitgpu.load.delivery.controller import controller

_ARGO = "argoproj.io"


def applications(objects: Objects) -> Iterator[tuple[Item, Mapping[str, Any]]]:
    """Applications, and the templates of ApplicationSets, each with what it says of an Application."""
    for application in objects.of(_ARGO, "Application"):
        yield application, mapping(application.body.get("spec"))
    for generator in objects.of(_ARGO, "ApplicationSet"):
        if not reach(generator.body, "spec", "templatePatch"):
            yield generator, mapping(reach(generator.body, "spec", "template", "spec"))


def heals(spec: Mapping[str, Any]) -> bool:
    """Does an Application that says this undo what others change on the cluster?"""
    automated = mapping(reach(spec, "syncPolicy", "automated"))
    return automated.get("selfHeal") is True and automated.get("enabled") is not False


def applies(application: Item, spec: Mapping[str, Any], item: Item) -> bool:
    """Does it apply an object as it is in Git? No if its sources set replicas, such as `kustomize.replicas`."""
    sources = [mapping(entry) for entry in (spec.get("source"), *listed(spec.get("sources")))]
    return "replicas" not in str(sources) and reaches(application, spec, item)


def reaches(application: Item, spec: Mapping[str, Any], item: Item) -> bool:
    """Does an Application apply an object at all?"""
    sources = [mapping(entry) for entry in (spec.get("source"), *listed(spec.get("sources")))]
    if item.delivered:
        return item.delivered.by == controller(application.body)
    return _in_a_path(item, sources)


def _in_a_path(item: Item, sources: Iterable[Mapping[str, Any]]) -> bool:
    """Does the file lie in a directory that an Application applies as it is?"""
    return any(
        _is_below(item, str(source["path"])) for source in sources if source.get("path") and not source.get("chart")
    )


def _is_below(item: Item, path: str) -> bool:
    file, below = normpath(item.given.places.span().file), normpath(path)
    return below == "." or file.startswith(f"{below}/")
