"""The paths that Flux reads: in a source, or in an artifact that an ArtifactGenerator assembles from sources."""

from collections.abc import Iterable, Iterator, Mapping
from posixpath import join
from typing import Any, NamedTuple

from gitgpu.access import rows, text_at
from gitgpu.objects.delivery.tree import clean


class Source(NamedTuple):
    """The target of a sourceRef. Namespaces are not compared."""

    kind: str
    name: str


class Copy(NamedTuple):
    """A copy operation of an ArtifactGenerator: from a path in a source to a path in the artifact."""

    source: Source
    start: str
    to: str


def wanted_paths(spec: Any, copies: Mapping[str, tuple[Copy, ...]]) -> Iterator[tuple[str, Source]]:
    """Possible paths of a Kustomization, with their sources. An artifact can have several sources."""
    source = Source(text_at(spec, "sourceRef", "kind"), text_at(spec, "sourceRef", "name"))
    path = text_at(spec, "path")
    if source.kind != "ExternalArtifact":
        yield path, source
        return
    for copy in copies.get(source.name, ()):
        rest = _within(clean(path), copy.to)
        if rest is not None:
            yield join(copy.start, rest), copy.source


def artifacts(bodies: Iterable[dict[str, Any]]) -> Iterator[tuple[str, tuple[Copy, ...]]]:
    """The names of the artifacts of ArtifactGenerators, with the copy operations for each."""
    for body in bodies:
        sources = {text_at(source, "alias"): source for source in rows(body, "spec", "sources")}
        for artifact in rows(body, "spec", "artifacts"):
            yield text_at(artifact, "name"), tuple(_copies(artifact, sources))


def _copies(artifact: dict[str, Any], sources: Mapping[str, dict[str, Any]]) -> Iterator[Copy]:
    for entry in rows(artifact, "copy"):
        alias, _, start = text_at(entry, "from").removeprefix("@").partition("/")
        source = sources.get(alias, {})
        to = text_at(entry, "to").removeprefix("@artifact")
        yield Copy(Source(text_at(source, "kind"), text_at(source, "name")), clean(start.removesuffix("**")), clean(to))


def _within(path: str, folder: str) -> str | None:
    """The rest of a path below a directory, or None if the path is not in the directory."""
    if not folder or path == folder:
        return path if not folder else ""
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else None
