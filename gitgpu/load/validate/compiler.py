"""JSON Schema compiled to a predicate that quickly decides one thing: whether a value is valid.

Why not only jsonschema: a build checks thousands of documents, and nearly all of them are valid, so that case has to
take microseconds and no import. `explain` finds out what is wrong with the others. A part of a schema is compiled when
a document first needs it, since most documents need only a small part of a large schema.

Keywords mean the same as in Kubernetes: a pattern is RE2, `true` is not 1, and 5.0 is not an integer. An unknown
keyword raises ValueError, so that a misspelt one is noticed.
"""

from collections.abc import Callable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from gitgpu.load.validate.keywords import ANNOTATIONS, ANY, BY_TYPE, TYPES, Check, all_of, anything, nothing
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.load.validate.values import by_type, mapping, scalar, sequence, table, text

Schema: TypeAlias = Mapping[str, Any] | bool
Resolve: TypeAlias = Callable[[str], Schema]

_CHOICES = ("allOf", "anyOf", "oneOf", "not", "if")
_PROPERTIES = ("properties", "patternProperties", "additionalProperties", "propertyNames")
_TYPED = frozenset().union(_PROPERTIES, ("type", "required", "items"), *BY_TYPE.values())
# Any other keyword is an error, so that no part of a schema is ignored.
_KNOWN = _TYPED.union(ANNOTATIONS, ANY, _CHOICES, ("$ref", "then", "else", "format"))


class Dialect(NamedTuple):
    """How a schema is read.

    `resolve` finds the target of a `$ref` (None: a pointer into the schema itself). `formats` has a predicate for every
    format that may occur. With `partial`, an object is a patch: nothing is required, null deletes, and keys with `$`
    are directives. `compiled` caches the results of `resolve`, for all schemas that are read with this dialect.
    `select` returns the keywords of a part that apply, if the part has several variants.
    """

    resolve: Resolve | None = None
    formats: Mapping[str, Check] = MappingProxyType({})
    partial: bool = False
    compiled: dict[str, Check] | None = None
    select: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None


class Dialects(NamedTuple):
    """The meaning of a schema for whole objects, and for patches."""

    full: Dialect
    partial: Dialect


PLAIN = Dialect()


def compile_schema(schema: Schema, dialect: Dialect = PLAIN) -> Check:
    """The predicate of a schema. Raises ValueError for a keyword, format or pattern that it does not know."""
    if dialect.resolve:
        known = {} if dialect.compiled is None else dialect.compiled
        return _Compiler(dialect, dialect.resolve, known).build(schema)
    return _Compiler(dialect, local_references(schema), {}).build(schema)


def local_references(schema: Schema) -> Resolve:
    """Resolves `#` and `#/a/b` inside one schema; anything else raises ValueError."""

    def resolve(reference: str) -> Schema:
        below: Any = schema
        if reference[:1] != "#":
            raise ValueError(f"$ref {reference!r} leads out of the schema")
        for part in reference.split("/")[1:]:
            below = below[part.replace("~1", "/").replace("~0", "~")]
        return below  # type: ignore[no-any-return]

    return resolve


class _Compiler(NamedTuple):
    dialect: Dialect
    resolve: Resolve
    references: dict[str, Check]

    def build(self, schema: Schema) -> Check:
        if isinstance(schema, bool):
            return anything if schema else nothing
        if not isinstance(schema, dict):
            raise TypeError(f"a schema is a mapping or a boolean, not {schema!r}")
        if self.dialect.select:
            schema = self.dialect.select(schema)
        unknown_keys = sorted(key for key in schema.keys() - _KNOWN if not key.startswith("x-"))
        if unknown_keys or ("$ref" in schema and schema.keys() & _KNOWN - ANNOTATIONS - {"$ref"}):
            raise ValueError(f"unsupported schema keyword: {', '.join(unknown_keys) or 'one next to $ref'}")
        if "$ref" in schema:
            return self._reference(schema["$ref"])
        tests = [maker(schema[word]) for word, maker in ANY.items() if word in schema]
        tests += [*self._choices(schema), *self._format(schema)]
        if not schema.keys() & _TYPED:
            return all_of(tests)
        types = schema.get("type", tuple(TYPES))
        names = (types,) if isinstance(types, str) else types
        kinds = set(chain.from_iterable(TYPES[name] for name in names))
        if kinds == {str}:
            return self._of_type(str, schema, tests)
        return all_of([by_type({kind: self._of_type(kind, schema, []) for kind in kinds}), *tests])

    def _reference(self, name: str) -> Check:
        references = self.references
        if name not in references:
            references[name] = self._later(name)  # for a schema that refers to itself
            references[name] = self.build(self.resolve(name))
        return references[name]

    def _later(self, name: str) -> Check:
        def check(value: Any) -> bool:
            return self.references[name](value)

        return check

    def _of_type(self, kind: type, schema: Mapping[str, Any], tests: list[Check]) -> Check:
        tests = [maker(schema[word]) for word, maker in BY_TYPE[kind].items() if word in schema] + tests
        if kind is dict:
            return self._object(schema, tests)
        if kind is list:
            return sequence(tests, self.build(schema.get("items", True)))
        return text(tests) if kind is str else scalar(kind, tests)

    def _object(self, schema: Mapping[str, Any], tests: list[Check]) -> Check:
        properties, required = schema.get("properties", {}), schema.get("required", ())
        by_pattern = schema.get("patternProperties", {})
        patterns = [(compile_pattern(key).search, self.build(sub)) for key, sub in by_pattern.items()]
        rest = self.build(schema.get("additionalProperties", True))
        names = self.build(schema.get("propertyNames", True))
        if names is not anything:
            tests = [*tests, lambda value: all(map(names, value))]
        if self.dialect.partial:
            required = ()
        elif not (properties or patterns or required):
            return table(tests, rest)

        def prepare(key: str) -> tuple[Check, bool]:
            matching = [test for search, test in patterns if search(key)]
            if key not in properties:
                return self._lenient(all_of(matching) if matching else rest, key), False
            return self._lenient(all_of([self.build(properties[key]), *matching]), key), True

        return mapping(tests, tuple(required), prepare)

    def _lenient(self, test: Check, key: str) -> Check:
        if not self.dialect.partial:
            return test
        return anything if key[:1] == "$" else lambda value: value is None or test(value)

    def _choices(self, schema: Mapping[str, Any]) -> list[Check]:
        tests = [join(list(map(self.build, schema[word]))) for word, join in _CHOICE.items() if word in schema]
        if "not" in schema:
            refused = self.build(schema["not"])
            tests.append(lambda value: not refused(value))
        if "if" in schema:
            condition, then, other = (self.build(schema.get(key, True)) for key in ("if", "then", "else"))
            tests.append(lambda value: then(value) if condition(value) else other(value))
        return tests

    def _format(self, schema: Mapping[str, Any]) -> list[Check]:
        if "format" not in schema:
            return []
        if schema["format"] not in self.dialect.formats:
            raise ValueError(f"unsupported format: {schema['format']}")
        return [self.dialect.formats[schema["format"]]]


_CHOICE: Mapping[str, Callable[[list[Check]], Check]] = {
    "allOf": all_of,
    "anyOf": lambda tests: lambda value: any(test(value) for test in tests),
    "oneOf": lambda tests: lambda value: sum(test(value) for test in tests) == 1,
}
