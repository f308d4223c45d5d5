"""jsonschema's validator, with the same meaning of keywords as in `validate`.

jsonschema finds all faults of a value with their places. It is only imported here, inside functions, because the import
alone takes longer than a small build.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from gitgpu.load.validate.compiler import Dialect, Resolve, Schema, local_references
from gitgpu.load.validate.keywords import UNIQUE_BY, multiple_of, unique_by
from gitgpu.load.validate.patterns import compile_pattern


class _Meaning(NamedTuple):
    """The meaning of keywords in one schema. It is passed as the `format_checker`, which all sub-validators inherit."""

    resolve: Resolve
    formats: Any


def validator(schema: Schema, dialect: Dialect) -> Any:
    """The validator of a schema."""
    return _kind()(schema, format_checker=_Meaning(dialect.resolve or local_references(schema), dialect.formats))


@cache
def _kind() -> Any:
    """The class of all validators. Creating it takes longer than checking an object."""
    from jsonschema import Draft7Validator, validators  # noqa: PLC0415  heavy

    # For jsonschema, 1.0 is an integer.
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
        "propertyNames": _name_errors,
        "properties": _member_errors,
        "format": formatted,
        "pattern": refusing(_is_matching),
        "multipleOf": refusing(_is_multiple),
        UNIQUE_BY: refusing(lambda keys, value: not isinstance(value, list) or unique_by(keys)(value)),
    }


def _member_errors(validator: Any, properties: dict[str, Schema], value: Any, _: Schema) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415  heavy

    for key in properties.keys() & value.keys() if isinstance(value, dict) else ():
        if properties[key] is False:  # jsonschema reports this at the mapping, not at the key
            yield ValidationError("refused", validator="false", path=(key,), instance=value[key], schema={})
        else:
            yield from validator.descend(value[key], properties[key], path=key, schema_path=key)


def _name_errors(validator: Any, schema: Schema, value: Any, _: Schema) -> Iterator[Any]:
    for key in value if isinstance(value, dict) else ():  # jsonschema reports this at the mapping, not at the key
        yield from validator.descend(key, schema, path=key)
