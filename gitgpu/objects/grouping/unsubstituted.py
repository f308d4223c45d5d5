"""Objects after substitution by Flux. Objects with unknown values are omitted."""

from collections.abc import Collection

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.delivery.delivered import deliver
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.objects import Given


def unsubstituted_faults(manifests: Manifests) -> list[Diagnostic]:
    """The faults of objects that are omitted because Flux replaces `${NAME}` with unknown values."""
    left = waiting(manifests)
    if not left:
        return []
    for group in group_files(manifests).groups:
        for part in group.parts:
            file = manifests.files.get(part.file)
            for loaded in file.objects if file else ():
                if id(loaded) in left and _is_settled(loaded, part):
                    del left[id(loaded)]
    return list(left.values())


def _is_settled(loaded: Loaded, part: Part) -> bool:
    """Whether all values of an object with `${NAME}` are known, or a patch deletes it."""
    applied = deliver(loaded.body, part)
    return applied is None or (_is_filled(part) and not applied.holes)


def _is_filled(part: Part) -> bool:
    """Whether Flux substitutes values in the objects of this file."""
    return part.by is not None and part.by.fill is not None


def waiting(manifests: Manifests) -> dict[int, Diagnostic]:
    """The objects with `${NAME}` by id, with the fault to report for each if nothing replaces it."""
    by_object: dict[int, Diagnostic] = {}
    for file in manifests.files.values():
        by_object.update((id(loaded), reason) for loaded, reason in file.waiting)
    return by_object


def substitute(loaded: Loaded, part: Part, unfilled: Collection[int]) -> Given | None:
    """The object after substitution by Flux; None if a value is unknown, or a patch deletes it."""
    if id(loaded) in unfilled and not _is_filled(part):
        return None
    applied = deliver(loaded.body, part)
    return None if applied is None or applied.holes else Given(applied.body, loaded.places, part.patch)
