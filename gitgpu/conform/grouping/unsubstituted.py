"""Objects into which Flux fills values, for what needs all of an object: a value that is not known leaves it out."""

from collections.abc import Collection

from gitgpu.conform.grouping.applied_together import group_files
from gitgpu.conform.objects import Given
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.delivery.delivered import delivered
from gitgpu.load.delivery.kustomize import Part
from gitgpu.load.manifest.manifests import Manifests
from gitgpu.load.manifest.objects import Loaded


def left_out(sheets: Manifests) -> list[Diagnostic]:
    """The objects that are left out because Flux fills values in that cannot be seen."""
    left = waiting(sheets)
    for part in (part for group in group_files(sheets).groups for part in group.parts) if left else ():
        for loaded in sheets.sheets[part.file].objects if part.file in sheets.sheets else ():
            if id(loaded) in left and substituted(loaded, part, left):
                del left[id(loaded)]
    return list(left.values())


def waiting(sheets: Manifests) -> dict[int, Diagnostic]:
    """The objects with `${NAME}`, by their ids, each with the fault that this is where nothing fills it in."""
    return {id(loaded): why for sheet in sheets.sheets.values() for loaded, why in sheet.waiting}


def substituted(loaded: Loaded, part: Part, unfilled: Collection[int]) -> Given | None:
    """An object of a file as Flux fills it in; None where a value that is missing is not known."""
    fill = part.by.fill if part.by else None
    if fill is None:
        bare = None if id(loaded) in unfilled else delivered(loaded.body, part)
        return Given(bare.body, loaded.places, part.patch) if bare else None
    made = delivered(loaded.body, part)
    return None if made is None or made.holes else Given(made.body, loaded.places, part.patch)
