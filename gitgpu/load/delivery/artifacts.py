"""The paths that Flux reads: in a source, or in an artifact that an ArtifactGenerator assembles from sources."""

from collections.abc import Iterable, Iterator, Mapping
from posixpath import join
from typing import Any, NamedTuple

from gitgpu.load.access import rows, words
from gitgpu.load.delivery.tree import clean


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
    source = Source(words(spec, "sourceRef", "kind"), words(spec, "sourceRef", "name"))
    path = words(spec, "path")
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
        sources = {words(source, "alias"): source for source in rows(body, "spec", "sources")}
        for artifact in rows(body, "spec", "artifacts"):
            yield words(artifact, "name"), tuple(_copies(artifact, sources))


def _copies(artifact: dict[str, Any], sources: Mapping[str, dict[str, Any]]) -> Iterator[Copy]:
    for entry in rows(artifact, "copy"):
        alias, _, start = words(entry, "from").removeprefix("@").partition("/")
        source = sources.get(alias, {})
        to = words(entry, "to").removeprefix("@artifact")
        yield Copy(Source(words(source, "kind"), words(source, "name")), clean(start.removesuffix("**")), clean(to))


def _within(path: str, folder: str) -> str | None:
    """The rest of a path below a directory, or None if the path is not in the directory."""
    if not folder or path == folder:
        return path if not folder else ""
    return path.removeprefix(f"{folder}/") if path.startswith(f"{folder}/") else None
