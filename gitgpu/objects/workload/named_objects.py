"""ConfigMaps and Secrets that other objects name: whether they exist, and their keys."""

from collections.abc import Collection
from typing import NamedTuple

from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.references import has_some
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.spelling import nearest

_UNKNOWN = "${"  # a name that Flux or another tool fills in
# The ratio of difflib from which a name is a slip of another one: one letter in ten differs. Names such as
# db-credentials and redis-credentials are less similar.
_SLIP = 0.9


class Missing(NamedTuple):
    """An object that does not exist: what is wrong and what to do."""

    message: str
    remedy: str


def missing(kind: str, name: str, namespace: str, objects: Objects, *, only_slips: bool = False) -> Missing | None:
    """The fault that a ConfigMap or Secret does not exist; None if it does, or may be created elsewhere.

    An empty namespace is unknown: then an object in any namespace counts. Secrets are often created outside of files,
    so one is reported only if its name is a slip of another one; with `only_slips`, this holds for ConfigMaps too.
    """
    if not name or _UNKNOWN in f"{name}{namespace}" or not objects.closed or not has_some("", kind, objects):
        return None
    reachable = _names(kind, namespace, objects)
    if name in reachable or _may_be_created(namespace, objects):
        return None
    is_slip = only_slips or kind == "Secret"
    near = nearest(name, reachable, _SLIP) if is_slip else nearest(name, reachable)
    if is_slip and not near:
        return None
    where = f"{namespace}/{name}" if namespace else name
    if near:
        return Missing(f"{kind} {where} does not exist; did you mean '{near}'?", f"use {near}, or add {name}")
    return Missing(f"{kind} {where} does not exist", "add it, or correct the name")


def _names(kind: str, namespace: str, objects: Objects) -> dict[str, None]:
    """The names in a namespace, sorted; in any namespace if it is unknown."""
    return objects.once((kind, "names in", namespace), lambda: _sorted_names(kind, namespace, objects))


def _sorted_names(kind: str, namespace: str, objects: Objects) -> dict[str, None]:
    by_namespace = objects.once((kind, "names by namespace"), lambda: _by_namespace(kind, objects))
    # An object without a namespace gets one when it is applied.
    spaces = {"", namespace} if namespace else by_namespace.keys()
    return dict.fromkeys(sorted({name for space in spaces for name in by_namespace.get(space, ())}))


def _by_namespace(kind: str, objects: Objects) -> dict[str, set[str]]:
    by_namespace: dict[str, set[str]] = {}
    for each in objects.present:
        if (each.group, each.kind) == ("", kind):
            by_namespace.setdefault(each.namespace, set()).add(each.name)
    return by_namespace


def _may_be_created(namespace: str, objects: Objects) -> bool:
    """Whether a chart that the catalog does not have is installed in the namespace: it may create the object."""
    homes = objects.once("namespaces of unknown charts", lambda: _homes(objects))
    return bool(homes) if not namespace else not homes.isdisjoint({"", namespace})


def _homes(objects: Objects) -> frozenset[str]:
    unknown_releases = (release for release in releases(objects) if not chart_row(release, objects))
    return frozenset(release.namespace for release in unknown_releases)


def keys(kind: str, name: str, namespace: str, objects: Objects) -> Collection[str] | None:
    """The keys of a ConfigMap or Secret; None unless exactly one object has this name, and its content is known."""
    namesakes = [item for item in objects.by_name("", kind, name) if item.identity.namespace in ("", namespace)]
    if len(namesakes) != 1 or namesakes[0].holes or name in objects.patched_names("", kind):
        return None
    return _keys(namesakes[0])


def _keys(item: Item) -> Collection[str]:
    sections = ("data", "binaryData", "stringData")
    return frozenset(key for section in sections for key in item.body.get(section) or {})
