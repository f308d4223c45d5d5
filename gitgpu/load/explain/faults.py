"""Why a value does not match its schema, in plain words. Called only for values that `validate` refuses.

jsonschema finds the faults, since it finds all of them with their places; it is imported here and nowhere else, inside
a function, because the import alone costs more than a small build. Its keywords are set to the checker's meaning.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from gitgpu.diagnostic import Repair
from gitgpu.load.explain.duplicates import without_duplicates
from gitgpu.load.explain.messages import Leaf, message, value_text
from gitgpu.load.explain.remedies import remedy
from gitgpu.load.explain.repairs import FaultContext, dotted, intended_place, is_needless_level, places_of_keys, repair
from gitgpu.load.validate.compiler import PLAIN, Dialect, Resolve, Schema, local_references
from gitgpu.load.validate.keywords import UNIQUE_BY, multiple_of, unique_by
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.source import Pointer
from gitgpu.spelling import nearest

MOST = 1000  # faults of one value that are explained, which takes a search for what was meant; the rest is counted
_SLIP = 0.85  # how much alike a key and the one that it is a slip of are: pool and pools
_OF_KEYS = ("additionalProperties", "false")


class Fault(NamedTuple):
    """One fault: the value (or with `at_key` the key) that it is about, what is wrong, what to do, a safe repair.

    `unknown` says that it is a key which the schema knows nowhere else, that is not a slip, and for which no other was
    missing.
    """

    pointer: Pointer
    message: str
    help: str
    at_key: bool = False
    repair: Repair | None = None
    unknown: bool = False


def explain_faults(schema: Schema, value: Any, dialect: Dialect = PLAIN) -> list[Fault]:
    """Every fault of a value that the checker refused, one for each place, in order of place."""
    validator = _validator(schema, dialect)
    every = (leaf for error in validator.iter_errors(value) for leaf in _leaves(error))
    leaves = list(islice(every, MOST))
    more = sum(1 for _ in every)
    if dialect.partial:
        leaves = [leaf for leaf in leaves if leaf.keyword != "required" and leaf.value is not None]
    resolve = dialect.resolve or local_references(schema)
    unknown = (str(leaf.pointer[-1]) for leaf in leaves if leaf.keyword == "additionalProperties" and leaf.pointer)
    root = FaultContext(schema, value, resolve, places_of_keys(schema, frozenset(unknown), resolve))
    first: dict[Pointer, Leaf] = {}
    for leaf in sorted(without_duplicates(leaves, root, dialect.formats), key=_order):
        first.setdefault(leaf.pointer, leaf)
    faults = [_fault(leaf, root) for leaf in first.values()]
    if more:
        faults.append(Fault((), f"{more:,} more faults", "correct the listed faults first"))
    return faults or [Fault((), "does not match its schema", "compare it with the documentation of its kind")]


def _fault(leaf: Leaf, root: FaultContext) -> Fault:
    moved = intended_place(leaf, root)
    at_key = leaf.at_key or leaf.keyword in _OF_KEYS
    if moved is not None:
        texts = f"'{leaf.pointer[-1]}' is not allowed here", f"write it under {dotted(moved)}"
        return Fault(leaf.pointer, *texts, at_key, repair(leaf, root, moved))
    if is_needless_level(leaf):
        wrong = f"unknown key {value_text(leaf.pointer[-1])}: its keys belong one level up"
        return Fault(leaf.pointer, wrong, f"remove '{leaf.pointer[-1]}:', and move its contents one level up", at_key)
    unknown = leaf.keyword == "additionalProperties" and leaf.pointer != () and not (leaf.instead or _is_slip(leaf))
    return Fault(leaf.pointer, message(leaf), remedy(leaf), at_key, repair(leaf, root, moved), unknown)


def _order(leaf: Leaf) -> tuple[list[str], int]:
    place = [f"{part:09d}" if isinstance(part, int) else part for part in leaf.pointer]
    first = ("additionalProperties", "required", "type", "const", "enum")
    return place, first.index(leaf.keyword) if leaf.keyword in first else len(first)


class _Meaning(NamedTuple):
    """What keywords mean in one schema. It travels as the `format_checker` of a validator, whose parts inherit it."""

    resolve: Resolve
    formats: Any


def _validator(schema: Schema, dialect: Dialect) -> Any:
    return _kind()(schema, format_checker=_Meaning(dialect.resolve or local_references(schema), dialect.formats))


@cache
def _kind() -> Any:
    """The class of all validators: making one takes longer than looking at an object with it."""
    from jsonschema import Draft7Validator, validators  # noqa: PLC0415  heavy

    kinds = Draft7Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    extend: Any = validators.extend
    return extend(Draft7Validator, _keywords(), type_checker=kinds)


def _is_matching(pattern: str, value: Any) -> bool:
    return not isinstance(value, str) or bool(compile_pattern(pattern).search(value))


def _is_multiple(factor: float, value: Any) -> bool:
    return type(value) not in (int, float) or multiple_of(factor)(value)


def _keywords() -> dict[str, Any]:
    from jsonschema import ValidationError  # noqa: PLC0415  heavy

    def refusing(test: Callable[[Any, Any], bool]) -> Callable[..., Iterator[Any]]:
        def keyword(_: Any, argument: Any, value: Any, __: Schema) -> Iterator[Any]:
            if not test(argument, value):
                yield ValidationError("refused")

        return keyword

    def reference(validator: Any, name: str, value: Any, _: Schema) -> Iterator[Any]:
        yield from validator.descend(value, validator.format_checker.resolve(name))

    def formatted(validator: Any, name: str, value: Any, _: Schema) -> Iterator[Any]:
        if not validator.format_checker.formats[name](value):
            yield ValidationError("refused")

    return {
        "$ref": reference,
        "propertyNames": _of_names,
        "properties": _of_members,
        "format": formatted,
        "pattern": refusing(_is_matching),
        "multipleOf": refusing(_is_multiple),
        UNIQUE_BY: refusing(lambda keys, value: not isinstance(value, list) or unique_by(keys)(value)),
    }


def _of_members(validator: Any, properties: dict[str, Schema], value: Any, _: Schema) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415  heavy

    for key in properties.keys() & value.keys() if isinstance(value, dict) else ():
        if properties[key] is False:  # jsonschema reports this at the mapping, not at the key
            yield ValidationError("refused", validator="false", path=(key,), instance=value[key], schema={})
        else:
            yield from validator.descend(value[key], properties[key], path=key, schema_path=key)


def _of_names(validator: Any, schema: Schema, value: Any, _: Schema) -> Iterator[Any]:
    for key in value if isinstance(value, dict) else ():  # jsonschema reports this at the mapping, not at the key
        yield from validator.descend(key, schema, path=key)


def _leaves(error: Any) -> list[Leaf]:
    """The faults at the bottom: a union counts with the branch that was most likely meant."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        meant = _meant_branch(error.context)
        if meant:
            return [leaf for cause in meant for leaf in _leaves(cause)]
    schema = error.schema if isinstance(error.schema, dict) else {}
    at_key = "propertyNames" in error.absolute_schema_path
    pointer = tuple(error.absolute_path)
    leaf = Leaf(pointer, error.validator or "false", error.validator_value, schema, error.instance, at_key=at_key)
    return list(_split(leaf))


def _meant_branch(context: Iterable[Any]) -> list[Any]:
    branches: dict[int, list[Any]] = {}
    for cause in context:
        branches.setdefault(cause.relative_schema_path[0], []).append(cause)
    fitting = [causes for causes in branches.values() if not any(map(_is_other_kind, causes))]
    only_keys = all(cause.validator == "required" for causes in fitting for cause in causes)
    return min(fitting, key=len) if fitting and not (only_keys and len(fitting) > 1) else []


def _is_other_kind(cause: Any) -> bool:
    return (cause.validator == "type" and not cause.path) or (cause.validator == "const" and len(cause.path) == 1)


def _split(leaf: Leaf) -> Iterator[Leaf]:
    """A mapping with three unknown or missing keys has three faults, each at its key."""
    if leaf.keyword == "required":
        for key in leaf.argument:
            if key not in leaf.value:
                yield leaf._replace(pointer=(*leaf.pointer, key))
    elif leaf.keyword == "additionalProperties" and leaf.argument is False:
        patterns = [compile_pattern(pattern).search for pattern in leaf.schema.get("patternProperties", {})]
        known = leaf.schema.get("properties", {})
        for key in leaf.value:
            if key not in known and not any(search(key) for search in patterns):
                yield leaf._replace(pointer=(*leaf.pointer, key))
    else:
        yield leaf


def _is_slip(leaf: Leaf) -> bool:
    """Is an unknown key so like one of this mapping that no other mapping or kind need have it?"""
    return bool(nearest(str(leaf.pointer[-1]), leaf.schema.get("properties", {}), _SLIP))
