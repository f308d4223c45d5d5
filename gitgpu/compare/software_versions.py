"""Charts and images whose version changes, from the objects of both sides."""

from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, dirname
from typing import Any

from gitgpu.compare.change import Change
from gitgpu.compare.snapshot import at
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.digests import version_of_digest
from gitgpu.model.software.transitions import Transition, transition


def transitions(changes: Sequence[Change], catalog: Catalog) -> tuple[Transition, ...]:
    """Each change of version on a cluster, by name; software that comes or goes has none.

    Both sides are taken together: the object that names the version can be of another kind afterwards.
    """
    was: dict[str, str] = {}
    now: dict[str, str] = {}
    for change in changes:
        was.update(_versions(change.before.body, catalog) if change.before else ())
        now.update(_versions(change.after.body, catalog) if change.after else ())
    names = [name for name in sorted(was.keys() & now.keys()) if was[name] != now[name]]
    return tuple(transition(name, was[name], now[name], catalog) for name in names)


def _versions(body: Any, catalog: Catalog) -> Iterator[tuple[str, str]]:
    """The charts and images that an object names, with their versions."""
    charts = {row["chart"]: name for name, row in catalog.rows("charts").items()}
    for chart, version in _charts(body):
        if (name := charts.get(basename(chart))) and isinstance(version, str):
            yield name, version
    for repository, tag in _images(body):
        if (name := _software(repository, catalog)) and tag:
            yield name, version_of_digest(name, tag, catalog) or tag


def _charts(body: Any) -> Iterator[tuple[str, Any]]:
    """The charts that Flux and Argo CD install."""
    spec = at(body, "spec")
    if body.get("kind") == "HelmRelease":
        yield str(at(spec, "chart", "spec", "chart")), at(spec, "chart", "spec", "version")
    if body.get("kind") == "OCIRepository":
        yield str(at(spec, "url")), at(spec, "ref", "tag")
    if body.get("kind") == "Application":
        sources = at(spec, "sources")
        for source in [at(spec, "source"), *(sources if isinstance(sources, list) else ())]:
            yield str(at(source, "chart")), at(source, "targetRevision")


def _images(value: Any) -> Iterator[tuple[str, str]]:
    """Repository and tag of every image; objects of operators have them in two fields, `image` and `version`."""
    if isinstance(value, Mapping):
        image, tag = value.get("image"), value.get("version")
        if isinstance(image, str):
            named, _, _ = image.partition("@")  # without the digest
            repository, _, own = basename(named).partition(":")
            folder = dirname(image) or value.get("repository") or ""
            yield f"{folder}/{repository}", own or str(tag or "")
        for inner in value.values():
            yield from _images(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _images(inner)


def _software(repository: str, catalog: Catalog) -> str:
    """The row whose repository ends like this one, so that copies in a private registry count; "" if unclear."""
    parts = repository.split("/")
    shared = {name: _alike(parts, row["repository"].split("/")) for name, row in catalog.rows("containers").items()}
    most = max(shared.values(), default=0)
    best = [name for name, count in shared.items() if count == most]
    return best.pop() if most and len(best) == 1 else ""


def _alike(first: Sequence[str], second: Sequence[str]) -> int:
    """How many parts at the end are the same."""
    count = 0
    for part, other in zip(reversed(first), reversed(second), strict=False):
        if part != other:
            break
        count += 1
    return count
