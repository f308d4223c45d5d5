"""A Flux dependency that never becomes Ready."""

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION, HELM_RELEASE
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

_KINDS = (FLUX_KUSTOMIZATION, HELM_RELEASE)
_CUTOFF = 0.9  # one wrong letter in ten. A choice: names in a repository are similar, app-1 and app-2 by 0.8
Graph: TypeAlias = Mapping[Identity, list[Identity]]


def _check(objects: Objects) -> Iterator[Finding]:
    for group, kind in _KINDS:
        items = {item.identity: item for item in objects.of(group, kind)}
        graph = {name: _needs(item) for name, item in items.items()}
        for name, needs in graph.items():
            yield from _missing(items[name], needs, objects)
        cycle = _cycle(graph)
        if cycle:
            names = " -> ".join(name.name for name in cycle)
            message = f"circular dependency: {names}"
            yield Finding(items[cycle[0]], ("spec", "dependsOn"), message, "remove one of these dependencies")


def _near(need: Identity, objects: Objects) -> str:
    """The remedy for a name that is close to the name of another object. Other objects may exist elsewhere."""
    names = objects.once("names by namespace", lambda: _names(objects)).get(need._replace(name=""), ())
    close = nearest(need.name, names, _CUTOFF)
    return f"did you mean {close}?" if close else ""


def _names(objects: Objects) -> dict[Identity, list[str]]:
    names: dict[Identity, list[str]] = {}
    for present in objects.present:
        names.setdefault(present._replace(name=""), []).append(present.name)
    return names


def _missing(item: Item, needs: Sequence[Identity], objects: Objects) -> Iterator[Finding]:
    for index, need in enumerate(needs):
        # Without a namespace, a kustomization in another tree may set it.
        if need in objects.present or not objects.elsewhere.isdisjoint({need, need._replace(namespace="")}):
            continue
        closest = _near(need, objects)
        if objects.closed or closest:
            message = f"{need.kind} {need.namespace}/{need.name} does not exist"
            remedy = closest or "correct the name; add namespace if it is in another namespace"
            yield Finding(item, ("spec", "dependsOn", index), message, remedy)


def _needs(item: Item) -> list[Identity]:
    needs = []
    for need in reach(item.body, "spec", "dependsOn") or ():
        namespace = need.get("namespace") or item.identity.namespace
        needs.append(item.identity._replace(namespace=namespace, name=need.get("name", "")))
    return needs


def _cycle(graph: Graph) -> list[Identity]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        # Each member is one that the next depends on. The smallest is named first, so that the message stays the same.
        members: list[Identity] = error.args[1][:-1]
        start = members.index(min(members))
        ring = members[start:] + members[:start]
        return [ring[0], *reversed(ring)]
    return []


RULE = Rule(
    code="CNF015",
    name="unmet-flux-dependency",
    severity=Severity.ERROR,
    summary="A Flux Kustomization or HelmRelease depends on an object that does not exist, or on itself.",
    help="Flux waits until a dependency is Ready before it applies anything, so it waits indefinitely.",
    sources=(
        "https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies",
        "https://fluxcd.io/flux/components/helm/helmreleases/#dependencies",
    ),
    check=_check,
)
