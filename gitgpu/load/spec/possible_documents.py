"""Possible intended versions of a document of the wrong shape, so that its other faults can be reported too.

The faulty values are removed, repaired, or replaced by the examples of the schema. A finding that all versions share
does not depend on the faulty values.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, TypeAlias

from gitgpu.diagnostic import Change, ObjectRef
from gitgpu.load.explain.fault import Fault
from gitgpu.load.explain.messages import similar_key
from gitgpu.load.parse.scalars import resolve
from gitgpu.load.spec.schema_parts import examples_at, schema_part
from gitgpu.load.spec.shape import API_VERSION, Document, document_faults
from gitgpu.source import Pointer, pointer_text

_EXAMPLES = 6  # examples that are tried: most enumerations have fewer values
_SPEC = 1  # the length of the pointer to the spec
MAX_WRONG_DOCUMENTS = 50  # documents of the wrong shape; with more, their other faults can wait


def possible_fleets(documents: Sequence[Document]) -> list[list[Document]]:
    """The fleet with each possible version of its documents of the wrong shape; empty if there are none."""
    unsound = [document for document in documents if not document.sound]
    if not 0 < len(unsound) <= MAX_WRONG_DOCUMENTS:
        return []
    read = {id(document): _readings(document) for document in unsound}
    number = max(map(len, read.values()))
    return [_fleet(documents, read, index) for index in range(number)]


def wrong_keys(documents: Sequence[Document]) -> Mapping[ObjectRef, Collection[str]]:
    """For each document of the wrong shape, the keys of its spec with faults, as pointers."""
    by_document: dict[ObjectRef, set[str]] = {}
    for document in documents:
        if not document.sound and _is_ours(document):
            faults = document_faults(document.data)
            by_document[document.ref] = {pointer_text(fault.pointer[: _SPEC + 1]) for fault in faults}
    return by_document


def _fleet(documents: Sequence[Document], read: Mapping[int, list[dict[str, Any]]], at: int) -> list[Document]:
    """The fleet with one version of each document, by its number."""
    return [_reading(document, read.get(id(document), []), at) for document in documents]


def _reading(document: Document, readings: Sequence[dict[str, Any]], at: int) -> Document:
    if not readings:
        return document
    return document._replace(data=readings[min(at, len(readings) - 1)], sound=True)


def _is_ours(document: Document) -> bool:
    return document.data.get("kind") == document.kind and document.data.get("apiVersion") == API_VERSION


def _readings(document: Document) -> list[dict[str, Any]]:
    """Valid versions of this document. One version alone proves nothing about a faulty value."""
    if not _is_ours(document):
        return []
    faults = document_faults(document.data)
    if any(fault.pointer[:1] == ("metadata",) for fault in faults):
        return []
    first = _own_values(document, faults)
    if first is None:  # every version would have values that are not in the document
        return []
    readings = [first]
    examples = (partial(_replaced, number=number) for number in range(_EXAMPLES))
    mends: tuple[Mend, ...] = (_repaired, _filled, *examples)
    for mend in mends:
        data = _sound(_mended(document.data, faults, mend))
        if data is not None and data not in readings:
            readings.append(data)
    certain = all(fault.unknown and not _is_deep(fault) for fault in faults)
    return readings if certain or len(readings) > 1 else []


def _own_values(document: Document, faults: Sequence[Fault]) -> dict[str, Any] | None:
    """The document without its faulty values, or else with all of them repaired; None if neither is valid."""
    data = _sound(_mended(document.data, faults, _removed))
    if data is None and all(fault.repair for fault in faults):
        data = _sound(_mended(document.data, faults, _repaired))
    return data


def _sound(data: dict[str, Any] | None) -> dict[str, Any] | None:
    return data if data is not None and not document_faults(data) else None


Mend: TypeAlias = Callable[[dict[str, Any], Fault], None]


def _mended(data: dict[str, Any], faults: Sequence[Fault], mend: Mend) -> dict[str, Any] | None:
    """A copy with every fault repaired, or None. The last fault is repaired first, so that other places stay valid."""
    copied = deepcopy(data)
    try:
        for fault in reversed(faults):
            mend(copied, fault)
    except (AttributeError, LookupError, TypeError):
        return None
    return copied


def _is_deep(fault: Fault) -> bool:
    """Whether it is an unknown key below a key in the spec. It may be a misspelling of any missing key there."""
    return fault.unknown and len(fault.pointer) > _SPEC + 1


def _removed(data: dict[str, Any], fault: Fault) -> None:
    """Removes the value (for an item, the whole list), and mappings that become empty."""
    pointer = fault.pointer
    while isinstance(pointer[-1], int):
        pointer = pointer[:-1]
    _at(data, pointer[:-1]).pop(pointer[-1], None)
    while not _at(data, pointer[:-1]):
        pointer = pointer[:-1]
        _at(data, pointer[:-1]).pop(pointer[-1])


def _repaired(data: dict[str, Any], fault: Fault) -> None:
    """Applies the repair, or writes the example if there is no repair."""
    repair = fault.repair
    if repair is None:
        _replaced(data, fault)
        return
    owner, key = _at(data, repair.pointer[:-1]), repair.pointer[-1]
    match repair.change:
        case Change.KEY:
            owner[repair.text] = owner.pop(key)
        case Change.VALUE:
            owner[key] = resolve(repair.text)
        case Change.QUOTE:
            owner[key] = str(owner[key])
        case Change.ADD:
            owner[key][repair.key] = resolve(repair.text)
        case Change.MOVE:
            value = owner.pop(key)
            _at(data, repair.target or ())[key] = value


def _filled(data: dict[str, Any], fault: Fault) -> None:
    """Removes an unknown key, and adds all missing keys next to it that the schema allows together."""
    _removed(data, fault)
    above = fault.pointer[:-1]
    if not _is_deep(fault):
        return
    if above[-1] not in _at(data, above[:-1]):
        _at(data, above[:-1])[above[-1]] = {}
    owner = _at(data, above)
    for key in schema_part(data["kind"], above).get("properties", {}):
        if key not in owner:
            owner[key] = examples_at(data["kind"], (*above, key))[0]
            if document_faults(data):
                del owner[key]


def _replaced(data: dict[str, Any], fault: Fault, number: int = 0) -> None:
    """Writes an example from the schema: at the key that a misspelled one stands for, or at the nearest value above."""
    pointer = fault.pointer
    owner, key = _at(data, pointer[:-1]), pointer[-1]
    properties = schema_part(data["kind"], pointer[:-1]).get("properties", {})
    if isinstance(owner, dict) and key not in properties:
        owner.pop(key, None)
        key = similar_key(str(key), list(properties))
        pointer = (*pointer[:-1], key)
        if not key or key in owner:
            return
    while len(pointer) > _SPEC:
        examples = examples_at(data["kind"], pointer)
        if examples:
            _at(data, pointer[:-1])[pointer[-1]] = examples[number % len(examples)]
            return
        pointer = pointer[:-1]
    raise LookupError(pointer_text(fault.pointer))


def _at(data: Any, pointer: Pointer) -> Any:
    for part in pointer:
        data = data[part]
    return data
