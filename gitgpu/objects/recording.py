"""An object without its flaws that records when something is read that may depend on one of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gitgpu.access import ABSENT, children, value_at
from gitgpu.objects.schema.flaws import Flaw, without_flaws
from gitgpu.source import Pointer


def recording_body(body: Mapping[str, Any], flaws: frozenset[Flaw], record: Callable[[], None]) -> dict[str, Any]:
    """The body of an object without its flaws. `record` is called whenever a flaw is read."""
    strange = frozenset(flaw for flaw in flaws if flaw.at_key)
    open_mappings = {flaw.pointer[:-1] for flaw in strange}
    names = _names(body, flaws)
    hidden: dict[Pointer, set[str]] = {}
    for flaw in flaws:
        hidden.setdefault(flaw.pointer[:-1], set()).add(str(flaw.pointer[-1]))

    def recording(value: Any, place: Pointer) -> Any:
        if isinstance(value, dict):
            inside = {key: recording(entry, (*place, key)) for key, entry in value.items()}
            missing = None if place in open_mappings else hidden.get(place, set()) | names
            # The value of an unknown key may also belong into an empty mapping, or into one next to it.
            may_lack = bool(strange) and (not inside or place[:-1] in open_mappings)
            return RecordingMapping(inside, missing, record, is_part=place in hidden or may_lack)
        if isinstance(value, list):
            return [recording(entry, (*place, index)) for index, entry in enumerate(value)]
        return value

    return recording(without_flaws(body, flaws), ())  # type: ignore[no-any-return]


def _names(body: Mapping[str, Any], flaws: frozenset[Flaw]) -> set[str]:
    """The keys that may belong anywhere in an object: a key that is wrong where it is, and those inside its value."""
    names: set[str] = set()
    for flaw in flaws:
        value = value_at(body, flaw.pointer)
        names.update(_keys(value))
        if value is not ABSENT:
            names.update(map(str, flaw.pointer[-2:] if flaw.at_key else flaw.pointer[-1:]))
    return names


def _keys(value: Any) -> Iterator[str]:
    """The keys of all mappings in a value."""
    for key, inside in children(value):
        if isinstance(key, str):
            yield key
        yield from _keys(inside)


class RecordingMapping(dict[str, Any]):
    """A mapping without its flaws that calls `record` if the result of a method may depend on one.

    `missing` are the absent keys that a flaw may stand for; None if it may stand for any. With `is_part`, the mapping
    may have other keys without the flaws.
    """

    __hash__ = None

    def __init__(
        self, content: Mapping[str, Any], missing: set[str] | None, record: Callable[[], None], *, is_part: bool
    ) -> None:
        super().__init__(content)
        self._missing, self._record, self._is_part = missing, record, is_part

    def _at(self, key: Any) -> None:
        if not super().__contains__(key) and (self._missing is None or key in self._missing):
            self._record()

    def _all(self) -> None:
        if self._is_part:
            self._record()

    def __getitem__(self, key: Any) -> Any:
        self._at(key)
        return super().__getitem__(key)

    def __contains__(self, key: Any) -> bool:
        self._at(key)
        return super().__contains__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default."""
        self._at(key)
        return super().get(key, default)

    def __bool__(self) -> bool:
        if not super().__len__():
            self._all()
        return super().__len__() > 0

    def __len__(self) -> int:
        self._all()
        return super().__len__()

    def __iter__(self) -> Iterator[Any]:
        self._all()
        return super().__iter__()

    def __reversed__(self) -> Iterator[Any]:
        self._all()
        return super().__reversed__()

    def keys(self) -> Any:
        """All keys."""
        self._all()
        return super().keys()

    def values(self) -> Any:
        """All values."""
        self._all()
        return super().values()

    def items(self) -> Any:
        """All keys with their values."""
        self._all()
        return super().items()

    def copy(self) -> Any:
        """A plain copy."""
        self._all()
        return super().copy()

    def __eq__(self, other: object) -> bool:
        self._all()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        self._all()
        return super().__ne__(other)

    def __or__(self, other: Any) -> Any:
        self._all()
        return super().__or__(other)

    def __ror__(self, other: Any) -> Any:
        self._all()
        return super().__ror__(other)
