"""Groups of files that are applied together: what is known of them, and what people would call them."""

from collections.abc import Iterable, Mapping, Sequence
from posixpath import basename, dirname
from typing import NamedTuple

from gitgpu.conform.grouping.alternatives import common_folder
from gitgpu.conform.objects import identity
from gitgpu.diagnostic import Severity
from gitgpu.load.delivery.graph import World
from gitgpu.load.delivery.kustomize import ANY, Part
from gitgpu.load.delivery.tree import Tree
from gitgpu.load.manifest.manifests import Manifests
from gitgpu.load.manifest.objects import Loaded
from gitgpu.source import Span

_BOOTSTRAP = "flux-system"  # the directory that `flux bootstrap` makes


class Opened(NamedTuple):
    """Why not all of a group is known: where that is, and what is there."""

    span: Span
    what: str


class Group(NamedTuple):
    """Files that are applied together.

    `beyond` are kinds, as (group, kind): the cluster may have other objects of them; ANY is any kind. With
    `piece` they are only a part of what is on some cluster. With `loose`, several appliers may apply the same object.
    `opened` says what of it comes from elsewhere or could not be read, where there is such a thing. `name`
    is a name for the cluster, "" if there is none. `charts` are the kustomizations that inflate
    Helm charts. `root` is the kustomization that takes in all of the group, where there is one.
    """

    parts: Sequence[Part]
    beyond: frozenset[tuple[str, str]] = frozenset()
    piece: bool = False
    loose: bool = True
    opened: Opened | None = None
    name: str = ""
    charts: tuple[str, ...] = ()
    root: str = ""


def unlike(groups: Iterable[Group]) -> list[Group]:
    """The groups without those of the same files: clusters that share all their files have the same findings."""
    return list(
        {(tuple(group.parts), group.beyond, group.loose, group.piece, group.charts): group for group in groups}.values()
    )


class Split(NamedTuple):
    """Two different definitions of one object: their files are not checked together."""

    one: Loaded
    other: Loaded
    files: int


class Grouping(NamedTuple):
    """The groups, where files that no kustomization names were split into several, and what is known of all files.

    `world` is None where nothing of Flux or Argo CD is among them.
    """

    groups: list[Group]
    splits: list[Split]
    tree: Tree
    world: World | None = None


def with_objects(group: Group, sheets: Manifests) -> Group:
    """The group, in which any object may be absent when one of its files was not read, or not all of it."""
    for part in (part for part in group.parts if not part.patch):
        sheet = sheets.sheets.get(part.file)
        if sheet is None or any(fault.severity is Severity.ERROR for fault in sheet.faults):
            why = group.opened or Opened(Span(part.file, 0, 0), f"{part.file} is not read, or not all of it")
            return group._replace(beyond=group.beyond | {ANY}, opened=why)
    return group


def opened_by(beyond: Mapping[tuple[str, str], Loaded | None]) -> Opened | None:
    """What brings in objects of any kind from elsewhere: an object, or a kustomization."""
    loaded = beyond.get(ANY)
    if loaded is None:
        return Opened(Span("", 0, 0), "a kustomization names what is not among these files") if ANY in beyond else None
    own = identity(loaded.body)
    return Opened(loaded.places.span(), f"{own.kind} {own.name} applies objects that are not in these files")


def entry_title(names: Sequence[str]) -> str:
    """The directory of entry points, such as clusters/NAME; what Flux makes for itself lies one below."""
    parts = [part for part in common_folder([dirname(name) for name in names]).split("/") if part != _BOOTSTRAP]
    return parts[-1] if parts else ""


def title(files: Sequence[str]) -> str:
    """What people would call a group: the folder that all its files are in, or its one file."""
    first, last = min(files), max(files)
    same = next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    folder = dirname(first[:same]).rpartition("/")[2]
    return folder or basename(first).partition(".")[0]
