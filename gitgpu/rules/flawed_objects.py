"""Judges objects with flaws by the rules that do not read a flaw, because no correction changes what these find.

A rule reads the object without its flaws, and each access that may have another result with them is recorded. If there
is one, the rule runs again without this object, and only what it finds both times is reported.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.recording import recording_body
from gitgpu.rule import FAILED
from gitgpu.rules.object_rule import Rule, breaches, diagnose
from gitgpu.source import pointer_text

_MAX_VIEWS = 16  # sets of objects: each needs indexes of its own; after that, all objects with flaws are omitted


def diagnose_with_flaws(rules: Iterable[Rule], objects: Objects) -> list[Diagnostic]:
    """The findings of these rules. Each judges an object unless it reads one of its flaws.

    A value that is optional in the newest release may be missing, unless the rule fails because of that.
    """
    items = [_without_optional(item) for item in objects.items]
    views, strict = _Views(replace(objects, items=tuple(items), sorted={}, cache={})), _Views(objects)
    places = _places_of_flaws(items)
    findings: list[Diagnostic] = []
    for rule in rules:
        found = _judged(rule, views)
        if any(finding.code == FAILED for finding in found):
            found = _judged(rule, strict)
        findings += (finding for finding in found if not _is_at_flaw(finding, places))
    return findings


def _without_optional(item: Item) -> Item:
    return item._replace(flaws=frozenset(flaw for flaw in item.flaws if not flaw.optional))


def _judged(rule: Rule, views: "_Views") -> list[Diagnostic]:
    omitted: frozenset[int] = frozenset()
    first_findings: list[Diagnostic] | None = None
    while True:
        objects, reads = views.without(omitted)
        reads.clear()
        try:
            findings = breaches(rule, objects)
        except Exception:  # noqa: BLE001  it may have read a flaw; otherwise, it is reported
            if reads <= omitted:
                return diagnose(rule, objects)
            findings = None
        if findings is not None and reads <= omitted:
            return findings if first_findings is None else _common_findings(findings, first_findings)
        if not omitted:
            first_findings = findings
        omitted |= reads


def _common_findings(findings: Iterable[Diagnostic], others: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings that are also among the others: they depend neither on a flaw nor on the object that has it."""
    same = {(finding.code, finding.span, finding.pointer) for finding in others}
    return [finding for finding in findings if (finding.code, finding.span, finding.pointer) in same]


class _Views:
    """The objects without some of those that have flaws."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._flawed = frozenset(index for index, item in enumerate(objects.items) if item.flaws)
        self._reads: set[int] = set()
        self._items = [_recording(item, partial(self._reads.add, index)) for index, item in enumerate(objects.items)]
        self._views: dict[frozenset[int], Objects] = {}

    def without(self, omitted: frozenset[int]) -> tuple[Objects, set[int]]:
        """The objects without these, and where they record the indexes of objects with a flaw that is read."""
        if omitted not in self._views:
            if len(self._views) >= _MAX_VIEWS:
                omitted = self._flawed
            items = tuple(item for index, item in enumerate(self._items) if index not in omitted)
            view = replace(self._objects, items=items, sorted={}, cache={}, reads=self._reads)
            self._views.setdefault(omitted, view)
        return self._views[omitted], self._reads


def _places_of_flaws(items: Iterable[Item]) -> Mapping[tuple[Any, ...], Sequence[str]]:
    """The places of flaws, by file and object."""
    places: dict[tuple[Any, ...], list[str]] = {}
    for item in items:
        for flaw in item.flaws:
            places.setdefault((item.given.places.span().file, item.ref), []).append(pointer_text(flaw.pointer))
    return places


def _is_at_flaw(finding: Diagnostic, places: Mapping[tuple[Any, ...], Sequence[str]]) -> bool:
    """Whether a finding is at a flaw or inside one: rules can also read the text before substitution."""
    flaws = places.get((finding.span.file, finding.object), ())
    return any(f"{finding.pointer}/".startswith(f"{flaw}/") for flaw in flaws)


def _recording(item: Item, record: Callable[[], None]) -> Item:
    """The object without its flaws, with a body that records when one is read."""
    if not item.flaws:
        return item
    body = recording_body(item.body, item.flaws, record)
    return item._replace(given=item.given._replace(body=body), bare=None)
