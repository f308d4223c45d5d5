"""Values that two patches write differently: only the later patch has an effect there."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.emit.places import ChangedPlaces, differences
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.fault import fault
from gitgpu.source import Pointer


def overwritten(
    places: Places, before: Mapping[str, Any], after: Mapping[str, Any], patch: Patch
) -> Iterator[tuple[Pointer, str]]:
    """The values of the user that a patch overwrites, each with the place of what wrote it before."""
    if not isinstance(places, ChangedPlaces):
        return
    for pointer, is_whole in differences(before, after):
        earlier = places.found(pointer) if is_whole and _has(before, pointer) else None
        if earlier and earlier.by != patch.span:
            yield pointer, str(earlier.locate(pointer)[0])


def overwritten_fault(patch: Patch, at: Pointer, earlier: tuple[Pointer, str]) -> Diagnostic:
    """That a patch overwrites a value; `at` is the place within the patch."""
    pointer, place = earlier
    message = f"the patch overwrites {dotted(pointer)}, which is also written at {place}"
    return fault("PAT004", patch, at, (message, "keep one of them"), Severity.WARNING)


def dotted(pointer: Pointer) -> str:
    """A pointer as people write it: spec.taints[0]."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in pointer).lstrip(".")


def _has(value: Any, pointer: Pointer) -> bool:
    for part in pointer:
        keys: Collection[str | int] = value if isinstance(value, Mapping) else ()
        if part not in (range(len(value)) if isinstance(value, list) else keys):
            return False
        value = value[part]
    return True
