"""Values that a schema allows, for keys that no example has."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.rules.recorded_cases import Side

Schema = Mapping[str, Any]
_KEY = re.compile(r'"([a-z][A-Za-z.]{1,40})"')
_DEEPEST = 5  # levels of a value that is made


class Words(NamedTuple):
    """The words of a rule, other texts that a value may be, such as names in the case, and what chooses."""

    own: Sequence[str]
    numbers: Sequence[int]
    texts: Sequence[str]
    rng: random.Random


def new_key(side: Side, body: Mapping[str, Any], place: Sequence[str | int], words: Words) -> tuple[str, Any] | None:
    """A key that the mapping at a place does not have, and a value for it; None if there is none."""
    shape, resolve = side.shape(body)
    owner: Any = body
    shape, rng = _resolved(shape, resolve), words.rng
    for part in place:
        owner = owner[part]
        shape = _resolved(_part(shape, part), resolve)
    known = shape.get("properties") or {}
    keys = [key for key in known if key not in owner and key in _read_anywhere()]
    named = [key for key in keys if key in words.own]
    if named and rng.random() < 0.6:
        keys = named
    if keys:
        key = rng.choice(keys)
        return key, _sample(known[key], resolve, words)
    if isinstance(shape.get("additionalProperties"), Mapping) and words.own:
        return rng.choice(words.own), _sample(shape["additionalProperties"], resolve, words)
    return None


def _part(shape: Schema, part: str | int) -> Schema:
    if isinstance(part, int):
        return shape.get("items") or {}
    inner = (shape.get("properties") or {}).get(part) or shape.get("additionalProperties") or {}
    return inner if isinstance(inner, Mapping) else {}


def _resolved(shape: Schema, resolve: Callable[[str], Schema]) -> Schema:
    return _resolved(resolve(shape["$ref"]), resolve) if "$ref" in shape else shape


def _sample(given: Schema, resolve: Callable[[str], Schema], words: Words, level: int = 0) -> Any:
    rng, shape = words.rng, _resolved(given, resolve)
    if choices := [shape["const"]] if "const" in shape else shape.get("enum"):
        return rng.choice(choices)
    kind = shape.get("type") or ("object" if "properties" in shape else rng.choice(["string", "integer"]))
    kind = rng.choice([each for each in kind if each != "null"]) if isinstance(kind, list) else kind
    if kind == "object":
        return _mapping(shape, resolve, words, level)
    if kind == "array":
        items = shape.get("items") or {"type": "string"}
        return [_sample(items, resolve, words, level + 1) for _ in range(rng.choice((1, 1, 1, 2)))]
    texts = (*words.own, *words.texts, "x", "1", "30s")
    return rng.choice(
        {
            "boolean": (True, False),
            "integer": (*words.numbers, 1, 2, 8, 100),
            "number": (*words.numbers, 1, 2, 8, 100),
        }.get(kind, texts)
    )


def _mapping(shape: Schema, resolve: Callable[[str], Schema], words: Words, level: int) -> Any:
    rng = words.rng
    known = shape.get("properties") or {}
    must = shape.get("required") or ()
    if not known and level < _DEEPEST:
        inner = shape.get("additionalProperties")
        value = _sample(inner, resolve, words, level + 1) if isinstance(inner, Mapping) else "true"
        return {rng.choice(words.own or ("x",)): value}
    may = [key for key in known if key in words.own or (key in _read_anywhere() and rng.random() < 0.3)]
    wanted = {*must, *(key for key in may if level < _DEEPEST and rng.random() < 0.6)}
    return {key: _sample(known[key], resolve, words, level + 1) for key in known if key in wanted}


@cache
def _read_anywhere() -> frozenset[str]:
    """The keys that any rule or what rules share may read."""
    folders = (Path(__file__).parents[2] / "gitgpu" / name for name in ("conform", "check", "model", "schedule"))
    texts = (path.read_text(encoding="utf-8") for folder in folders for path in sorted(folder.rglob("*.py")))
    return frozenset(key for text in texts for path in _KEY.findall(text) for key in path.split("."))
