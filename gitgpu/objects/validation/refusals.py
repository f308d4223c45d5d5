"""What releases of a project refuse in an object: all that a cluster may run, or only some of them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.load.explain.fault import Fault
from gitgpu.objects.schema.contract import Contract
from gitgpu.objects.schema.release_list import ReleaseList
from gitgpu.source import Pointer

_MANY = 50  # faults of one object: with more, they are not compared between releases, which takes long


class Meant(NamedTuple):
    """The known releases of a project that may run, and those that are possible: with long-term support, older ones."""

    running: frozenset[str]
    possible: frozenset[str]


class Refusal(NamedTuple):
    """A fault, and the known releases that accept what it is about: "as of Karpenter 1.15"; "" if none does.

    `always`: no possible release accepts it. `certain`: none accepts the object, if only for other faults.
    `others` are places of faults of the same releases in the same mapping, which one finding reports together.
    """

    fault: Fault
    accepted: str
    always: bool
    certain: bool = False
    others: tuple[Pointer, ...] = ()


def refusals(
    contract: Contract, body: Mapping[str, Any], releases: ReleaseList, meant: Meant, *, patch: bool
) -> list[Refusal]:
    """What the releases that may run refuse, in the words of the newest one that does."""
    used, possible = _used(contract, releases, meant.running), _used(contract, releases, meant.possible)
    variants = contract.variants
    if all(variants[at].accepts(body, patch=patch) for at in used):
        return []  # only releases that no longer run refuse something: what they refuse need not be explained
    newest = variants[used[-1]].faults(body, patch=patch)
    if len(newest) > _MANY:
        return [Refusal(fault, "", always=True) for fault in newest]
    explained = {at: variants[at].faults(body, patch=patch) for at in used[:-1]} | {used[-1]: newest}
    faults = {fault.pointer: fault for at in used for fault in explained[at]}  # the newest release comes last
    places = [
        [fault.pointer for fault in explained[at]] if at in explained else variant.fault_places(body, patch=patch)
        for at, variant in enumerate(variants)
    ]
    starts = [variant.since for variant in variants]
    result = []
    for pointer in sorted(faults, key=lambda place: [str(step) for step in place]):
        accepting = [not _cover(variant_places, pointer) for variant_places in places]
        always = not any(accepting[at] for at in possible)
        accepted = releases.ranges(list(zip(starts, accepting, strict=True)))
        result.append(Refusal(faults[pointer], accepted, always))
    certain = all(places[at] for at in possible) and not any(refusal.always for refusal in result)
    return [refusal._replace(certain=certain) for refusal in result]


def group_refusals(found: Sequence[Refusal]) -> list[Refusal]:
    """The refusals, with one for those of the same releases in the same mapping, or below it."""
    result: list[Refusal] = []
    for refusal in sorted(found, key=lambda refusal: len(refusal.fault.pointer)):
        at = next((at for at, first in enumerate(result) if _has_same_cause(first, refusal)), None)
        if at is None:
            result.append(refusal)
        else:
            result[at] = result[at]._replace(others=(*result[at].others, refusal.fault.pointer))
    pointers = [refusal.fault.pointer for refusal in found]
    return sorted(result, key=lambda refusal: pointers.index(refusal.fault.pointer))


def _has_same_cause(first: Refusal, refusal: Refusal) -> bool:
    """Whether a change of the same releases probably brought both. The whole of `spec` is too large for that."""
    above = first.fault.pointer[:-1]
    is_below = len(above) > 1 and refusal.fault.pointer[: len(above)] == above
    return is_below and not (first.always or refusal.always) and first.accepted == refusal.accepted


def _used(contract: Contract, releases: ReleaseList, running: Collection[str]) -> list[int]:
    """The indexes of the variants of a contract that these releases have, oldest first."""
    starts = [variant.since for variant in contract.variants]
    return sorted({releases.range_of(number, starts) for number in running})


def _cover(places: Sequence[Pointer], pointer: Pointer) -> bool:
    """Whether a value is at one of these places, or inside a mapping or list that is."""
    return any(place == pointer[: len(place)] for place in places)
