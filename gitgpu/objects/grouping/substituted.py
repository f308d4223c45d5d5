"""Objects with unknown values, which Flux substitutes: no finding may depend on such a value."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeAlias

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.delivery.substitution import Substituted
from gitgpu.objects.objects import Given, Item, identity
from gitgpu.objects.schema.flaws import flaw_at
from gitgpu.source import Pointer, pointer_text

Check: TypeAlias = Callable[[Given], tuple[Item, list[Diagnostic]]]
_GONE = object()
_TOLERATES_ALL = {"operator": "Exists"}
_OF_HOLES = frozenset({"GIT013"})  # findings about the substitution itself


def check_substituted(given: Given, substituted: Substituted, check: Check) -> tuple[Item, list[Diagnostic]]:
    """Checks an object against its contract after substitution. No fault may depend on an unknown value."""

    def look(body: Mapping[str, Any]) -> tuple[Item, list[Diagnostic]]:
        item, faults = check(Given(body, given.places, given.patch))
        return item, [fault._replace(object=identity(given.body).ref) for fault in faults]

    item, faults = look(substituted.body)
    if not faults and not substituted.holes:  # most objects
        return item, faults
    wrong = {fault.pointer for fault in faults}
    texts = {place: text for place, text in substituted.typed if pointer_text(place) in wrong}
    if texts:  # a value that became a number or a boolean is used as text if that fits
        item, faults = look(_written(substituted.body, texts))
    if not substituted.holes:
        return item, faults
    bare, others = look(without_values(item.body, substituted.holes))
    kept = _common_faults(faults, others, substituted.holes)
    best = item if item.sound else bare
    if best.flaws:
        best = best._replace(flaws=best.flaws | {flaw_at(hole) for hole in substituted.holes})
    return best._replace(holes=substituted.holes, bare=bare.body if bare.sound else None), kept


def _common_faults(
    faults: Iterable[Diagnostic], without: Iterable[Diagnostic], holes: Collection[Pointer]
) -> list[Diagnostic]:
    """The faults that occur both with unknown values as written and without them, except those about such a value."""
    found_twice = {(fault.code, fault.pointer) for fault in without}
    outside = (fault for fault in faults if not is_inside(fault.pointer, holes))
    return [fault for fault in outside if (fault.code, fault.pointer) in found_twice]


def certain_findings(
    findings: Iterable[Diagnostic], without: Iterable[Diagnostic], items: Iterable[Item]
) -> list[Diagnostic]:
    """The findings in items that do not depend on unknown values: `without` are those in the same items, but bare."""
    same = {(finding.code, finding.span, finding.pointer) for finding in without}
    holes = _holes(items)

    def is_certain(finding: Diagnostic) -> bool:
        if finding.code in _OF_HOLES:
            return True
        if (finding.code, finding.span, finding.pointer) not in same or "${" in finding.message:
            return False
        return not is_inside(finding.pointer, holes.get((finding.span.file, finding.object), frozenset()))

    return list(filter(is_certain, findings))


def _holes(items: Iterable[Item]) -> Mapping[tuple[Any, ...], frozenset[Pointer]]:
    """The places of unknown values, by file and object."""
    holes: dict[tuple[Any, ...], frozenset[Pointer]] = {}
    for item in items:
        if item.holes:
            key = (item.given.places.span().file, item.ref)
            holes[key] = holes.get(key, frozenset()) | item.holes
    return holes


def kinds_with_unknown_names(items: Iterable[Item]) -> frozenset[tuple[str, str]]:
    """The kinds of objects with unknown names: a referenced object may be one of them."""
    own = {("metadata", "name"), ("metadata", "namespace")}
    return frozenset((item.identity.group, item.identity.kind) for item in items if own & item.holes)


def is_inside(pointer: str, holes: Iterable[Pointer]) -> bool:
    """Whether a place is an unknown value, or inside one."""
    return any(pointer == text or pointer.startswith(f"{text}/") for text in map(pointer_text, holes))


def without_values(body: Mapping[str, Any], holes: Collection[Pointer]) -> dict[str, Any]:
    """The object without its unknown values, but with its identity."""
    kept = {("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace")}
    changes: dict[Pointer, Any] = dict.fromkeys(set(holes) - kept, _GONE)
    # Without its value, a toleration would tolerate no taint that has one.
    changes |= {hole[:-1]: _TOLERATES_ALL for hole in holes if _is_of_toleration(hole)}
    return _changed(body, (), changes)  # type: ignore[no-any-return]


def _is_of_toleration(hole: Pointer) -> bool:
    """Whether an unknown value decides which taints a toleration is for. Without an effect, it is for every effect."""
    return hole[-3:-2] == ("tolerations",) and hole[-1] in ("key", "operator", "value")


def _written(body: Mapping[str, Any], texts: Mapping[Pointer, str]) -> dict[str, Any]:
    return _changed(body, (), texts)  # type: ignore[no-any-return]


def bare_item(item: Item) -> Item:
    """The item without its unknown values."""
    return item if item.bare is None else item._replace(given=item.given._replace(body=item.bare))


def _changed(value: Any, place: Pointer, changes: Mapping[Pointer, Any]) -> Any:
    if place in changes:
        return changes[place]
    if isinstance(value, Mapping):
        entries = ((key, _changed(entry, (*place, key), changes)) for key, entry in value.items())
        return {key: entry for key, entry in entries if entry is not _GONE}
    if isinstance(value, list):
        changed = (_changed(entry, (*place, index), changes) for index, entry in enumerate(value))
        return [entry for entry in changed if entry is not _GONE]
    return value
