"""The examples of a rule: its messages by subject, and whether they produce each of its findings."""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from syrupy.extensions.amber import AmberSnapshotExtension
from syrupy.location import PyTestLocation

from gitgpu.objects.norms import Norms
from gitgpu.rule import AnyRule

Subject = tuple[AnyRule, ...]  # the rules of a folder


def named_examples(rule: AnyRule) -> Iterator[tuple[str, str]]:
    """The bad examples of a rule, each with a name for its test: SKU001, SKU001-2, ..."""
    for number, bad in enumerate(rule.bad_examples, 1):
        yield rule.code if number == 1 else f"{rule.code}-{number}", bad


def named_near_misses(rule: AnyRule) -> Iterator[tuple[str, str]]:
    """The near misses of a rule, each with a name for its test."""
    yield from ((f"{rule.code}-{number}", text) for number, text in enumerate(rule.good_examples[1:], 1))


def bad_examples(rule: AnyRule) -> Iterator[tuple[str, str]]:
    """The bad examples of a rule, each with a name."""
    yield from ((f"bad {number}", text) for number, text in enumerate(rule.bad_examples, 1))


def every_example(rule: AnyRule) -> Iterator[tuple[str, str]]:
    """The bad and good examples of a rule, each with a name."""
    yield from bad_examples(rule)
    yield from ((f"good {number}", text) for number, text in enumerate(rule.good_examples, 1))


def subjects(rules: Iterable[AnyRule]) -> dict[str, Subject]:
    """The rules of each folder. A test of a whole folder costs little more than one of a rule."""
    by_folder: dict[str, list[AnyRule]] = {}
    for rule in rules:
        by_folder.setdefault(_folder(rule), []).append(rule)
    return {folder: tuple(of_folder) for folder, of_folder in sorted(by_folder.items())}


def _folder(rule: AnyRule) -> str:
    return rule.check.__module__.split(".")[-2]


def only(rule: AnyRule, norms: Norms) -> Norms:
    """The norms with only this rule. As always, it runs only if objects of its kinds are present."""
    all_rules = norms.rules
    return replace(norms, rules=lambda objects: [each for each in all_rules(objects) if each.code == rule.code])


def by_subject(rule: AnyRule) -> type[AmberSnapshotExtension]:
    """Keeps snapshots in one file for each folder of rules, so that a change to a subject changes one file."""
    return _snapshots_of(_folder(rule))


@cache
def _snapshots_of(subject: str) -> type[AmberSnapshotExtension]:
    class BySubject(AmberSnapshotExtension):
        @classmethod
        def get_file_basename(cls, *, test_location: PyTestLocation, index: int | str) -> str:
            return f"{test_location.basename}/{subject}"

        @classmethod
        def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
            return cls.get_location(test_location=test_location, index=0) == snapshot_location

    return BySubject


def findings_never_made(rule: AnyRule, run: Callable[[], object]) -> list[int]:
    """The lines of a rule's module that create a Finding and are not reached by `run`."""
    path = str(sys.modules[rule.check.__module__].__file__)
    reached: set[int] = set()

    def at_line(frame: FrameType, event: str, _: Any) -> Any:
        reached.add(frame.f_lineno)
        return at_line

    def at_call(frame: FrameType, event: str, argument: Any) -> Any:
        return at_line(frame, event, argument) if frame.f_code.co_filename == path else None

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        run()
    finally:
        sys.settrace(before)
    return sorted(first for first, last in _finding_lines(path) if reached.isdisjoint(range(first, last + 1)))


@cache
def _finding_lines(path: str) -> tuple[tuple[int, int], ...]:
    """The first and last line of each call of Finding(...)."""
    calls = [node for node in ast.walk(ast.parse(Path(path).read_text("utf-8"))) if isinstance(node, ast.Call)]
    made = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Finding"]
    return tuple((call.lineno, call.end_lineno or call.lineno) for call in made)
