"""Which files are applied together: everything that Flux and Argo CD apply because of one entry point."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import reach, text_at
from gitgpu.model.names.kinds import CONFIG_MAP, group_kind
from gitgpu.objects.delivery import argo, flux
from gitgpu.objects.delivery.application_sources import KINDS as APPLICATION_KINDS
from gitgpu.objects.delivery.applied import Applied
from gitgpu.objects.delivery.delivered import deliver
from gitgpu.objects.delivery.kustomize import CHARTS, Part, inclusions, roots
from gitgpu.objects.delivery.tree import Tree, generated_kinds
from gitgpu.objects.loaded import Loaded

DELIVERS = (*flux.KINDS, *APPLICATION_KINDS)


class Unit(NamedTuple):
    """Files that are applied together: the files of a root kustomization, or one file that is in no kustomization."""

    name: str
    parts: tuple[Part, ...]
    kustomizations: tuple[str, ...] = ()
    beyond: frozenset[tuple[str, str]] = frozenset()


@dataclass(slots=True)
class Reach:
    """Everything that is applied because of some parts, by cluster: "" is the cluster of the parts themselves.

    `taken` names the files, kustomizations and directories, `folders` the directories in the paths of controllers,
    `charts` the kustomizations that inflate charts. `beyond` are the kinds of applied objects that lint cannot see,
    each with the object that applies them, or None for a kustomization.
    """

    parts: dict[str, list[Part]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    folders: set[tuple[str, str]] = field(default_factory=set)
    charts: dict[str, dict[str, None]] = field(default_factory=dict)
    beyond: dict[str, dict[tuple[str, str], Loaded | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class World:
    """A tree, and the controllers that apply it. `delivering` are the objects of each file that apply others."""

    tree: Tree
    flux: flux.Flux
    argo: argo.Argo
    delivering: Mapping[str, Sequence[Loaded]]


def world_of(tree: Tree) -> World:
    """Find out which controllers apply which files of a tree."""
    applications = argo.argo(tree)  # first, since both find out the root of the repository
    delivering = {name: found for name, objects in tree.files.items() if (found := list(filter(_delivers, objects)))}
    return World(tree, flux.flux(tree), applications, delivering)


def units_of(tree: Tree) -> list[Unit]:
    """The root kustomizations, and the files that no kustomization includes."""
    root_units: list[Unit] = []
    seen: set[str] = set()
    for root in roots(tree.kustomizations):
        included = inclusions(root, tree.kustomizations)
        seen.update(part.file for part in included.parts)
        names = tuple(included.kustomizations)
        root_units.append(Unit(root.file, tuple(included.parts), names, generated_kinds(names, tree)))
    loose = (Unit(name, (Part(name),)) for name in sorted(tree.files) if name not in seen)
    return [*root_units, *loose]


def delivers(unit: Unit, tree: Tree) -> bool:
    """Whether the unit contains an object that makes a controller apply others."""
    objects = chain.from_iterable(tree.files.get(part.file, ()) for part in unit.parts if not part.patch)
    return any(map(_delivers, objects))


def _delivers(loaded: Loaded) -> bool:
    return group_kind(loaded.body) in DELIVERS


def direct(unit: Unit, world: World) -> set[str]:
    """The files, kustomizations and directories that controllers apply because of the unit's own objects."""
    reached: set[str] = set()
    for part in unit.parts:
        for loaded in _delivering(part, world):
            for applied in _applied(loaded, loaded.body, world):
                reached.update(applied.kustomizations, (inside.file for inside in applied.parts))
    return reached


def reach_of(unit: Unit, world: World) -> Reach:
    """Everything that is applied because of a unit. ConfigMaps of the first pass give variables for a second one."""
    first = _applied_by(unit, world)
    applied = chain.from_iterable(first.parts.values())
    if not any(part.by and part.by.fill for part in applied):
        return first
    configs = _configs(first.parts.get("", ()), world.tree)
    return _applied_by(unit, replace(world, flux=replace(world.flux, configs=configs)))


def _applied_by(unit: Unit, world: World) -> Reach:
    reached = Reach(taken=set(unit.kustomizations), beyond={"": dict.fromkeys(sorted(unit.beyond))})
    reached.charts[""] = dict.fromkeys(inflating(unit.kustomizations, world.tree))
    seen: set[tuple[Hashable, ...]] = set()
    waiting = [("", part) for part in reversed(unit.parts)]
    while waiting:
        cluster, part = waiting.pop()
        fill = part.by.fill if part.by else None
        same = (cluster, part.file, part.patch, part.namespace, part.fallback, part.renamed, part.changes, fill)
        if same in seen:  # another object applies it too
            continue
        seen.add(same)
        reached.parts.setdefault(cluster, []).append(part)
        reached.taken.add(part.file)
        for loaded in _delivering(part, world):
            applied_body = deliver(loaded.body, part)
            for applied in _applied(loaded, applied_body.body, world) if applied_body else ():
                other = applied.cluster or cluster
                _add(reached, other, (applied, loaded), world.tree)
                waiting += [(other, inside) for inside in reversed(applied.parts)]
    return reached


def _add(reached: Reach, cluster: str, source: tuple[Applied, Loaded], tree: Tree) -> None:
    """Add what a controller applies to a cluster because of an object, except files: they are added when read."""
    applied, loaded = source
    reached.taken.update(applied.kustomizations)
    reached.charts.setdefault(cluster, {}).update(dict.fromkeys(inflating(applied.kustomizations, tree)))
    reached.folders.update((cluster, name) for name in applied.kustomizations[:1])
    for kind in applied.beyond:
        reached.beyond.setdefault(cluster, {}).setdefault(kind, loaded)


def inflating(names: Iterable[str], tree: Tree) -> list[str]:
    """The kustomizations that inflate charts."""
    kustomizations = tree.kustomizations
    return [name for name in names if name in kustomizations and kustomizations[name].data.get(CHARTS)]


def _delivering(part: Part, world: World) -> Iterable[Loaded]:
    """The objects of a file that make a controller apply others: very few of all objects."""
    return () if part.patch else world.delivering.get(part.file, ())


def _applied(loaded: Loaded, body: dict[str, Any], world: World) -> Iterator[Applied]:
    kind = group_kind(body)
    if kind in flux.KINDS:
        yield flux.what_flux_applies(loaded, body, world.flux)
    elif kind in APPLICATION_KINDS:
        yield from argo.what_argo_applies(loaded, body, world.argo)


def _configs(parts: Iterable[Part], tree: Tree) -> Mapping[str, Mapping[str, str] | None]:
    """The values of ConfigMaps by name; None for a ConfigMap that is patched or defined twice."""
    configs: dict[str, Mapping[str, str] | None] = {}
    for part in parts:
        for loaded in tree.files.get(part.file, ()):
            name = text_at(loaded.body, "metadata", "name") if group_kind(loaded.body) == CONFIG_MAP else ""
            if name:
                values = _values(loaded)
                same = not part.patch and configs.get(name, values) == values
                configs[name] = values if same else None
    return configs


def _values(config: Loaded) -> Mapping[str, str]:
    data = reach(config.body, "data")
    if not isinstance(data, dict):
        return {}
    return {str(key): str(value) for key, value in data.items()}
