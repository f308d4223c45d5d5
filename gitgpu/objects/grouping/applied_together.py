"""Which files are applied together: by Flux and Argo CD, by kustomizations, and the rest by hand."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from posixpath import dirname
from typing import Any

from gitgpu.access import rows, text_at
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION, group_kind
from gitgpu.objects.delivery.controller import controller
from gitgpu.objects.delivery.graph import (
    DELIVERS,
    Reach,
    Unit,
    World,
    delivers,
    direct,
    inflating,
    reach_of,
    units_of,
    world_of,
)
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.delivery.patches import Change, additions
from gitgpu.objects.delivery.tree import Tree, above, tree_of
from gitgpu.objects.grouping.alternatives import (
    Member,
    common_folder,
    conflicting,
    definitions,
    first_conflict,
    split_alternatives,
)
from gitgpu.objects.grouping.groups import Group, Grouping, Split, entry_title, groups_of, opener, with_objects
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.objects import Identity, identity


def group_files(manifests: Manifests) -> Grouping:
    """The groups of all files: clusters first, then files that neither Flux nor Argo CD applies."""
    files = {name: file.objects for name, file in manifests.files.items()}
    tree = tree_of(files, manifests.kustomizations, manifests.texts)
    all_units = units_of(tree)
    entries = [unit for unit in all_units if delivers(unit, tree)]
    grouping = Grouping([], [], tree, world_of(tree) if entries else None)
    taken: set[str] = set()
    if grouping.world:
        grouping.groups.extend(_clusters(entries, all_units, grouping.world, taken))
    remaining_units = [unit for unit in all_units if unit.name not in taken]
    pieces = _rest(remaining_units, tree, grouping.splits)
    kinds = _kinds(tree) if entries else {}
    common_changes = additions(_changes(grouping.groups))
    grouping.groups[:] = [_with_common_changes(group, common_changes, tree) for group in grouping.groups]
    for piece in list(pieces):
        grouping.groups.append(
            _with_common_changes(_piece(piece, tree, kinds), common_changes, tree) if entries else piece
        )
    return grouping._replace(groups=[with_objects(group, manifests) for group in grouping.groups])


def _changes(groups: Iterable[Group]) -> Iterator[Change]:
    for group in groups:
        for part in group.parts:
            yield from part.changes


def _rest(rest: Sequence[Unit], tree: Tree, splits: list[Split]) -> Iterator[Group]:
    """Groups of other files: each root kustomization, and loose files, split if they conflict."""
    for unit in (unit for unit in rest if unit.kustomizations):
        opened = opener(dict.fromkeys(unit.beyond))
        charts = tuple(inflating(unit.kustomizations, tree))
        yield Group(unit.parts, unit.beyond, loose=False, opened=opened, charts=charts, root=unit.name)
    loose = [Member(unit.name, definitions(unit.parts, tree)) for unit in rest if not unit.kustomizations]
    conflict = first_conflict(loose)
    if conflict:
        splits.append(Split(*conflict, len(loose)))
    for members in split_alternatives(loose):
        if members:
            yield Group([Part(member.path) for member in members], by_hand=True)


def _piece(group: Group, tree: Tree, kinds: Mapping[tuple[str, str], set[Identity]]) -> Group:
    """In a repository for Flux or Argo CD, files that they do not apply are part of an unknown cluster."""
    own_objects: set[Identity] = set()
    for part in group.parts:
        own_objects.update(identity(loaded.body) for loaded in tree.files.get(part.file, ()))
    # Of any other kind, some objects are elsewhere in the repository.
    complete = {own[:2] for own in own_objects if kinds[own.group, own.kind] <= own_objects}
    others = kinds.keys() - complete
    return group._replace(piece=True, beyond=group.beyond | others)


def _with_common_changes(group: Group, common_changes: tuple[Change, ...], tree: Tree) -> Group:
    """Adds to files that Flux does not apply yet what it adds to all objects that it applies.

    Files with the Flux Kustomizations that define these additions are applied by hand, without additions.
    """
    patching = {part.by.name for part in group.parts if part.by and part.changes}

    def defines_additions(part: Part) -> bool:
        return any(controller(loaded.body) in patching for loaded in tree.files.get(part.file, ()))

    if not common_changes:
        return group
    parts: list[Part] = []
    for part in group.parts:
        unchanged = part.by or defines_additions(part)
        parts.append(part if unchanged else part._replace(changes=(*part.changes, *common_changes)))
    return group._replace(parts=parts)


def _kinds(tree: Tree) -> dict[tuple[str, str], set[Identity]]:
    by_kind: dict[tuple[str, str], set[Identity]] = {}
    for objects in tree.files.values():
        for loaded in objects:
            own = identity(loaded.body)
            by_kind.setdefault((own.group, own.kind), set()).add(own)
    return by_kind


def _clusters(entries: Sequence[Unit], all_units: Sequence[Unit], world: World, taken: set[str]) -> Iterator[Group]:
    """What each entry point applies. Entry points without conflicts belong to one cluster. Adds to `taken`."""
    reaches = _entries(entries, world)
    by_name = {unit.name: unit for unit in entries}
    for reached in reaches.values():
        taken.update(reached.taken)
    same_cluster = _by_dependencies([by_name[name] for name in reaches], world.tree)
    members = [
        Member(name, _entry_definitions(same_cluster[name], reached, world.tree)) for name, reached in reaches.items()
    ]
    groups = [list(map(attrgetter("path"), compatible)) for compatible in split_alternatives(members)]
    loose = [unit for unit in all_units if unit.name not in taken and not unit.kustomizations]
    for names, near in zip(groups, _files_beside(groups, loose, by_name), strict=True):
        more = _without_conflicts(near, {name: reaches[name] for name in names}, world.tree)
        taken.update(more)
        # The reach of a single entry point is known already.
        reached = reaches[names[0]] if len(names) == 1 and not more else reach_of(_joined(names, more, by_name), world)
        yield from groups_of(reached, entry_title(names))


def _without_conflicts(near: Sequence[str], reaches: Mapping[str, Reach], tree: Tree) -> list[str]:
    """The parts, without files applied by hand that a Flux Kustomization also applies with patches."""
    parts_of: dict[str, Sequence[Part]] = {name: reached.parts.get("", ()) for name, reached in reaches.items()}
    parts_of |= {name: (Part(name),) for name in near}
    wrong = conflicting([Member(name, definitions(parts, tree)) for name, parts in parts_of.items()])
    return [name for name in near if name not in wrong]


def _joined(names: Sequence[str], more: Sequence[str], units: Mapping[str, Unit]) -> Unit:
    """The entry points of one cluster, and the files next to them, as one unit."""
    parts: list[Part] = []
    kustomizations: list[str] = []
    beyond: set[tuple[str, str]] = set()
    for name in names:
        parts += units[name].parts
        kustomizations += units[name].kustomizations
        beyond |= units[name].beyond
    return Unit(names[0], (*parts, *map(Part, more)), tuple(kustomizations), frozenset(beyond))


def _entries(units: Sequence[Unit], world: World) -> dict[str, Reach]:
    """The entry points: units that no other unit applies. In a cycle, the first one by name."""
    applied: set[str] = set()
    for unit in units:
        applied.update(name for name in direct(unit, world) if name != unit.name)
    reaches = {unit.name: reach_of(unit, world) for unit in units if unit.name not in applied}
    reached: Counter[str] = Counter()  # counted once, so that each look-up below is fast
    for entry in reaches.values():
        reached.update(entry.taken)
    for unit in sorted(units):
        if not reached[unit.name]:
            own = reach_of(unit, world)
            for name in own.taken.intersection(reaches):
                reached.subtract(reaches.pop(name).taken)
            reaches[unit.name] = own
            reached.update(own.taken)
    return reaches


def _by_dependencies(entries: Sequence[Unit], tree: Tree) -> Mapping[str, str]:
    """For each entry point, one of those that are certainly applied to the same cluster; often the entry point itself.

    A Flux Kustomization waits only for others of its cluster. Those in other directories may have the same names.
    """
    defining: dict[tuple[str, Identity], str] = {}
    needs: list[tuple[str, tuple[str, Identity]]] = []
    for entry in entries:
        folder = dirname(entry.name)
        for body in _flux_kustomizations(entry, tree):
            own = identity(body)
            defining[folder, own] = entry.name
            for need in rows(body, "spec", "dependsOn"):
                namespace = text_at(need, "namespace") or own.namespace
                needs.append((entry.name, (folder, own._replace(namespace=namespace, name=text_at(need, "name")))))
    same_cluster = {entry.name: entry.name for entry in entries}

    def first(name: str) -> str:
        while same_cluster[name] != name:
            name = same_cluster[name]
        return name

    for name, need_at in needs:
        if need_at in defining:
            same_cluster[first(defining[need_at])] = first(name)
    return {name: first(name) for name in same_cluster}


def _flux_kustomizations(entry: Unit, tree: Tree) -> Iterator[Mapping[str, Any]]:
    for part in entry.parts:
        for loaded in () if part.patch else tree.files.get(part.file, ()):
            if group_kind(loaded.body) == FLUX_KUSTOMIZATION:
                yield loaded.body


def _entry_definitions(cluster: str, reached: Reach, tree: Tree) -> dict[Hashable, Any]:
    """What an entry point defines, by key.

    Two entry points that apply the same directory or the same Flux Kustomization get different definitions of it,
    because they belong to different clusters, unless the name of the cluster is the same.
    """
    keys: dict[Hashable, Any] = dict.fromkeys(reached.folders, cluster)
    for key, definition in definitions(reached.parts.get("", ()), tree).items():
        keys[key] = cluster if group_kind(definition.source.body) in DELIVERS else definition
    return keys


def _files_beside(groups: Sequence[Sequence[str]], loose: Sequence[Unit], units: Mapping[str, Unit]) -> list[list[str]]:
    """For each group, the loose files in directories of its own loose files: a directory is applied as a whole."""
    group_of: dict[str, int] = {}  # the last group of each directory
    for index, names in enumerate(groups):
        folders = [dirname(name) for name in names if not units[name].kustomizations]
        shared = common_folder(folders)
        group_of.update(dict.fromkeys((*folders, *([shared] if shared else [])), index))
    files: list[list[str]] = [[] for _ in groups]
    for unit in loose:
        nearest = next((folder for folder in _folders(unit.name) if folder in group_of), None)
        if nearest is not None:
            files[group_of[nearest]].append(unit.name)
    return files


def _folders(name: str) -> Iterator[str]:
    """The directories that contain a file, nearest first; "" only for a file that is in no directory."""
    folders = above(name)
    return iter(folders if folders[0] == "" else filter(None, folders))
