"""Manifests of a repository to clusters: what Flux, Argo CD and Kustomize would apply, and to which of them.

A group of an entry point has its name. Groups of kustomizations and of loose files have none: they are one cluster,
unless they define one pool twice (overlays of several environments); then each is named after its folder.
"""

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from posixpath import basename, commonpath, dirname
from typing import Any, NamedTuple

from gitgpu.conform.grouping.applied_together import group_files
from gitgpu.conform.grouping.chart_values import values_beside
from gitgpu.conform.grouping.groups import Group, Grouping
from gitgpu.conform.grouping.unsubstituted import substituted, waiting
from gitgpu.conform.objects import Given
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.access import family, inner, words
from gitgpu.load.delivery.kustomize import Part
from gitgpu.load.inventory.kubernetes_objects import Source, observed_object
from gitgpu.load.inventory.observed import Azure, Inventory, ObservedCluster, Owner, Passed
from gitgpu.load.inventory.parts import together
from gitgpu.load.inventory.read import values_inventory
from gitgpu.load.inventory.same_objects import POOLS, identity_of
from gitgpu.load.manifest.chart_folders import charts_of, unrendered
from gitgpu.load.manifest.manifests import Manifests, strictly
from gitgpu.load.manifest.objects import Loaded
from gitgpu.load.schemas import Schemas

_SOURCE = "manifests"
_RECORD = re.compile(r"^# Kubernetes (\d+\.\d+)$", re.MULTILINE)


class _Read(NamedTuple):
    """A group, and what is observed of its objects."""

    group: Group
    found: Inventory


class Delivered(NamedTuple):
    """What manifests say, and the files of which something is read that is not an object: patches and values."""

    found: Inventory
    files: frozenset[str]


def delivered_clusters(manifests: Manifests) -> Delivered:
    """What all the files say; objects that nothing assigns to one of several clusters are passed over."""
    grouping, unfilled = group_files(manifests), waiting(manifests)
    names = _names_of_servers(manifests)
    groups = [group._replace(name=names.get(group.name.rstrip("/"), group.name)) for group in grouping.groups]
    read = [_Read(group, _objects(group, grouping, manifests, unfilled)) for group in groups]
    if not any(each.group.name for each in read):
        read = _distinguished(read)
    named = [each for each in read if each.group.name]
    loose = [each for each in read if not each.group.name]
    found = [_called(each.found, each.group.name) for each in named]
    known = {each.group.name for each in named}
    found += _placed(loose, known) if known else [each.found for each in loose]
    faults = [fault for fault in strictly(manifests, strict=False) if fault.severity is not Severity.INFO]
    notes = unrendered(manifests.files, charts_of(manifests.texts), ("read", "import"))
    faults += [note._replace(code="IMP003", severity=Severity.WARNING) for note in notes]
    recorded = Inventory(tuple(_recorded(manifests)), (), tuple(faults))
    return Delivered(together([*found, recorded]), frozenset(_used(manifests, read)))


def _names_of_servers(manifests: Manifests) -> dict[str, str]:
    """The names of clusters by their servers, as the Secrets of Argo CD have them; nothing else of these is read."""
    found: dict[str, str] = {}
    for file in manifests.files.values():
        for loaded in file.objects:
            kind = words(loaded.body, "metadata", "labels", "argocd.argoproj.io/secret-type")
            if family(loaded.body) == ("", "Secret") and kind == "cluster":
                server, name = (_text(loaded.body, key) for key in ("server", "name"))
                found |= {server.rstrip("/"): name} if server and name else {}
    return found


def _text(secret: Mapping[str, Any], key: str) -> str:
    """A text of a Secret, as it is written or in base64."""
    try:
        return words(secret, "stringData", key) or b64decode(words(secret, "data", key), validate=True).decode()
    except ValueError:
        return ""


def _used(manifests: Manifests, read: Iterable[_Read]) -> Iterator[str]:
    """The files of which something is read that is not an object: patches, and values of charts."""
    for kustomization in manifests.kustomizations.values():
        yield from (use.path for use in kustomization.uses if use.patch)
    for each in read:
        for cluster in each.found.clusters:
            values = (observed for observed in cluster.objects if observed.body["kind"] == "HelmValues")
            yield from (observed.places.span().file for observed in values)


def _recorded(manifests: Manifests) -> Iterator[ObservedCluster]:
    """What overlays of gitgpu record of their clusters in comments, which no object says: the Kubernetes version."""
    for name in manifests.kustomizations:
        text = manifests.texts[name].content
        found = _RECORD.search(text) if text.startswith("# Generated by gitgpu") else None
        if found:
            yield ObservedCluster(basename(dirname(name)), Azure(kubernetes=found[1]), ())


def _objects(group: Group, grouping: Grouping, manifests: Manifests, unfilled: Mapping[int, Diagnostic]) -> Inventory:
    """What is observed of the objects of a group, as they are applied."""
    found = []
    for part in group.parts:
        if not part.patch and part.file in manifests.files:
            found += [_object(loaded, part, unfilled) for loaded in manifests.files[part.file].objects]
    return together([*found, values_inventory(values_beside(group, grouping))])


def _object(loaded: Loaded, part: Part, unfilled: Mapping[int, Diagnostic]) -> Inventory:
    given = substituted(loaded, part, unfilled)
    if given is None:
        name = f"{loaded.body['kind']}/{words(loaded.body, 'metadata', 'name')}"
        reason = "not all of its values are known before it is applied, or a patch deletes it"
        return Inventory((), (Passed(name, loaded.places.span(), reason),))
    tool = "argocd" if part.by and part.by.name.startswith("Application") else "flux"
    owner = Owner(tool, part.by.name) if part.by else Owner()
    return observed_object(_in_namespace(given, part), given.places, Source(_SOURCE, owner=owner))


def _in_namespace(given: Given, part: Part) -> Mapping[str, Any]:
    """The object with the namespace that a kustomization, or else an Application, gives it."""
    body = given.body
    own = words(body, "metadata", "namespace")
    namespace = part.namespace or own or part.fallback
    if namespace == own or _of_cluster(*family(body)):
        return body
    return {**body, "metadata": {**(inner(body, "metadata") or {}), "namespace": namespace}}


def _of_cluster(group: str, kind: str) -> bool:
    """Do objects of a kind live outside of namespaces? A kind without a schema is taken to live in one."""
    schemas = Schemas()
    contract = schemas.contract(f"{group}_{kind}".lower())
    if contract:
        return bool(contract["x-gitgpu-scope"] != "Namespaced")
    return f"{group}/{kind}".lstrip("/") in (schemas.contract("_kinds") or {}).get("cluster", ())


def _called(found: Inventory, name: str) -> Inventory:
    """What was observed, in a cluster of this name; objects of Azure name their own."""
    clusters = (cluster if cluster.name else cluster._replace(name=name) for cluster in found.clusters)
    return found._replace(clusters=tuple(clusters))


def _placed(loose: Iterable[_Read], names: Collection[str]) -> Iterator[Inventory]:
    """What belongs to no group with a name: part of the cluster whose name is in its path, or of the only one."""
    for each in loose:
        folders = set(_folder(each.group).split("/"))
        found = list(names) if len(names) == 1 else sorted(folders.intersection(names))
        if len(found) == 1:
            yield _called(each.found, found[0])
            continue
        reason = f"nothing among these files applies it to one of the clusters {', '.join(sorted(names))}"
        objects = [observed for cluster in each.found.clusters for observed in cluster.objects]
        passed = tuple(Passed(observed.name, observed.places.span(), reason, observed) for observed in objects)
        yield Inventory((), (*each.found.passed, *passed), each.found.faults)


def _distinguished(loose: Sequence[_Read]) -> list[_Read]:
    """Groups without names. Where one pool is in several, each of these gets the name of its folder."""
    pools = [_pools(each.found) for each in loose]
    times = Counter(identity for own in pools for identity in own)
    clashing = [at for at, own in enumerate(pools) if any(times[identity] > 1 for identity in own)]
    names = dict(zip(clashing, _names([_folder(loose[at].group) for at in clashing]), strict=True))
    return [each._replace(group=each.group._replace(name=names.get(at, ""))) for at, each in enumerate(loose)]


def _pools(found: Inventory) -> set[tuple[str, ...]]:
    objects = (observed for cluster in found.clusters for observed in cluster.objects)
    return {identity_of(observed.body) for observed in objects if family(observed.body) in POOLS}


def _folder(group: Group) -> str:
    """The folder that a group is known by: that of its kustomization, or of all its files."""
    if group.root:
        return dirname(group.root)
    return commonpath([dirname(part.file) for part in group.parts]) if group.parts else ""


def _names(folders: Sequence[str]) -> list[str]:
    """Names for folders: what is left of their paths without what all of them begin and end with."""
    parts = [folder.split("/") for folder in folders]
    first = len(list(takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False))))
    last = len(
        list(takewhile(lambda level: len(set(level)) == 1, zip(*(part[first:][::-1] for part in parts), strict=False)))
    )
    return ["-".join(part[first : len(part) - last]) or "-".join(part) for part in parts]
