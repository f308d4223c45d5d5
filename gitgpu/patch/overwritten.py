"""Values that two patches set differently: only the later patch has an effect."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import has
from gitgpu.diagnostic import Diagnostic, Places, Problem, Severity
from gitgpu.emit.places import ChangedPlaces, differences
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.fault import fault
from gitgpu.source import Pointer


class Overwritten(NamedTuple):
    """A value that a patch overwrites, and the place in the spec that set it before."""

    pointer: Pointer
    place: str


def overwritten_values(
    places: Places, before: Mapping[str, Any], after: Mapping[str, Any], patch: Patch
) -> Iterator[Overwritten]:
    """The values set by the user that a patch overwrites."""
    if not isinstance(places, ChangedPlaces):
        return
    for pointer, is_whole in differences(before, after):
        earlier = places.find(pointer) if is_whole and has(before, pointer) else None
        if earlier and earlier.by != patch.span:
            place, _ = earlier.locate(pointer)
            yield Overwritten(pointer, str(place))


def overwritten_fault(patch: Patch, at: Pointer, earlier: Overwritten) -> Diagnostic:
    """The fault of a patch that overwrites a value; `at` is the place within the patch."""
    message = f"the patch overwrites {dotted_pointer(earlier.pointer)}, which is also set at {earlier.place}"
    return fault("PAT004", patch, at, Problem(message, "keep one of them"), Severity.WARNING)


def dotted_pointer(pointer: Pointer) -> str:
    """A pointer in the notation of messages: spec.taints[0]."""
    text = ""
    for part in pointer:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".")
