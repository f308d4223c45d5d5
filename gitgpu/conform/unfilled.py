"""Objects into which Flux fills values, for what needs all of an object: a value that is not known leaves it out."""

from collections.abc import Collection

from gitgpu.conform.objects import Given
from gitgpu.conform.together import together
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.delivered import delivered
from gitgpu.load.kustomize import Part
from gitgpu.load.objects import Loaded
from gitgpu.load.sheets import Sheets


def unknown(sheets: Sheets) -> list[Diagnostic]:
    """The objects that are left out because Flux fills values in that cannot be seen."""
    left = waiting(sheets)
    for part in (part for group in together(sheets).groups for part in group.parts) if left else ():
        for one in sheets.sheets[part.file].objects if part.file in sheets.sheets else ():
            if id(one) in left and seen(one, part, left):
                del left[id(one)]
    return list(left.values())


def waiting(sheets: Sheets) -> dict[int, Diagnostic]:
    """The objects with `${NAME}`, by their ids, each with the fault that this is where nothing fills it in."""
    return {id(one): why for sheet in sheets.sheets.values() for one, why in sheet.waiting}


def seen(one: Loaded, part: Part, unfilled: Collection[int]) -> Given | None:
    """An object of a file as Flux fills it in; None where a value that is missing is not known."""
    fill = part.by.fill if part.by else None
    if fill is None:
        bare = None if id(one) in unfilled else delivered(one.body, part)
        return Given(bare.body, one.places, part.patch) if bare else None
    made = delivered(one.body, part)
    return None if made is None or made.holes else Given(made.body, one.places, part.patch)
