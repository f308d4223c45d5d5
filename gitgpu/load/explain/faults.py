"""Why a value does not match its schema, in plain words. Only called for values that `validate` rejects."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

from gitgpu.load.explain.duplicates import without_duplicates
from gitgpu.load.explain.fault import Fault
from gitgpu.load.explain.messages import Leaf, meant_key, message, similar_key, value_text
from gitgpu.load.explain.remedies import remedy
from gitgpu.load.explain.repairs import (
    FaultContext,
    intended_place,
    is_needless_level,
    places_of_keys,
    repair,
)
from gitgpu.load.explain.validator import validator
from gitgpu.load.validate.compiler import Dialect, Schema, local_references
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.source import Pointer, dotted_text
from gitgpu.spelling import nearest

MAX_EXPLAINED = 1000  # faults of a value that are explained, which takes time; the others are counted
_CUTOFF = 0.85  # similarity of a misspelled key and the right one, at least: pool and pools
_OF_KEYS = ("additionalProperties", "false")
# Of several faults at one place, only the first one in this order is reported.
_FIRST = ("additionalProperties", "type", "const", "enum")


class _Leaves(NamedTuple):
    """The faults of a value, one for each place, in order of place, and the number of `more` faults."""

    leaves: tuple[Leaf, ...]
    root: FaultContext
    more: int


def every_fault(schema: Schema, value: Any, dialect: Dialect) -> list[Fault]:
    """Every fault of a value that is not valid, one for each place, in order of place."""
    found = _find_leaves(schema, value, dialect)
    faults = [_fault(leaf, found.root) for leaf in found.leaves]
    if found.more:
        faults.append(Fault((), f"{found.more:,} more faults", "correct the listed faults first"))
    return faults or [Fault((), "does not match its schema", "compare it with the documentation of its kind")]


def every_place(schema: Schema, value: Any, dialect: Dialect) -> list[Pointer]:
    """The places of the faults that `every_fault` explains. Faster, because nothing is explained."""
    found = _find_leaves(schema, value, dialect)
    places = [leaf.pointer for leaf in found.leaves]
    return places if places and not found.more else [*places, ()]


def _find_leaves(schema: Schema, value: Any, dialect: Dialect) -> _Leaves:
    errors = validator(schema, dialect).iter_errors(value)
    all_leaves = chain.from_iterable(map(_leaves, errors))
    leaves = list(islice(all_leaves, MAX_EXPLAINED))
    more = sum(1 for _ in all_leaves)
    if dialect.partial:
        leaves = [leaf for leaf in leaves if not _is_allowed_in_patch(leaf)]
    resolve = dialect.resolve or local_references(schema)
    unknown = frozenset(str(leaf.pointer[-1]) for leaf in leaves if leaf.is_unknown_key)
    root = FaultContext(schema, value, resolve, places_of_keys(schema, unknown, resolve))
    first: dict[Pointer, Leaf] = {}
    for leaf in sorted(without_duplicates(leaves, root, dialect.formats), key=_order):
        first.setdefault(leaf.pointer, leaf)
    return _Leaves(tuple(first.values()), root, more)


def _fault(leaf: Leaf, root: FaultContext) -> Fault:
    moved = intended_place(leaf, root)
    at_key = leaf.at_key or leaf.keyword in _OF_KEYS
    is_written_twice = leaf.pointer[-1:] == leaf.pointer[-2:-1] and is_needless_level(leaf)
    if moved is not None and not is_written_twice:
        wrong = f"'{leaf.pointer[-1]}' is not allowed here"
        return Fault(leaf.pointer, wrong, f"move it to {dotted_text(moved)}", at_key, repair(leaf, root, moved))
    if is_needless_level(leaf):
        wrong = f"unknown key {value_text(leaf.pointer[-1])}: its keys belong one level up"
        return Fault(leaf.pointer, wrong, f"remove '{leaf.pointer[-1]}:', and move its contents one level up", at_key)
    unknown = leaf.is_unknown_key and not leaf.instead and not _is_slip(leaf)
    foreign = unknown and not meant_key(leaf)
    unlisted = leaf.keyword == "enum" and isinstance(leaf.value, str) and not similar_key(leaf.value, leaf.argument)
    texts = message(leaf), remedy(leaf)
    return Fault(leaf.pointer, *texts, at_key, repair(leaf, root, moved), unknown, foreign, unlisted)


def _is_allowed_in_patch(leaf: Leaf) -> bool:
    """Whether it is a missing key, a directive such as $patch, or null at a key, which deletes it."""
    deleted = leaf.value is None and bool(leaf.pointer) and isinstance(leaf.pointer[-1], str)
    return leaf.keyword == "required" or deleted or any(str(step).startswith("$") for step in leaf.pointer)


def _order(leaf: Leaf) -> tuple[list[str], int]:
    place = list(map(_sortable, leaf.pointer))
    rank = _FIRST.index(leaf.keyword) if leaf.keyword in _FIRST else len(_FIRST)
    return place, rank


def _sortable(step: str | int) -> str:
    """A step of a pointer as text that can be sorted with keys. Indexes sort in numerical order."""
    return f"{step:09d}" if isinstance(step, int) else step


def _leaves(error: Any) -> list[Leaf]:
    """The innermost faults. For a union, the faults of the branch that was most likely meant."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        meant = _meant_branch(error.context)
        if meant:
            return list(chain.from_iterable(map(_leaves, meant)))
    schema = error.schema if isinstance(error.schema, dict) else {}
    at_key = "propertyNames" in error.absolute_schema_path
    pointer = tuple(error.absolute_path)
    leaf = Leaf(pointer, error.validator or "false", error.validator_value, schema, error.instance, at_key=at_key)
    # jsonschema lists a fault for each branch that a value does not fit, and none if it fits several of them.
    return list(_split(leaf._replace(fits_several=error.validator == "oneOf" and not error.context)))


def _meant_branch(context: Iterable[Any]) -> list[Any]:
    branches: dict[int, list[Any]] = {}
    for cause in context:
        branches.setdefault(cause.relative_schema_path[0], []).append(cause)
    fitting_branches = [causes for causes in branches.values() if not any(map(_is_other_kind, causes))]
    only_keys = all(cause.validator == "required" for cause in chain.from_iterable(fitting_branches))
    if not fitting_branches or (
        only_keys and len(fitting_branches) > 1
    ):  # it is not clear which of several sets of keys was meant
        return []
    return min(fitting_branches, key=len)


def _is_other_kind(cause: Any) -> bool:
    """Whether a branch requires a different type of value, or another constant at a key of the mapping."""
    if cause.validator == "type":
        return not cause.path
    return cause.validator == "const" and len(cause.path) == 1


def _split(leaf: Leaf) -> Iterator[Leaf]:
    """Splits a fault about several unknown or missing keys into one for each key."""
    if leaf.keyword == "required":
        for key in leaf.argument:
            if key not in leaf.value:
                yield leaf._replace(pointer=(*leaf.pointer, key))
    elif leaf.keyword == "additionalProperties":
        patterns = [compile_pattern(pattern).search for pattern in leaf.schema.get("patternProperties", {})]
        properties = leaf.schema.get("properties", {})
        for key in leaf.value:
            if key not in properties and not any(search(key) for search in patterns):
                yield leaf._replace(pointer=(*leaf.pointer, key))
    else:
        yield leaf


def _is_slip(leaf: Leaf) -> bool:
    """Whether an unknown key is so similar to one of this mapping that other mappings and kinds do not matter."""
    return bool(nearest(str(leaf.pointer[-1]), leaf.schema.get("properties", {}), _CUTOFF))
