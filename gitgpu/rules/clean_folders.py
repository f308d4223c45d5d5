"""Rules about gitgpu's own objects: a folder that found nothing in a set of objects does not run on that set again.

The clusters of a fleet have most objects in common; few, such as Flux Kustomizations, are specific to one. A folder
declares all kinds that its rules read, and a test proves it, so its findings depend only on objects of these kinds.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Diagnostic
from gitgpu.model.names.kinds import APPLICATION
from gitgpu.objects.delivery.application_sources import placed_sources
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.kinds import Kind
from gitgpu.rules.object_rule import Rule, diagnose, diagnose_all
from gitgpu.rules.object_rulebook import folder_of, folders

_MAX_CACHED = 64  # the most sets of objects that are remembered for a folder: a fleet has few kinds of cluster
_ANY = ("*", "*")

Bodies: TypeAlias = tuple[Mapping[str, Any], ...]


def diagnose_once(rules: Sequence[Rule], objects: Objects) -> list[Diagnostic]:
    """The findings of these rules. Equal bodies must be the same object, as in `item_of`: identities are compared."""
    if objects.present.difference(item.identity for item in objects.items):  # some do not fit their schemas
        return diagnose_all(rules, objects)
    findings: list[Diagnostic] = []
    reporting: set[str] = set()
    names = {rule.code: folder_of(rule) for rule in rules}
    read = dict.fromkeys(names.values())
    views = {folder: _view(folder, objects) for folder in read}
    memory = {folder: _memory(folder, objects) for folder in views}
    keys = {folder: tuple(map(id, view)) for folder, view in views.items()}
    for rule in rules:
        folder = names[rule.code]
        if keys[folder] not in memory[folder] and (faults := diagnose(rule, objects)):
            findings += faults
            reporting.add(folder)
    for folder in views.keys() - reporting:
        if len(memory[folder]) < _MAX_CACHED:
            memory[folder][keys[folder]] = views[folder]  # keeps the bodies alive, so that no other body gets these ids
    return findings


def _memory(folder: str, objects: Objects) -> dict[tuple[int, ...], Bodies]:
    """The sets of bodies in which a folder has found nothing."""
    cluster = (objects.kubernetes, objects.safeguards, objects.stated)
    situation = (cluster, objects.today, objects.closed, objects.beyond)
    return objects.once_per_run(("clean", folder, situation), dict)


def _view(folder: str, objects: Objects) -> Bodies:
    """The bodies that the rules of a folder read."""
    read = [item for item in objects.items if _reads(folder, item.identity[:2])]
    # Each cluster has its own Application of Argo CD, so no two are equal. Only rules that declare any kind read one
    # without a chart.
    if not _reads(folder, _ANY):
        read = [item for item in read if not _is_without_chart(item)]
    return tuple(item.body for item in read)


def _is_without_chart(item: Item) -> bool:
    """Whether it is an Argo CD Application that installs no chart."""
    if item.identity[:2] != APPLICATION:
        return False
    return not any(source.get("chart") for _, source in placed_sources(mapping_at(item.body, "spec")))


@cache
def _reads(folder: str, kind: Kind) -> bool:
    return folders()[folder].reads(kind)
