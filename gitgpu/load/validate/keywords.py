"""The keywords of JSON Schema without other schemas in them. Each makes a predicate from its argument."""

from collections.abc import Callable, Mapping
from itertools import combinations, starmap
from typing import Any, TypeAlias

from gitgpu.load.validate.patterns import compile_pattern

Check: TypeAlias = Callable[[Any], bool]
Maker: TypeAlias = Callable[[Any], Check]

# Keywords that reject no value.
ANNOTATIONS = frozenset(
    ("title", "description", "examples", "default", "$schema", "$id", "$comment", "definitions", "$defs")
)
UNIQUE_BY = "x-gitgpu-unique-by"  # our own keyword: the keys that distinguish the items of a list
TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def anything(_: Any) -> bool:
    """Accepts every value."""
    return True


def nothing(_: Any) -> bool:
    """Accepts no value."""
    return False


def all_of(tests: list[Check]) -> Check:
    """Accepts a value if every test accepts it."""
    tests = [test for test in tests if test is not anything]
    if len(tests) < 2:
        return tests[0] if tests else anything
    if len(tests) == 2:  # two calls take a third of the time of a generator
        first, second = tests
        return lambda value: first(value) and second(value)
    return lambda value: all(test(value) for test in tests)


def same(first: Any, other: Any) -> bool:
    """Whether the values are equal as JSON. At any depth, true is not 1."""
    if isinstance(first, bool) or isinstance(other, bool):
        return first is other
    if isinstance(first, dict) and isinstance(other, dict):
        return first.keys() == other.keys() and all(same(first[key], other[key]) for key in first)
    if isinstance(first, list) and isinstance(other, list):
        return len(first) == len(other) and all(map(same, first, other))
    return bool(first == other)


def _enum(allowed: list[Any]) -> Check:
    texts = frozenset(item for item in allowed if isinstance(item, str))

    def check(value: Any) -> bool:
        if isinstance(value, str):
            return value in texts
        return any(same(value, item) for item in allowed)

    return check


def _unique(required: bool) -> Check:
    def check(value: list[Any]) -> bool:
        if all(isinstance(item, str) for item in value):
            return len(set(value)) == len(value)
        return not any(starmap(same, combinations(value, 2)))

    return check if required else anything


def unique_by(keys: list[str]) -> Check:
    """Accepts a list of mappings if no two of them have the same values under these keys."""

    def check(value: list[Any]) -> bool:
        names = [list(map(item.get, keys)) for item in value if isinstance(item, dict)]
        return not any(starmap(same, combinations(names, 2)))

    return check


def _pattern(text: str) -> Check:
    search = compile_pattern(text).search
    return lambda value: search(value) is not None


def _at_least(limit: int) -> Check:
    return lambda value: len(value) >= limit


def _at_most(limit: int) -> Check:
    return lambda value: len(value) <= limit


def multiple_of(factor: float) -> Check:
    """Accepts multiples of a number. 0.3 is a multiple of 0.1, as for the API server."""
    if factor <= 0:
        return lambda _: True  # the API server decides what such a factor means
    from fractions import Fraction  # noqa: PLC0415  few schemas have the keyword, and it takes a hundredth of a run

    each = Fraction(str(factor))

    def check(value: float) -> bool:
        if isinstance(value, int) and isinstance(factor, int):
            return value % factor == 0
        times = Fraction(str(value)) / each
        # IsFloat64AJSONInteger of go-openapi/swag allows a relative error of 1e-9, and of 2e-9 in older releases.
        return abs(times - round(times)) * 10**9 <= 2 * abs(times)

    return check


ANY: Mapping[str, Maker] = {"enum": _enum, "const": lambda wanted: lambda value: same(value, wanted)}
NUMBER: Mapping[str, Maker] = {
    "minimum": lambda limit: lambda value: value >= limit,
    "maximum": lambda limit: lambda value: value <= limit,
    "exclusiveMinimum": lambda limit: lambda value: value > limit,
    "exclusiveMaximum": lambda limit: lambda value: value < limit,
    "multipleOf": multiple_of,
}
BY_TYPE: Mapping[type, Mapping[str, Maker]] = {
    str: {"minLength": _at_least, "maxLength": _at_most, "pattern": _pattern},
    bool: {},
    int: NUMBER,
    float: NUMBER,
    type(None): {},
    list: {"minItems": _at_least, "maxItems": _at_most, "uniqueItems": _unique, UNIQUE_BY: unique_by},
    dict: {"minProperties": _at_least, "maxProperties": _at_most},
}
