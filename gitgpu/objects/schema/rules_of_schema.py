"""The CEL rules in a schema, and which of them a value violates after defaulting."""

from collections.abc import Iterator
from operator import is_
from typing import Any, NamedTuple, TypeAlias

from gitgpu.objects.indexes import exact_key
from gitgpu.objects.schema.cel import Engine
from gitgpu.source import Pointer

Node: TypeAlias = dict[str, Any]
RULES = "x-kubernetes-validations"
_BELOW = frozenset(("properties", "items", "additionalProperties"))
_LONG, _MANY = 500, 1000  # the length of values whose result is remembered, and their number


class Judged(NamedTuple):
    """The rules that a value violates after defaulting, each with the place of the part that does.

    `stored` is the value with its defaults, None if it already has all of them.
    """

    stored: Any
    broken: tuple[tuple[Pointer, Node], ...]


class Rules:
    """The rules of a schema and of its parts. Objects repeat their parts, so equal parts are judged once.

    Parts of the schema that did not change since an `older` release are those of its rules, with what they have judged.
    """

    def __init__(self, schema: Node, engine: Engine, older: "Rules | None" = None) -> None:
        self.schema, self._engine, self._older = schema, engine, older
        # Rules that compare with an older object are left to the API server.
        self._own = [rule for rule in schema.get(RULES) or () if "oldSelf" not in rule["rule"]]
        self.parts: dict[str | None, Rules] = {}  # by field; None is for items, and for values of any other field
        self.is_needed = bool(self._own or not _BELOW.isdisjoint(schema))
        self._fields, self._defaults = schema.get("properties") or {}, _own_defaults(schema)
        self._known: dict[str | bytes, Judged] = {}

    def judge(self, value: Any) -> Judged:
        """The rules that a value violates."""
        whole = _filled(value, self._defaults)
        stored, below = whole, []
        for key, item, schema in _parts(self.schema, whole):
            rules = self._part(key if key in self._fields else None, schema)
            if item is None or not rules.is_needed:
                continue
            part = rules.judge_part(item)
            below += [((key, *pointer), rule) for pointer, rule in part.broken]
            if part.stored is not None:
                stored = stored.copy() if stored is whole else stored
                stored[key] = part.stored
        broken = [((), rule) for rule in self._own if not self._engine.holds(rule["rule"], stored)]
        return Judged(None if stored is value else stored, (*broken, *below))

    def judge_part(self, value: Any) -> Judged:
        """The same; equal parts are judged once."""
        text = exact_key(value)
        known = self._known.get(text)
        if known is None:
            known = self.judge(value)
            if len(text) <= _LONG:
                if len(self._known) >= _MANY:
                    self._known.clear()
                self._known[text] = known
        return known

    def _part(self, field: str | None, schema: Node) -> "Rules":
        if field not in self.parts:
            older = self._older.parts.get(field) if self._older else None
            is_same = older and older.schema == schema
            self.parts[field] = older if older and is_same else Rules(schema, self._engine, older)
        return self.parts[field]


def with_defaults(schema: Node, value: Any) -> Any:
    """The value with the schema's defaults filled in, wherever the parent exists. Parts without any are not copied."""
    if isinstance(value, dict):
        whole = _filled(value, _own_defaults(schema))
        filled = {key: with_defaults(sub, item) for key, item, sub in _parts(schema, whole)}
        is_same = whole is value and all(filled[key] is value[key] for key in filled)
        return value if is_same else whole | filled
    items = schema.get("items")
    if isinstance(value, list) and items:
        entries = [with_defaults(items, item) for item in value]
        return value if all(map(is_, entries, value)) else entries
    return value


def _own_defaults(schema: Node) -> Node:
    """The defaults of the fields of a schema, but not of their parts."""
    fields = schema.get("properties") or {}
    return {key: sub["default"] for key, sub in fields.items() if "default" in sub}


def _filled(value: Any, defaults: Node) -> Any:
    if not defaults or not isinstance(value, dict):
        return value
    absent = {key: default for key, default in defaults.items() if key not in value}
    return value | absent if absent else value


def _parts(schema: Node, value: Any) -> Iterator[tuple[Any, Any, Node]]:
    """The key or index, the value and the schema of each part of a value that has a schema."""
    if isinstance(value, list):
        items = schema.get("items")
        if items:
            yield from ((at, item, items) for at, item in enumerate(value))
    elif isinstance(value, dict):
        fields, rest = schema.get("properties") or {}, schema.get("additionalProperties")
        yield from ((key, value[key], sub) for key, sub in fields.items() if key in value)
        if isinstance(rest, dict):
            yield from ((key, item, rest) for key, item in value.items() if key not in fields)
