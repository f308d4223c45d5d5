"""The spec of a pool without what the GpuPool schema rejects, so that the rest of the pool can be adopted."""

from collections.abc import Mapping
from typing import Any

from gitgpu.adopt.adoption import Inferred, SpecDocument
from gitgpu.adopt.compiled import data
from gitgpu.load.spec.shape import document_faults
from gitgpu.source import Pointer

_MAX_ROUNDS = 20  # at most this many rounds of removing invalid values: one may hide others


def sound(document: SpecDocument) -> tuple[SpecDocument, str]:
    """A valid version of the document and ""; if there is none, the document as it is and what is wrong with it."""
    valid, reason = document, ""
    for _ in range(_MAX_ROUNDS):
        faults = document_faults(data(valid))
        if not faults:
            return valid, ""
        reason = f"{'.'.join(map(str, faults[0].pointer))}: {faults[0].message}"
        below = [fault.pointer for fault in faults if len(fault.pointer) > 1]
        if not below:
            break
        for pointer in reversed(below):  # the last item of a list first, so that the indexes of the others stay valid
            valid = _without(valid, pointer)
    return document, reason


def sound_cluster(document: SpecDocument) -> tuple[SpecDocument, list[Inferred]]:
    """A valid version of a Cluster, and what was omitted: people often redact IDs in output that they share."""
    valid, _ = sound(document)
    faults = document_faults(data(document)) if valid != document else []
    owner = (document.kind, document.name)
    return valid, [
        Inferred(owner, tuple(map(str, fault.pointer)), f"omitted from the fleet: {fault.message}") for fault in faults
    ]


def _without(document: SpecDocument, pointer: Pointer) -> SpecDocument:
    if pointer[:2] == ("metadata", "labels"):
        return document._replace(labels=_without_pointer(document.labels, pointer[2:]) if pointer[2:] else {})
    if pointer[:2] == ("metadata", "annotations"):
        return document._replace(annotations=_without_pointer(document.annotations, pointer[2:]) if pointer[2:] else {})
    if pointer[0] == "spec":
        return document._replace(spec=_without_pointer(document.spec, pointer[1:]))
    return document


def _without_pointer(value: Any, pointer: Pointer) -> Any:
    """The value without the part at a pointer. List items are removed as a whole, as are parts that become empty."""
    if isinstance(value, list):
        return [item for index, item in enumerate(value) if index != pointer[0]]
    if not isinstance(value, Mapping) or pointer[0] not in value:
        return value
    first = str(pointer[0])
    inner = _without_pointer(value[first], pointer[1:]) if len(pointer) > 1 else None
    kept = {first: inner} if inner not in (None, {}, []) else {}
    return {key: item for key, item in value.items() if key != first} | kept
