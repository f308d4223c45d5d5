"""An object rule: a way in which an object that matches its schema is still rejected or never works."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from gitgpu import rule
from gitgpu.diagnostic import Diagnostic, Repair, Severity
from gitgpu.jobs import processes, shares, spread
from gitgpu.model.catalog import Facts
from gitgpu.model.evidence import with_age
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.moved_places import place_in_object
from gitgpu.rule import failure
from gitgpu.source import Pointer, Span, pointer_text

LARGE = 200  # objects: from this size on, processes share the rules of a group; below, they share the groups
_MIN_PARALLEL = 1500  # objects: checking these takes longer than starting a process for each core


class Finding(NamedTuple):
    """One violation: the object, the value inside it, what is wrong and what to do, and a `repair` if that is safe.

    With `at_key`, the place is the key. `message` also says what could be different outside the files that were
    read. `severity` replaces the rule's severity for a finding that is less or more certain. `row` is the row of the
    catalog that this finding rests on; the rule names those that all its findings rest on. `code` replaces the code of
    the rule, for a finding of an advisory.
    """

    item: Item
    pointer: Pointer
    message: str
    help: str
    at_key: bool = False
    repair: Repair | None = None
    severity: Severity | None = None
    row: Facts | None = None
    code: str = ""


Rule: TypeAlias = rule.Rule[Objects, Finding]


def diagnose_all(rules: Iterable[Rule], objects: Objects) -> list[Diagnostic]:
    """The findings of these rules, one rule after the other."""
    return list(chain.from_iterable(diagnose(rule, objects) for rule in rules))


def diagnose_in_processes(jobs: int | None, rules: Sequence[Rule], objects: Objects) -> list[Diagnostic]:
    """The same. If there are many objects, each process runs its share of the rules."""
    number = processes_for(len(objects.items), jobs)
    parts = shares(len(rules), number)
    by_part = spread(lambda part: diagnose_all(rules[slice(*part)], objects), parts, number)
    return list(chain.from_iterable(by_part))


def processes_for(objects: int, jobs: int | None) -> int:
    """The number of processes that check the objects of a group."""
    return processes(jobs, objects, _MIN_PARALLEL) if objects >= LARGE else 1


def diagnose(object_rule: Rule, objects: Objects) -> list[Diagnostic]:
    """The findings of a rule as diagnostics. If the rule raises, that is reported at each object that causes it."""
    try:
        return breaches(object_rule, objects)
    except Exception as error:  # noqa: BLE001  one odd object must not lose the rest of the run
        failures = {}
        for item in objects.items:
            for failed in _failure_at(object_rule, objects.only(item)):
                failures[item.identity] = failed
        if not failures:  # it takes several objects together
            return [failure(object_rule, error)]
        remaining_items = [item for item in objects.items if item.identity not in failures]
        findings = diagnose(object_rule, objects.only(*remaining_items)) if remaining_items else []
        return [*failures.values(), *findings]


def _failure_at(object_rule: Rule, objects: Objects) -> Iterator[Diagnostic]:
    (item,) = objects.items
    try:
        breaches(object_rule, objects)
    except Exception as error:  # noqa: BLE001  the same
        yield failure(object_rule, error, item.given.places.span(), item.ref)


def breaches(object_rule: Rule, objects: Objects) -> list[Diagnostic]:
    """The findings of a rule as diagnostics. Exceptions of the rule are not caught.

    A value that several objects share, such as one of a runtime, is reported once.
    """
    found = (_diagnostic(object_rule, finding, objects) for finding in object_rule.check(objects))
    by_place: dict[tuple[str, Span, str], Diagnostic] = {}
    for each in found:
        by_place.setdefault((each.code, each.span, each.message), each)
    return list(by_place.values())


def _diagnostic(object_rule: Rule, finding: Finding, objects: Objects) -> Diagnostic:
    item, pointer, message, remedy, at_key, repair, severity, row, code = finding
    message = with_age(message, row, object_rule.facts, objects.catalog, objects.today)
    place = pointer_text(place_in_object(item.given.places, pointer))
    span = item.given.places.span(pointer, key=at_key)
    edit = repair.edit(item.given.places) if repair and item.written is None else None
    code = code or object_rule.code
    return Diagnostic(code, severity or object_rule.severity, message, remedy, span, place, item.ref, edit)
