"""Objects that two fleets of gitgpu write for the same cluster: what is applied last replaces the other."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.generated import HEAD, claimed_paths
from gitgpu.objects.delivery.targets import target_of
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.objects import Identity, identity
from gitgpu.spelling import count_text


class _Written(NamedTuple):
    """An object in the output of a fleet: the output directory, and the path of the file below it."""

    root: str
    path: str
    loaded: Loaded


def two_fleets(manifests: Manifests) -> Iterator[Diagnostic]:
    """A warning for each cluster and two output directories with objects of Flux or Argo CD that differ."""
    first: dict[tuple[str, Identity], _Written] = {}
    clashes: dict[tuple[str, str, str], list[tuple[_Written, _Written]]] = {}
    for written in _delivering(manifests):
        key = (written.path, identity(written.loaded.body))
        other = first.setdefault(key, written)
        if other.root != written.root and target_of(other.loaded.body) != target_of(written.loaded.body):
            cluster = written.path.partition("/")[0]
            clashes.setdefault((cluster, other.root, written.root), []).append((other, written))
    for (cluster, *_), pairs in clashes.items():
        yield _warning(cluster, *pairs[0], len(pairs) - 1)


def _delivering(manifests: Manifests) -> Iterator[_Written]:
    """The objects that deliver, in generated files."""
    for name, file in sorted(manifests.files.items()):
        delivering_objects = [loaded for loaded in file.objects if target_of(loaded.body) is not None]
        claimed = claimed_paths(manifests.texts[name].content[:HEAD].encode()) if delivering_objects else ()
        for path in claimed:
            if len(claimed) == 1 and name.endswith(path):
                yield from (_Written(name.removesuffix(path), path, loaded) for loaded in delivering_objects)


def _warning(cluster: str, first: _Written, other: _Written, more: int) -> Diagnostic:
    own = identity(other.loaded.body)
    others = f" (and {count_text(more, 'other object')})" if more else ""
    place = first.loaded.places.span()
    message = f"another fleet writes {own.kind} {own.namespace}/{own.name}{others} of cluster {cluster} too: {place}"
    remedy = "give one of the two Fleets another metadata.name, so that neither replaces the objects of the other"
    span = other.loaded.places.span(("metadata", "name"))
    return Diagnostic("LNT016", Severity.WARNING, message, remedy, span, "/metadata/name", own.ref)
