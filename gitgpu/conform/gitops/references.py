"""How objects reach the cluster: what a Flux Kustomization applies, and whether a thing that is named is there."""

from collections.abc import Iterator

from gitgpu.conform.objects import Identity, Item, Objects, reach
from gitgpu.load.delivery.flux import controller

SOURCES = "source.toolkit.fluxcd.io"
KUSTOMIZE = ("kustomize.toolkit.fluxcd.io", "Kustomization")
HELM = ("helm.toolkit.fluxcd.io", "HelmRelease")
_REPOSITORIES = ("Bucket", "ExternalArtifact", "GitRepository", "OCIRepository")


def applied_objects(kustomization: Item, objects: Objects) -> Iterator[Item]:
    """The objects that a Flux Kustomization applies.

    Where that is not known of any object, those count whose files lie in its path. What its kustomization.yaml fetches
    from elsewhere is not seen.
    """
    if any(item.delivered for item in objects.items):
        name = controller(kustomization.body)
        yield from (item for item in objects.items if item.delivered and item.delivered.by == name)
    else:
        yield from _in_its_path(kustomization, objects)


def _in_its_path(kustomization: Item, objects: Objects) -> Iterator[Item]:
    """A path that is the whole repository says something only where there is no other repository."""
    path = str(reach(kustomization.body, "spec", "path") or "").removeprefix("./").strip("/.")
    if not path and sum(one.kind in _REPOSITORIES for one in objects.present) > 1:
        return
    for item in objects.items:
        file = item.given.places.span().file.removeprefix("./")
        if item is not kustomization and (not path or file.startswith(f"{path}/")):
            yield item


def elsewhere(wanted: Identity, objects: Objects) -> str | None:
    """Where an object is that is not where it was looked for: a namespace, "" when nowhere; None when it is there."""
    if wanted in objects.present:
        return None
    same = (one for one in objects.present if one._replace(namespace="") == wanted._replace(namespace=""))
    return min((one.namespace for one in same), default="")


def has_some(family: str, kind: str, objects: Objects) -> bool:
    """Is there at least one object of a kind, and none elsewhere, so that another one should be here as well?"""
    here = any(one.group == family and one.kind == kind for one in objects.present)
    return here and objects.knows(family, kind)
