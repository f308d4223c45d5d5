"""The schemas are valid: closed, described, with examples and defaults that they accept."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from gitgpu.load.validate.compiler import Dialect, compile_schema
from gitgpu.load.validate.formats import FORMATS
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.load.validate.releases import BY_RELEASE, CHANGED, NEWEST, PROJECT
from tests.helping.cases import for_each

SCHEMAS = Path(__file__).parents[1] / "schemas"
WRITTEN = sorted(SCHEMAS.glob("*.schema.json"))
CATALOG = sorted(SCHEMAS.glob("catalog/*.json"))
LISTS = ("_cel.json", "_kinds.json", "_releases.json")
CONTRACTS = [path for path in sorted(SCHEMAS.glob("contracts/*.json")) if path.name not in LISTS]
SPOKEN = [SCHEMAS / "fleet.schema.json", SCHEMAS / "config.schema.json"]  # what people write and `explain` describes
META = Draft7Validator(Draft7Validator.META_SCHEMA)
IN_A_MAP = ("properties", "definitions", "patternProperties")
IN_A_LIST = ("allOf", "anyOf", "oneOf")
ALONE = ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else")
RANGE = ("since", "before")  # of a change between releases
KEYWORDS = {
    *IN_A_MAP, *IN_A_LIST, *ALONE, "$schema", "$id", "$ref", "$comment", "title", "description", "examples", "default",
    "type", "enum", "const", "required", "pattern", "format", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties",
    "maxProperties", "x-gitgpu-coerce", "x-gitgpu-words", "x-gitgpu-defaults", "x-gitgpu-scope", "x-gitgpu-unique-by",
    BY_RELEASE, CHANGED, NEWEST, PROJECT,
}  # fmt: skip


def named(path: Path) -> str:
    """The name of a case."""
    return str(path.relative_to(SCHEMAS))


def parts(schema: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every schema in a schema, with its pointer."""
    if not isinstance(schema, dict):
        return
    yield at, schema
    for word in IN_A_MAP:
        for key, part in schema.get(word, {}).items():
            yield from parts(part, f"{at}/{word}/{key}")
    for word in IN_A_LIST:
        for index, part in enumerate(schema.get(word, ())):
            yield from parts(part, f"{at}/{word}/{index}")
    for word in ALONE:
        if word in schema:
            yield from parts(schema[word], f"{at}/{word}")
    for index, change in enumerate(schema.get(BY_RELEASE, ())):
        replaced = {key: value for key, value in change.items() if value is not None and key not in RANGE}
        yield from parts(replaced, f"{at}/{BY_RELEASE}/{index}")


def load(path: Path) -> Any:
    """A schema; a key that occurs twice is an error."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = dict(pairs)
        assert len(keys) == len(pairs), pairs
        return keys

    return json.loads(path.read_text("utf-8"), object_pairs_hook=once)


def properties(schema: Any) -> Iterator[tuple[str, Any]]:
    """Every property that users can write, with references resolved. Properties inside conditions do not count."""
    for at, part in parts(schema):
        if "/allOf" in at or "/if" in at or "/then" in at or "/else" in at:
            continue
        for key, sub in part.get("properties", {}).items():
            if isinstance(sub, dict):
                yield f"{at}/properties/{key}", stands_for(sub, schema)


def stands_for(part: Any, schema: Any) -> Any:
    """A part, or the definition that it refers to."""
    return schema["definitions"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part


@for_each("path", [*WRITTEN, *CATALOG, *CONTRACTS], ids=named)
def test_it_is_draft_07_of_known_keywords(path: Path) -> None:
    schema = load(path)
    assert list(META.iter_errors(schema)) == []
    unknown = {at: part.keys() - KEYWORDS for at, part in parts(schema) if part.keys() - KEYWORDS}
    assert unknown == {}
    patterns = [part["pattern"] for _, part in parts(schema) if "pattern" in part]
    assert all(compile_pattern(pattern) for pattern in patterns)  # as RE2, the syntax of Kubernetes
    assert callable(compile_schema(schema, Dialect(formats=FORMATS)))


def test_every_reference_has_a_target() -> None:
    roots = {f"#/definitions/{name}" for name in ("fleet", "cluster", "gpupool", "gpuworkload")}
    for path in (*WRITTEN, *CATALOG, *CONTRACTS):
        schema = load(path)
        references = {part["$ref"] for _, part in parts(schema) if "$ref" in part}
        names = {f"#/definitions/{name}" for name in schema.get("definitions", {})}
        assert references <= names, path
        assert names <= references | roots, path


def test_objects_are_closed() -> None:
    """The top level of the fleet schema is the only exception: the definitions that it refers to are closed."""
    for path in (*WRITTEN, *CATALOG):
        head = "" if path.name == "fleet.schema.json" else None
        typed = [(at, part) for at, part in parts(load(path)) if "object" in part.get("type", ()) and at != head]
        assert typed, path
        assert [at for at, part in typed if part.get("additionalProperties", True) is True] == [], path


def test_everything_has_a_title_and_a_description() -> None:
    for path in (*WRITTEN, *CATALOG):
        schema = load(path)
        assert schema["title"], path
        assert schema["description"], path
        assert schema["$schema"] == "http://json-schema.org/draft-07/schema#", path
        described = {at: part.get("description", "").rstrip() for at, part in properties(schema)}
        assert [at for at, text in described.items() if not text.endswith((".", "?"))] == [], path


@pytest.mark.parametrize("path", SPOKEN, ids=named)
def test_every_key_that_people_write_has_an_example(path: Path) -> None:
    assert [at for at, part in properties(load(path)) if not part.get("examples")] == []


def test_examples_and_defaults_are_accepted() -> None:
    wrong = []
    for path in (*WRITTEN, *CATALOG):
        schema = load(path)
        for at, part in parts(schema):
            accepts = Draft7Validator({**part, "definitions": schema.get("definitions", {})}).is_valid
            shown = [*part.get("examples", ()), *([part["default"]] if "default" in part else [])]
            wrong += [(named(path), at, value) for value in shown if not accepts(value)]
    assert wrong == []


@pytest.mark.parametrize("path", SPOKEN, ids=named)
def test_a_default_is_not_a_required_key(path: Path) -> None:
    """A required key needs no default, and a default would suggest that it is optional."""
    schema = load(path)
    clash = [
        f"{at}/{key}"
        for at, part in parts(schema)
        for key in part.get("required", ())
        if "default" in stands_for(part.get("properties", {}).get(key, {}), schema)
    ]
    assert clash == []


@pytest.mark.parametrize("path", SPOKEN, ids=named)
def test_a_pattern_has_a_description_in_words_or_is_shown_in_full(path: Path) -> None:
    patterns = [(at, part["pattern"]) for at, part in parts(load(path)) if "pattern" in part]
    assert [
        at for at, pattern in patterns if not pattern.removeprefix("(?i)").startswith("^") or pattern[-1] != "$"
    ] == []


def test_the_schema_has_exactly_the_kinds_of_the_program() -> None:
    schema = load(SCHEMAS / "fleet.schema.json")
    branches = {
        branch["if"]["properties"]["kind"]["const"]: branch["then"]["$ref"].rpartition("/")[2]
        for branch in schema["allOf"]
    }
    assert list(branches) == schema["properties"]["kind"]["enum"]
    for kind, name in branches.items():
        definition = schema["definitions"][name]
        assert definition["title"] == kind == definition["properties"]["kind"]["const"]
        assert (
            set(definition["properties"]) == {"apiVersion", "kind", "metadata", "spec"} == set(definition["required"])
        )
