"""The effect of each value of a document: changes one value at a time, and compares the lines of the result.

`unread` lists the values that have no effect. A snapshot of what `decided` finds also shows what each of the others
causes, and what happens if it is absent, null or of another type.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from tests.helping.nested import values_inside

Path: TypeAlias = tuple[str | int, ...]
ABSENT = object()
EVERY = ("absent", "null", "true", "false", "one more", "empty", "in other case", "longer", "text", "5")
_LONGEST = 140  # characters; longer lines are cut


def decided(data: Any, shown: Callable[[Any], Iterable[str]], names: Container[str] = EVERY) -> Iterator[str]:
    """For each value of a document, the changes that make a difference, each with the difference.

    `names` selects the changes to try.
    """
    before = list(shown(data))
    for path, value in values_inside(data):
        by_difference: dict[str, list[str]] = {}
        for name, other in (each for each in _others(value) if each[0] in names):
            after = list(shown(changed(data, path, other)))
            if not _is_same(before, after, (value, other)):
                by_difference.setdefault(_difference(before, after), []).append(name)
        for difference, tried in by_difference.items():
            yield f"{'.'.join(map(str, path))} {', '.join(tried)}{difference}"


def unread(data: Any, shown: Callable[[Any], Iterable[str]]) -> list[str]:
    """The paths of the values whose removal changes no line; of values inside each other only the outermost."""
    before, found = list(shown(data)), list[Path]()
    for path, _ in values_inside(data):
        if not any(path[: len(outer)] == outer for outer in found) and list(shown(changed(data, path))) == before:
            found.append(path)
    return [".".join(map(str, path)) for path in found]


def _is_same(before: list[str], after: list[str], change: tuple[Any, Any]) -> bool:
    """Whether the lines are the same, apart from lines that quote the value itself."""
    old, new = change
    return after in (
        before,
        [line.replace(str(old), str(new)) for line in before],
        [line.replace(repr(old), repr(new)) for line in before],
    )


def _others(value: Any) -> Iterator[tuple[str, Any]]:
    """The replacements that are tried for a value, by name."""
    yield "absent", ABSENT
    if value is not None:
        yield "null", None
    if isinstance(value, bool):
        yield str(not value).lower(), not value
    elif isinstance(value, list | dict) and value:
        yield "empty", type(value)()
    elif isinstance(value, int | float):
        yield "one more", value + 1
    elif isinstance(value, str):
        yield from (("empty", ""), ("in other case", value.swapcase()), ("longer", f"{value}x"))
    yield ("text", "x") if not isinstance(value, str) else ("5", 5)


def changed(value: Any, path: Path, other: Any = ABSENT) -> Any:
    """A copy of a value in which the value at a path is replaced or removed."""
    key, *rest = path
    copy: Any = dict(value) if isinstance(value, Mapping) else list(value)
    if rest:
        copy[key] = changed(value[key], tuple(rest), other)
    elif other is ABSENT:
        del copy[key]
    else:
        copy[key] = other
    return copy


def _difference(before: Iterable[str], after: Iterable[str]) -> str:
    """How many lines are only in one of the two, and the first such line of each."""
    lost, new = Counter(before) - Counter(after), Counter(after) - Counter(before)
    if not lost and not new:
        return ": another order"
    parts = [(sign, lines) for sign, lines in (("-", lost), ("+", new)) if lines]
    return "".join(f"\n    {sign}{len(lines)} {_short(next(iter(lines)).strip())}" for sign, lines in parts)


def _short(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:100]}...{line[-30:]}"
