"""Which files are applied together: what Flux and Argo CD apply, what kustomizations name, and what is left over."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from posixpath import dirname
from typing import Any

from gitgpu.conform.grouping.alternatives import (
    Definition,
    Member,
    common_folder,
    first_conflict,
    odd,
    split_alternatives,
)
from gitgpu.conform.grouping.groups import Group, Grouping, Split, entry_title, opened_by, with_objects
from gitgpu.conform.objects import Identity, identity
from gitgpu.load.access import family
from gitgpu.load.delivery.delivered import delivered
from gitgpu.load.delivery.flux import controller
from gitgpu.load.delivery.graph import DELIVERS, Reach, Unit, World, delivers, direct, inflating, reach, units, world
from gitgpu.load.delivery.kustomize import Part
from gitgpu.load.delivery.patches import Change, additions
from gitgpu.load.delivery.tree import Tree, above, tree
from gitgpu.load.manifest.manifests import Manifests


def group_files(sheets: Manifests) -> Grouping:
    """The groups of all files: clusters first, then what no graph reaches."""
    files = {name: sheet.objects for name, sheet in sheets.sheets.items()}
    whole = tree(files, sheets.kustomizations, sheets.texts)
    every = units(whole)
    entries = [unit for unit in every if delivers(unit, whole)]
    found = Grouping([], [], whole, world(whole) if entries else None)
    taken: set[str] = set()
    if found.world:
        found.groups.extend(_clusters(entries, every, found.world, taken))
    rest = [unit for unit in every if unit.name not in taken]
    pieces = _rest(rest, whole, found.splits)
    kinds = _kinds(whole) if entries else {}
    usual = additions(change for group in found.groups for part in group.parts for change in part.changes)
    found.groups[:] = [_as_usual(group, usual, whole) for group in found.groups]
    for piece in list(pieces):
        found.groups.append(_as_usual(_piece(piece, whole, kinds), usual, whole) if entries else piece)
    return found._replace(groups=[with_objects(group, sheets) for group in found.groups])


def _rest(rest: Sequence[Unit], whole: Tree, splits: list[Split]) -> Iterator[Group]:
    """What no graph reaches: each root kustomization, and loose files as far as they do not clash."""
    for unit in (unit for unit in rest if unit.kustomizations):
        opened = opened_by(dict.fromkeys(unit.beyond))
        charts = tuple(inflating(unit.kustomizations, whole))
        yield Group(unit.parts, unit.beyond, loose=False, opened=opened, charts=charts, root=unit.name)
    loose = [Member(unit.name, definitions(unit.parts, whole)) for unit in rest if not unit.kustomizations]
    clash = first_conflict(loose)
    if clash:
        splits.append(Split(*clash, len(loose)))
    yield from (Group([Part(member.path) for member in members]) for members in split_alternatives(loose) if members)


def _piece(group: Group, whole: Tree, kinds: Mapping[tuple[str, str], set[Identity]]) -> Group:
    """In a repository with a delivery graph, files outside it are part of a cluster, and the rest of it is unknown."""
    mine = {identity(loaded.body) for part in group.parts for loaded in whole.files.get(part.file, ())}
    others = {kind for kind, every in kinds.items() if not every <= mine}
    return group._replace(piece=True, beyond=group.beyond | others)


def _as_usual(group: Group, usual: tuple[Change, ...], whole: Tree) -> Group:
    """What Flux does not apply yet: it would add to it what it adds to the objects that it does apply.

    What states these additions is applied by hand, and so gets none.
    """
    patching = {part.by.name for part in group.parts if part.by and part.changes}

    def states(part: Part) -> bool:
        return any(controller(loaded.body) in patching for loaded in whole.files.get(part.file, ()))

    parts = [
        part if part.by or states(part) else part._replace(changes=(*part.changes, *usual)) for part in group.parts
    ]
    return group._replace(parts=parts) if usual else group


def _kinds(whole: Tree) -> dict[tuple[str, str], set[Identity]]:
    found: dict[tuple[str, str], set[Identity]] = {}
    for objects in whole.files.values():
        for loaded in objects:
            own = identity(loaded.body)
            found.setdefault((own.group, own.kind), set()).add(own)
    return found


def _clusters(entries: Sequence[Unit], every: Sequence[Unit], here: World, taken: set[str]) -> Iterator[Group]:
    """What each entry point applies. Entry points without conflicts belong to one cluster. Adds to `taken`."""
    reaches = _entries(entries, here)
    by_name = {unit.name: unit for unit in entries}
    for found in reaches.values():
        taken.update(found.taken)
    members = [Member(name, _entry_says(name, found, here.tree)) for name, found in reaches.items()]
    groups = [[member.path for member in members] for members in split_alternatives(members)]
    beside = _beside(groups, [unit for unit in every if unit.name not in taken and not unit.kustomizations], by_name)
    for names, near in zip(groups, beside, strict=True):
        parts_of = {name: reaches[name].parts.get("", ()) for name in names} | {name: (Part(name),) for name in near}
        clashes = odd([Member(name, definitions(parts, here.tree)) for name, parts in parts_of.items()])
        more = [name for name in near if name not in clashes]  # steps or alternatives: one hand does not apply both
        taken.update(more)
        found = reaches[names[0]] if len(names) == 1 and not more else reach(_joined(names, more, by_name), here)
        for cluster, parts in sorted(found.parts.items()):
            beyond = found.beyond.get(cluster, {})
            called = cluster or entry_title(names)
            charts = tuple(found.charts.get(cluster, ()))
            yield Group(_lasting(parts), frozenset(beyond), opened=opened_by(beyond), name=called, charts=charts)


def _lasting(parts: Iterable[Part]) -> list[Part]:
    """The parts, without files applied by hand that a Flux Kustomization applies too, with patches over them."""
    every = list(dict.fromkeys(parts))
    patched = {part.file for part in every if part.by and part.changes}
    return [part for part in every if part.by or part.file not in patched]


def _joined(names: Sequence[str], more: Sequence[str], units_: Mapping[str, Unit]) -> Unit:
    """Entry points of one cluster, and the files beside them, as one."""
    parts = [part for name in names for part in units_[name].parts]
    kustomizations = [kustomization for name in names for kustomization in units_[name].kustomizations]
    beyond = frozenset(kind for name in names for kind in units_[name].beyond)
    return Unit(names[0], (*parts, *map(Part, more)), tuple(kustomizations), beyond)


def _entries(units_: Sequence[Unit], here: World) -> dict[str, Reach]:
    """The entry points: what nothing else applies. Of a cycle, the first by name."""
    told = {unit.name: direct(unit, here) for unit in units_}
    wanted = Counter(name for own, names in told.items() for name in names if name != own)
    found = {unit.name: reach(unit, here) for unit in units_ if not wanted[unit.name]}
    reached = Counter(name for entry in found.values() for name in entry.taken)  # so that none is searched
    for unit in sorted(units_):
        if not reached[unit.name]:
            mine = reach(unit, here)
            for name in mine.taken.intersection(found):
                reached.subtract(found.pop(name).taken)
            found[unit.name] = mine
            reached.update(mine.taken)
    return found


def _beside(groups: Sequence[Sequence[str]], loose: Sequence[Unit], units_: Mapping[str, Unit]) -> list[list[str]]:
    """The loose files that lie with the loose files of entry points, for each group: one hand applies the directory."""
    group_of: dict[str, int] = {}  # of a directory, the last group
    for at, names in enumerate(groups):
        own = [dirname(name) for name in names if not units_[name].kustomizations]
        shared = common_folder(own)
        group_of.update(dict.fromkeys((*own, *([shared] if shared else [])), at))
    found: list[list[str]] = [[] for _ in groups]
    for unit in loose:
        nearest = next((folder for folder in _folders(unit.name) if folder in group_of), None)
        if nearest is not None:
            found[group_of[nearest]].append(unit.name)
    return found


def _folders(name: str) -> Iterator[str]:
    """The directories that a file is in, nearest first. What is in none is only in the topmost one, which is all."""
    folder = dirname(name)
    return (around for around in above(name) if around or not folder)


def _entry_says(name: str, found: Reach, whole: Tree) -> dict[Hashable, Any]:
    """Two entry points that have one directory applied, or one Flux Kustomization, are of two clusters."""
    said: dict[Hashable, Any] = dict.fromkeys(found.folders, name)
    for key, what in definitions(found.parts.get("", ()), whole).items():
        said[key] = name if family(what.one.body) in DELIVERS else what
    return said


def definitions(parts: Iterable[Part], whole: Tree) -> dict[Hashable, Definition]:
    """The objects of some files by identity."""
    found: dict[Hashable, Definition] = {}
    for part in parts:
        for loaded in () if part.patch else whole.files.get(part.file, ()):
            made = delivered(loaded.body, part)
            own = identity(made.body) if made else None
            if made and own and own.name:
                found.setdefault(applied_identity(own, part), Definition(made.body, loaded))
    return found


def applied_identity(own: Identity, part: Part) -> Identity:
    """The identity in the namespace that a kustomization, or else an Application, gives."""
    if (own.group, own.kind) == ("", "Namespace"):
        return own._replace(name=part.namespace or own.name)
    return own._replace(namespace=part.namespace or own.namespace or part.fallback)
