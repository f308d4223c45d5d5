"""Anybody's YAML to Kubernetes objects with places: lists are unfolded, templates and placeholders refused at once."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.load.text import Text, fault
from gitgpu.load.yaml import Parsed, parse
from gitgpu.source import Pointer, Span, pointer_text

_ACTION = re.compile(r"\{\{-?\s*(?:/\*|[.$(\"]|(?:block|define|else|end|if|include|range|template|toYaml|tpl|with)\b)")
_PLACEHOLDER = re.compile(r"\$[A-Za-z_]\w*\Z|\$\{[A-Za-z_][^}]*\}|<[A-Za-z][^<>]*>\Z", re.ASCII)  # at the start
_SHELL = re.compile(r"\$\{[A-Za-z_]\w*", re.ASCII)
_FREE = frozenset({"annotations", "args", "command", "data", "description", "env", "query", "stringData", "values"})
_OWN = "gitgpu.dev/"


class Below(NamedTuple):
    """The places of an object that is an item of a list."""

    places: Places
    prefix: Pointer

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value of the item."""
        return self.places.span((*self.prefix, *pointer), key=key)


class Loaded(NamedTuple):
    """One Kubernetes object and the file that it was written in."""

    body: dict[str, Any]
    places: Places
    file: str


class Sheet(NamedTuple):
    """What a text holds: its objects, the places of documents that are none, and what is wrong with the text.

    `waiting` are objects with `${NAME}`, each with the fault that this is where Flux does not replace it.
    """

    objects: tuple[Loaded, ...]
    others: tuple[Span, ...]
    faults: tuple[Diagnostic, ...]
    waiting: tuple[tuple[Loaded, Diagnostic], ...] = ()


def sheet(text: Text) -> Sheet:
    """The objects of a text. A template, or an object with placeholders, is one fault and gives no object."""
    documents, faults = parse(text)
    action = _action(text, faults)
    if action:
        remedy = "render it first, with `helm template`, `envsubst` or whatever fills it in, and take what comes out"
        return Sheet((), (), (fault("LNT001", "a template, not YAML", remedy, action),))
    others: list[Span] = []
    found = [one for one in documents if one.data is not None]
    objects = [one for each in found for one in _objects(each, text.name, others)]
    if not any(sign in text.content for sign in ("$", "<", "{{")):
        return Sheet(tuple(objects), tuple(others), tuple(faults))  # no hole can be in it, and most files end here
    filled = [(one, _unnamed(one.body) or _placeholder(one.body, ())) for one in objects]
    refused = [(one, hole[1], _unfilled(one, *hole)) for one, hole in filled if hole]
    waiting = tuple((one, why) for one, hole, why in refused if hole.startswith("${"))
    odd = (why for _, hole, why in refused if not hole.startswith("${"))
    return Sheet(tuple(one for one, hole in filled if not hole), tuple(others), (*faults, *odd), waiting)


def _action(text: Text, faults: Sequence[Diagnostic]) -> Span | None:
    """The first action of a template, when a fault of the text is on its line or the next."""
    lines = text.content.splitlines() if faults else []
    near = {line for one in faults for line in (one.span.line, one.span.line - 1)}
    for number, line in enumerate(lines, start=1):
        found = (_ACTION.search(line) or _SHELL.search(line)) if number in near else None
        if found:
            return next(_actions(text.name, lines), Span(text.name, number, found.start() + 1))
    return None


def _actions(file: str, lines: Sequence[str]) -> Iterator[Span]:
    for number, line in enumerate(lines, start=1):
        if found := _ACTION.search(line) or _SHELL.search(line):
            yield Span(file, number, found.start() + 1)


def is_object(data: Any) -> bool:
    """Does it say of which kind and version it is, as every Kubernetes object does?"""
    return isinstance(data, dict) and all(isinstance(data.get(key), str) for key in ("apiVersion", "kind"))


def is_ours(body: dict[str, Any]) -> bool:
    """Is it a document of a fleet, which `validate` looks at?"""
    return str(body["apiVersion"]).startswith(_OWN)


def _objects(document: Parsed, file: str, others: list[Span]) -> Iterator[Loaded]:
    """The objects of a document; the places of what is none go to `others`."""
    waiting: list[tuple[Any, Pointer]] = [(document.data, ())]
    while waiting:
        data, prefix = waiting.pop(0)
        if not is_object(data):
            others.append(document.places.span(prefix))
            continue
        items = data.get("items")
        if data["kind"].endswith("List") and isinstance(items, list):
            waiting[:0] = [(_named(item, data), (*prefix, "items", at)) for at, item in enumerate(items)]
        else:
            yield Loaded(data, Below(document.places, prefix) if prefix else document.places, file)


def _named(item: Any, of: dict[str, Any]) -> Any:
    """An item of a typed list, such as a NodePoolList, need not repeat what the list says."""
    if of["kind"] == "List" or not isinstance(item, dict):
        return item
    return {"apiVersion": of["apiVersion"], "kind": of["kind"].removesuffix("List"), **item}


def _unnamed(body: dict[str, Any]) -> tuple[Pointer, str] | None:
    """A name that a template was to write."""
    meta = body.get("metadata")
    name = meta.get("name") if isinstance(meta, dict) else None
    return (("metadata", "name"), name) if isinstance(name, str) and "{{" in name else None


def _placeholder(value: Any, pointer: Pointer) -> tuple[Pointer, str] | None:
    """The first text that a shell, or a person, was to replace; not where such text is meant as it stands."""
    if isinstance(value, str):
        return (pointer, value) if value[:1] in "$<" and _PLACEHOLDER.match(value) else None
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in pairs:
        found = None if key in _FREE else _placeholder(item, (*pointer, key))
        if found:
            return found
    return None


def _unfilled(one: Loaded, pointer: Pointer, text: str) -> Diagnostic:
    shown = text if len(text) <= 40 else f"{text[:40]}..."
    message = f"holds the placeholder {shown}, which is yet to be replaced"
    remedy = "fill it in first, for example with `envsubst`, and take what comes out"
    return Diagnostic("LNT002", Severity.ERROR, message, remedy, one.places.span(pointer), pointer_text(pointer))
