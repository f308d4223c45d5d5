"""The safe repair of a fault of shape: spelling, quotes, a misplaced key, or a default that must be written."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import ABSENT, value_at
from gitgpu.diagnostic import Change, Repair
from gitgpu.load.explain.messages import Leaf, meant_key, types_of
from gitgpu.load.parse.scalars import resolve
from gitgpu.load.validate.compiler import Resolve
from gitgpu.load.validate.keywords import TYPES
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.source import Pointer

DEFAULTS = "x-gitgpu-defaults"  # of a mapping: what the API server writes if the whole mapping is missing
_SERVED = ("metadata", "status")  # misplaced keys are never moved into these
_CUTOFF = 0.8  # similarity of a misspelled word and the right one, at least: one wrong letter in five
_MAX_DEPTH = 8  # levels of mappings, because a schema can refer to itself


class FaultContext(NamedTuple):
    """The whole document with a fault, its schema, and (`homes`) the mappings of the schema that have unknown keys."""

    schema: Any
    value: Any
    resolve: Resolve
    homes: Mapping[str, Sequence[Pointer]]


def repair(leaf: Leaf, root: FaultContext, moved: Pointer | None) -> Repair | None:
    """What certainly corrects a fault, or None if the author has to decide."""
    if leaf.keyword == "additionalProperties":
        return _key(leaf, root, moved)
    if leaf.keyword == "enum":
        return _word(leaf)
    if leaf.keyword == "type" and "string" in leaf.argument:  # the name of a type, or a list of these
        return _quoted(leaf)
    if leaf.keyword == "required":
        return _default(leaf)
    return None


def places_of_keys(schema: Any, keys: frozenset[str], resolve: Resolve) -> dict[str, list[Pointer]]:
    """The mappings of a schema that have these keys. Lists and mappings with free keys are not searched."""
    places: dict[str, list[Pointer]] = {}
    for key, path in _homes(schema, keys, resolve, ()) if keys else ():
        places.setdefault(key, []).append(path)
    return places


def intended_place(leaf: Leaf, root: FaultContext) -> Pointer | None:
    """Where an unknown key belongs, if exactly one other mapping of the schema has it; None if that is uncertain."""
    homes = root.homes.get(str(leaf.pointer[-1]), ()) if leaf.keyword == "additionalProperties" else ()
    if len(homes) != 1:
        return None
    [home], mapping = homes, leaf.pointer[:-1]
    if home[:1] != leaf.pointer[:1] and (mapping or home[:1] != ("spec",)):
        return None
    is_elsewhere = mapping != home[: len(mapping)] and home != mapping[: len(home)]
    if is_elsewhere and not _found(root.value, home):  # a mapping that the document does not have would be a guess
        return None
    below = home[: len(mapping) + 1]
    if len(home) > len(below) and not is_elsewhere and not _found(root.value, below):  # as spec.chart of a HelmRelease
        return None
    return None if _near(str(leaf.pointer[-1]), leaf.schema.get("properties", {})) else home


def is_needless_level(leaf: Leaf) -> bool:
    """Whether it is an unknown key with a mapping of keys that are all allowed one level up, and missing there."""
    if not leaf.is_unknown_key:
        return False
    below, properties = leaf.value.get(leaf.pointer[-1]), leaf.schema.get("properties", {})
    return isinstance(below, dict) and bool(below) and below.keys() <= properties.keys() - leaf.value.keys()


def _key(leaf: Leaf, root: FaultContext, moved: Pointer | None) -> Repair | None:
    if moved is not None:
        home = _found(root.value, moved)
        free = isinstance(home, dict) and home and leaf.pointer[-1] not in home and _is_movable(leaf)
        return Repair(Change.MOVE, leaf.pointer, target=moved) if free else None
    key, properties = leaf.pointer[-1], leaf.schema.get("properties", {})
    meant = _near(str(key), properties)
    is_certain = meant and meant == meant_key(leaf) and _is_of_type(leaf.value[key], properties[meant])
    return Repair(Change.KEY, leaf.pointer, meant) if is_certain else None


def _is_of_type(value: Any, schema: Any) -> bool:
    """Whether a value has a type that its schema allows. A schema may not say what it allows."""
    types = types_of(schema)
    return value is None or not types or any(type(value) in TYPES[name] for name in types)


def _is_movable(leaf: Leaf) -> bool:
    """Whether an edit moves the key: its value is on one line, and other keys stay in the mapping."""
    value = leaf.value[leaf.pointer[-1]]
    return len(leaf.value) > 1 and not isinstance(value, dict | list) and "\n" not in str(value)


def _word(leaf: Leaf) -> Repair | None:
    """A repair to the allowed word that a value is a misspelling of."""
    meant = _near(leaf.value, [entry for entry in leaf.argument if isinstance(entry, str)])
    text = meant if resolve(meant) == meant else json.dumps(meant)
    return Repair(Change.VALUE, leaf.pointer, text) if meant else None


def _default(leaf: Leaf) -> Repair | None:
    """A repair that adds the default of a missing key, unless another key may be a misspelling of it."""
    key = leaf.pointer[-1]
    default = leaf.schema.get(DEFAULTS, {}).get(key)
    if default is None or any(_near(other, [key]) for other in leaf.value):
        return None
    return Repair(Change.ADD, leaf.pointer[:-1], default, str(key))


def _quoted(leaf: Leaf) -> Repair | None:
    """A repair that quotes a number or boolean where a text is required, if the text is valid."""
    pattern, words = leaf.schema.get("pattern"), leaf.schema.get("enum")
    if type(leaf.value) not in (int, float, bool):
        return None
    if pattern and not compile_pattern(pattern).search(str(leaf.value)):
        return None
    if words and not any(_is_read_as(leaf.value, word) for word in words):
        return None
    return Repair(Change.QUOTE, leaf.pointer)


def _is_read_as(value: Any, word: Any) -> bool:
    """Whether YAML reads the word as this value if it has no quotes."""
    read = resolve(word) if isinstance(word, str) else word
    return type(read) is type(value) and bool(read == value)


def _near(word: Any, options: Any) -> str:
    """The only option that the word can be a misspelling of, or ""."""
    if not isinstance(word, str):
        return ""
    equal_options = [option for option in options if option.lower() == word.lower()]
    close = equal_options or [option for option in options if _is_slip(option.lower(), word.lower())]
    return close[0] if len(close) == 1 else ""


def _is_slip(name: str, word: str) -> bool:
    # Words with such different lengths cannot be similar enough, and comparing them is slow.
    if 2 * min(len(name), len(word)) < _CUTOFF * (len(name) + len(word)):
        return False
    from difflib import SequenceMatcher  # noqa: PLC0415  only misspelled words need it

    alike = SequenceMatcher(None, name, word)
    return alike.quick_ratio() >= _CUTOFF and alike.ratio() >= _CUTOFF  # the first one is an upper bound of the second


def _homes(schema: Any, keys: frozenset[str], resolve: Resolve, path: Pointer) -> Iterator[tuple[str, Pointer]]:
    if not isinstance(schema, Mapping) or len(path) > _MAX_DEPTH:
        return
    if "$ref" in schema:
        yield from _homes(resolve(schema["$ref"]), keys, resolve, path)
    for name, below in schema.get("properties", {}).items():
        if name in keys and below is not False:
            yield name, path
        if isinstance(below, dict) and name not in _SERVED and ("properties" in below or "$ref" in below):
            yield from _homes(below, keys - {name}, resolve, (*path, name))


def _found(value: Any, pointer: Pointer) -> Any:
    target = value_at(value, pointer)
    return None if target is ABSENT else target
