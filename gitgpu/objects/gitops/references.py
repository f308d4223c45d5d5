"""How objects reach the cluster: what a Flux Kustomization applies, and whether a referenced object exists."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.model.names.kinds import BUCKET, FLUX_KUSTOMIZATION, GIT_REPOSITORY, OCI_REPOSITORY
from gitgpu.objects.delivery.controller import controller
from gitgpu.objects.objects import Identity, Item, Objects

# The kinds of source that a Flux Kustomization can apply objects from.
_REPOSITORIES = (BUCKET.kind, "ExternalArtifact", GIT_REPOSITORY.kind, OCI_REPOSITORY.kind)


def applied_objects(kustomization: Item, objects: Objects) -> Iterator[Item]:
    """The objects that a Flux Kustomization applies.

    If that is unknown, the objects in files below its path. Objects that its kustomization.yaml fetches from elsewhere
    are not included.
    """
    delivered = objects.once("delivered", lambda: _by_controller(objects))
    if delivered:
        yield from delivered.get(controller(kustomization.body), ())
    else:
        yield from _objects_below_path(kustomization, objects)


def _objects_below_path(kustomization: Item, objects: Objects) -> Iterator[Item]:
    """The objects below its path. A path that is the whole repository counts only if there is no other repository."""
    path = str(reach(kustomization.body, "spec", "path") or "").removeprefix("./").strip("/.")
    if not path and objects.once("repositories", lambda: _repositories(objects)) > 1:
        return
    below = objects.once("objects by folder", lambda: _by_folder(objects))
    yield from (item for item in below.get(path, ()) if item is not kustomization)


def appliers(item: Item, objects: Objects) -> Iterator[Item]:
    """The Flux Kustomizations that apply an object, in the order of the input."""
    by_object = objects.once("appliers", lambda: _appliers(objects))
    yield from by_object.get(id(item), ())


def _appliers(objects: Objects) -> dict[int, list[Item]]:
    by_object: dict[int, list[Item]] = {}
    for kustomization in objects.of(*FLUX_KUSTOMIZATION):
        for item in applied_objects(kustomization, objects):
            by_object.setdefault(id(item), []).append(kustomization)
    return by_object


def _repositories(objects: Objects) -> int:
    return sum(identity.kind in _REPOSITORIES for identity in objects.present)


def _by_controller(objects: Objects) -> dict[str, list[Item]]:
    by_controller: dict[str, list[Item]] = {}
    for item in objects.items:
        if item.delivered:
            by_controller.setdefault(item.delivered.by, []).append(item)
    return by_controller


def _by_folder(objects: Objects) -> dict[str, list[Item]]:
    """The objects by folder, including objects in subfolders; "" is the root."""
    by_folder: dict[str, list[Item]] = {"": list(objects.items)}
    for item in objects.items:
        folder = item.given.places.span().file.removeprefix("./").rpartition("/")[0]
        while folder:
            by_folder.setdefault(folder, []).append(item)
            folder = folder.rpartition("/")[0]
    return by_folder


def other_namespace(missing: Identity, objects: Objects) -> str | None:
    """The namespace in which a missing object exists instead; "" if there is none, None if it is not missing."""
    if missing in objects.present:
        return None
    namespaces = objects.once("namespaces by name", lambda: _namespaces(objects))
    return namespaces.get((missing.group, missing.kind, missing.name), "")


def _namespaces(objects: Objects) -> dict[tuple[str, str, str], str]:
    """The alphabetically first namespace that has an object with this group, kind and name."""
    namespaces: dict[tuple[str, str, str], str] = {}
    for identity in objects.present:
        key = (identity.group, identity.kind, identity.name)
        # The first by name, because a set has no order.
        namespaces[key] = min(namespaces.get(key, identity.namespace), identity.namespace)
    return namespaces


def has_some(group: str, kind: str, objects: Objects) -> bool:
    """Whether there is an object of this kind and all of its kind are known, so that a missing one can be reported."""
    return (group, kind) in objects.kinds_present and objects.knows(group, kind)
