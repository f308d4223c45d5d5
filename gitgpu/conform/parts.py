"""Objects that may be parts only: what is missing in them, another file or a kustomization gives."""

from collections.abc import Callable
from typing import TypeAlias

from gitgpu.conform.objects import Given, Item
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.incomplete import Incomplete, is_patch

Looked: TypeAlias = tuple[Item, list[Diagnostic]]
MISFIT = "CNF001"


def held_part(given: Given, file: str, incomplete: Incomplete, look: Callable[[Given], Looked]) -> Looked:
    """An object as `look` sees it; where it may be a part and does not fit as a whole, as it sees a part.

    A patch that no kustomization names is a patch nevertheless. What a kustomization completes stays an object, into
    which no rule looks.
    """
    item, faults = look(given)
    if given.patch or all(fault.code != MISFIT for fault in faults):
        return item, faults
    if file not in incomplete.completed:
        loose = file in incomplete.unlisted or is_patch(file, given.body)
        return look(given._replace(patch=True)) if loose else (item, faults)
    return item, look(given._replace(patch=True))[1]
