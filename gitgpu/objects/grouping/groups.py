"""Groups of files that are applied together, and their names."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, commonprefix, dirname
from typing import NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.objects.delivery.graph import Reach, World
from gitgpu.objects.delivery.kustomize import ANY, Part
from gitgpu.objects.delivery.tree import Tree
from gitgpu.objects.grouping.alternatives import common_folder
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.objects import identity
from gitgpu.source import Span

_BOOTSTRAP = "flux-system"  # the directory that `flux bootstrap` creates


class Opened(NamedTuple):
    """Why not all objects of a group are known: the place and the reason."""

    span: Span
    what: str


class Group(NamedTuple):
    """Files that are applied together.

    `beyond` are kinds, as (group, kind), whose objects may also be elsewhere; ANY is any kind. With `piece`,
    the files are only a part of what is on a cluster. With `loose`, the same object may be applied several times.
    `opened` is the reason why the cluster may have other objects, if there is one. `name` is the cluster name or
    "". `charts` are the kustomizations that inflate Helm charts. `root` is the kustomization that includes all files of
    the group, if there is one. With `by_hand`, nothing joins the files: some may be alternatives.
    """

    parts: Sequence[Part]
    beyond: frozenset[tuple[str, str]] = frozenset()
    piece: bool = False
    loose: bool = True
    opened: Opened | None = None
    name: str = ""
    charts: tuple[str, ...] = ()
    root: str = ""
    by_hand: bool = False


def unlike(groups: Iterable[Group]) -> list[Group]:
    """The groups without duplicates: clusters with exactly the same files have the same findings."""
    distinct: dict[tuple[Hashable, ...], Group] = {}
    for group in groups:
        distinct[(tuple(group.parts), group.beyond, group.loose, group.piece, group.charts, group.by_hand)] = group
    return list(distinct.values())


class Split(NamedTuple):
    """Two different definitions of one object: their files are not checked together."""

    first: Loaded
    second: Loaded
    files: int


class Grouping(NamedTuple):
    """All groups. `splits` are the conflicts that split the files without a kustomization into several groups.

    `world` is None if no object of Flux or Argo CD is among the files.
    """

    groups: list[Group]
    splits: list[Split]
    tree: Tree
    world: World | None = None


def with_objects(group: Group, manifests: Manifests) -> Group:
    """The group; if one of its files could not be read completely, the cluster may have other objects of any kind."""
    for part in (part for part in group.parts if not part.patch):
        file = manifests.files.get(part.file)
        if file is None or any(fault.severity is Severity.ERROR for fault in file.faults):
            why = group.opened or Opened(Span(part.file), f"{part.file} was not read, or only partly")
            return group._replace(beyond=group.beyond | {ANY}, opened=why)
    return group


def opener(beyond: Mapping[tuple[str, str], Loaded | None]) -> Opened | None:
    """The object or the kustomization that applies objects from elsewhere; None if there is none."""
    loaded = beyond.get(ANY)
    if loaded is None:
        return Opened(Span(""), "a kustomization uses paths outside these files") if ANY in beyond else None
    own = identity(loaded.body)
    return Opened(loaded.places.span(), f"{own.kind} {own.name} applies objects that are not in these files")


def groups_of(reached: Reach, title: str) -> Iterator[Group]:
    """A group for each cluster that is reached; the entry points' own group has their title."""
    for cluster, parts in sorted(reached.parts.items()):
        beyond = reached.beyond.get(cluster, {})
        charts = tuple(reached.charts.get(cluster, ()))
        yield Group(_lasting(parts), frozenset(beyond), opened=opener(beyond), name=cluster or title, charts=charts)


def _lasting(parts: Iterable[Part]) -> list[Part]:
    """The parts, without files applied by hand that a Flux Kustomization applies too, with patches over them."""
    distinct = list(dict.fromkeys(parts))
    patched = {part.file for part in distinct if part.by and part.changes}
    return [part for part in distinct if part.by or part.file not in patched]


def entry_title(names: Sequence[str]) -> str:
    """The name of the cluster of entry points in clusters/NAME. `flux bootstrap` creates a directory below that."""
    folder = common_folder([dirname(name) for name in names])
    parts = [part for part in folder.split("/") if part != _BOOTSTRAP]
    return parts[-1] if parts else ""


def title(files: Sequence[str]) -> str:
    """A name for a group: the folder that contains all its files, or its only file."""
    first, last = min(files), max(files)
    folder = dirname(commonprefix((first, last))).rpartition("/")[2]
    return basename(first).partition(".")[0] if folder in ("", "..") else folder
