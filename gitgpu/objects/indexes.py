"""Indexes: values by key and by label, for look-ups that many objects need."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from marshal import dumps
from typing import Any, Generic, NamedTuple, TypeVar

from gitgpu.access import MAPPING

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_PLAIN = 2  # the last format of `marshal` in which equal values have equal bytes
_SCALARS = frozenset((str, int, float, bool, type(None)))


def freeze(value: Any) -> Hashable:
    """A value that can be hashed, and is equal for equal values."""
    if type(value) in _SCALARS:  # most values
        return value  # type: ignore[no-any-return]
    if isinstance(value, MAPPING):
        return frozenset((key, freeze(item)) for key, item in value.items())
    return tuple(map(freeze, value)) if isinstance(value, list) else value


def exact_key(value: Any) -> str | bytes:
    """A key that only values with the same text share. Equality ignores the order of keys, and 1 equals true."""
    # `marshal` takes an eighth of the time of `repr`, but does not have all types.
    try:
        return dumps(value, _PLAIN)
    except ValueError:
        return repr(value)


def group_by(values: Iterable[Value], key: Callable[[Value], Key]) -> dict[Key, list[Value]]:
    """The values by key, in their order."""
    by_key: dict[Key, list[Value]] = {}
    for value in values:
        by_key.setdefault(key(value), []).append(value)
    return by_key


class Labelled(NamedTuple, Generic[Value]):
    """Values with labels, indexed by each label."""

    every: Sequence[Value]
    by_pair: Mapping[tuple[str, Any], Sequence[Value]]

    def having(self, selector: Mapping[str, Any]) -> Sequence[Value]:
        """The values, in order, that may match a selector: those with its rarest label."""
        pairs = [pair for pair in selector.items() if isinstance(pair[1], Hashable)]
        if not pairs:
            return self.every
        return min((self.by_pair.get(pair, ()) for pair in pairs), key=len)


def index_by_label(values: Iterable[Value], labels: Callable[[Value], Mapping[str, Any]]) -> Labelled[Value]:
    """The values by each of their labels."""
    every = list(values)
    by_label: dict[tuple[str, Any], list[Value]] = {}
    for value in every:
        for pair in labels(value).items():
            if isinstance(pair[1], Hashable):
                by_label.setdefault(pair, []).append(value)
    return Labelled(every, by_label)
