"""Predicates by type of value. Each is only one closure deep: a build spends most of its checking time here."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gitgpu.load.validate.keywords import Check, all_of, anything, nothing

_REMEMBERED = 4096  # accepted texts that a predicate caches, because fleets repeat the same few


def by_type(checks: Mapping[type, Check]) -> Check:
    """Chooses the check by the type of the value. A type without a check is rejected."""
    if len(checks) == 1:
        return next(iter(checks.values()))

    return lambda value: checks.get(type(value), nothing)(value)


def scalar(kind: type, tests: list[Check]) -> Check:
    """Accepts a number, boolean or null. `true` is not an integer."""
    test = all_of(tests)
    return lambda value: type(value) is kind and test(value)


def text(tests: list[Check]) -> Check:
    """Accepts a string. Accepted strings are cached, so that patterns are not searched again."""
    if not tests:
        return lambda value: isinstance(value, str)
    test = all_of(tests)
    accepted: set[str] = set()

    def check(value: Any) -> bool:
        if not isinstance(value, str):
            return False
        if value in accepted:
            return True
        if not test(value):
            return False
        if len(accepted) < _REMEMBERED:
            accepted.add(value)
        return True

    return check


def sequence(tests: list[Check], item: Check) -> Check:
    """Accepts a list if all its items are valid."""
    test = all_of(tests)
    if test is anything:
        return lambda value: isinstance(value, list) and all(map(item, value))
    return lambda value: isinstance(value, list) and test(value) and all(map(item, value))


def mapping(tests: list[Check], required: Sequence[str], prepare: Callable[[str], tuple[Check, bool]]) -> Check:
    """Accepts a mapping if it has the required keys and valid values.

    `prepare` makes the check for a key when the key first occurs, and says whether to cache it.
    """
    test = all_of(tests)
    ready: dict[str, Check] = {}

    def first_met(key: str) -> Check:
        item_check, keep = prepare(key)
        if keep:
            ready[key] = item_check
        return item_check

    def check(value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        for key in required:
            if key not in value:
                return False
        for key, item in value.items():
            if not (ready.get(key) or first_met(key))(item):
                return False
        return test is anything or test(value)

    return check


def table(tests: list[Check], value_check: Check) -> Check:
    """Accepts a mapping with any keys if all its values pass the same check."""
    test = all_of(tests)
    if test is anything:
        return lambda value: isinstance(value, dict) and all(map(value_check, value.values()))
    return lambda value: isinstance(value, dict) and test(value) and all(map(value_check, value.values()))
