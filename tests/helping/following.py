"""Follows a remedy literally, as far as a program can: what it says to write, rename or remove.

A remedy is prose. It is split into alternatives. Each instruction of a common form yields the changes that a reader
could make: the value at the place of the finding, or a key in any mapping that accepts it.
"""

import copy
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import yaml

from gitgpu.load.explain.repairs import places_of_keys
from gitgpu.load.validate.compiler import Resolve, Schema
from gitgpu.source import Pointer

Documents: TypeAlias = list[Any]
Schemas: TypeAlias = Callable[[Any], tuple[Schema, Resolve] | None]

_VERBS = ("write", "use", "remove", "leave", "add", "set", "did", "rename", "drop", "call", "demand", "require")
_TOKEN = r"\"[^\"]*\"|'[^']*'|\{.*?\}+|\[[^\]]*\]|[^\s,;?(){}\[\]]+"
_OTHERWISE = re.compile(r",? or (?=(?:write|set|remove|leave|add|drop|take|make|let|have|allow)\b|[\w.]+: )")
_THEN = re.compile(r"; |, |: (?=write|set|use)| and (?!(?:less|more)\b)")
_KEYED = re.compile(rf"(?:write|add|set) ([A-Za-z][\w./-]*): (?!(?:what|the|a|an)\b)({_TOKEN})(?: (?!with\b).*)?\Z")
_VALUE = re.compile(
    rf"(?:write|use|did you mean|rename it to|call it|demand|require) '?({_TOKEN})'?\??(?: for \d.*)?\Z"
)
_INSTEAD = re.compile(r" in place of ([\w.]+)\Z")
_BOUND = re.compile(r"(?:write|use) (?:at most )?([\d.]+\w*)(?: (?!letters|lowercase|characters).*)?\Z")
_THIS = re.compile(r"(?:remove it|leave it out|remove the \w+)(?: .*)?\Z")
_FROM = re.compile(r"remove (?:it|the \w+) from (the spec|[\w.-]+)\Z")
_KEY = re.compile(r"(?:remove|leave) (?:the (?:label|tag|key) )?([A-Za-z][\w./-]*)(?: out)?\Z")
_LOOSE = re.compile(r" (?:or|and) (?:less|more|fewer)\Z")
_BARE = re.compile(r"[A-Za-z][\w.]*: \S")
_MANY = 12  # limit on the readings of an instruction that is followed by another
_PROSE = frozenset(
    {"both", "minute", "expireAfter", "the", "a", "an", "one"}
)  # words that start prose rather than a value


class Place(NamedTuple):
    """The location of a value: the index of its document, and the path in it."""

    document: int
    path: Pointer


class Step(NamedTuple):
    """An instruction, the documents that it is about, and the place of the finding."""

    text: str
    documents: Documents
    at: Place
    schemas: Schemas


def alternatives(remedy: str) -> list[list[str]]:
    """The alternatives of a remedy, each as the list of its instructions that can be followed here."""
    verb, groups = "", []
    for way in _OTHERWISE.split(remedy):
        steps = []
        for part in _split(way):
            text = _LOOSE.sub("", part.strip().removeprefix("and "))
            first = text.partition(" ")[0]
            verb = first if first in _VERBS else verb
            steps.append(
                f"write {text}" if first not in _VERBS and verb in ("write", "set") and _BARE.match(text) else text
            )
        groups.append([step for step in steps if any(_matched(form, step) for form in _FORMS)])
    return [steps for steps in groups if steps]


def _split(way: str) -> Iterator[str]:
    """The instructions of an alternative. What is inside brackets is one value."""
    start = 0
    for match in _THEN.finditer(way):
        before = way[: match.start()]
        if all(before.count(opening) == before.count(closing) for opening, closing in ("[]", "{}")):
            yield way[start : match.start()]
            start = match.end()
    yield way[start:]


def _matched(form: re.Pattern[str], text: str) -> re.Match[str] | None:
    match = form.match(text)
    return match if match and not (match.groups() and (match[1] in _PROSE or match[1].endswith("..."))) else None


def outcomes(steps: Sequence[str], step: Step) -> Iterator[Documents]:
    """The documents after each possible reading: first each instruction on its own, then all of them in sequence."""
    for text in steps:
        yield from _outcomes(step._replace(text=text))
    for first in islice(_outcomes(step._replace(text=steps[0])), _MANY) if len(steps) > 1 else ():
        yield from outcomes(steps[1:], step._replace(documents=first))


def _outcomes(step: Step) -> Iterator[Documents]:
    for form, change in _FORMS.items():
        if match := _matched(form, step.text):
            yield from change(step, match)


def _keyed(step: Step, match: re.Match[str]) -> Iterator[Documents]:
    value, name = _read(_LOOSE.sub("", match[2])), match[1]
    keys = [name] if "/" in name else name.split(".")
    instead = _INSTEAD.search(step.text)
    for place in _sites(step, keys[0]):
        written = _written(step.documents, place._replace(path=(*place.path, *keys)), value)
        yield _removed(written, place._replace(path=(*place.path, instead[1]))) if instead else written


def _value(step: Step, match: re.Match[str]) -> Iterator[Documents]:
    value = _read(match[1])
    yield _written(step.documents, step.at, value)
    if isinstance(value, str):
        yield _renamed(step.documents, step.at, value)


def _this(step: Step, _: re.Match[str]) -> Iterator[Documents]:
    path = step.at.path
    yield from (_removed(step.documents, step.at._replace(path=path[:end])) for end in range(len(path), 1, -1))


def _from(step: Step, match: re.Match[str]) -> Iterator[Documents]:
    """Removes from the spec the object of the finding, or from a named object each value in its spec."""
    if match[1] == "the spec":
        yield [document for at, document in enumerate(step.documents) if at != step.at.document]
        return
    for number, document in enumerate(step.documents):
        if document["metadata"]["name"] == match[1]:
            for path in _values(document["spec"], ("spec",)):
                yield _removed(step.documents, Place(number, path))


def _key(step: Step, match: re.Match[str]) -> Iterator[Documents]:
    keys = [match[1]] if "/" in match[1] else match[1].split(".")
    for place in _sites(step, keys[0]):
        yield _removed(step.documents, place._replace(path=(*place.path, *keys)))


def _sites(step: Step, key: str) -> Iterator[Place]:
    """The mappings that may hold a key: first those around the finding, then those where a schema has the key."""
    documents, at = step.documents, step.at
    for end in range(len(at.path), -1, -1):
        if isinstance(_reach(documents[at.document], at.path[:end]), dict):
            yield at._replace(path=at.path[:end])
    order = sorted(range(len(documents)), key=lambda number: number != at.document)
    yield from (Place(index, ("spec", "values")) for index in order if documents[index]["kind"] == "HelmRelease")
    for index in order:
        known = step.schemas(documents[index])
        paths = places_of_keys(known[0], frozenset({key}), known[1]).get(key, ()) if known else ()
        yield from (Place(index, path) for path in paths)
    yield from (Place(index, path) for index in order for path in _mappings(documents[index], ()))


def _mappings(value: Any, path: Pointer) -> Iterator[Pointer]:
    if isinstance(value, dict):
        yield path
    for key, below in _entries(value):
        yield from _mappings(below, (*path, key))


def _values(value: Any, path: Pointer) -> Iterator[Pointer]:
    """The path of each value inside this one."""
    for key, below in _entries(value):
        yield (*path, key)
        yield from _values(below, (*path, key))


def _entries(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _read(text: str) -> Any:
    try:
        return yaml.load(text, yaml.CSafeLoader)
    except yaml.YAMLError:
        return text


def _reach(value: Any, path: Sequence[str | int]) -> Any:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _written(documents: Documents, at: Place, value: Any) -> Documents:
    changed = copy.deepcopy(documents)
    owner = changed[at.document]
    for part in at.path[:-1]:
        owner = owner.setdefault(part, {}) if isinstance(owner, dict) else _reach(owner, (part,))
    if at.path and (isinstance(owner, dict) or _reach(owner, at.path[-1:]) is not None):
        owner[at.path[-1]] = _merged(value, _reach(owner, at.path[-1:]))
    return changed


def _merged(value: Any, old: Any) -> Any:
    """The new value. A mapping in a remedy adds to the existing one; other keys are kept."""
    return {**old, **value} if isinstance(value, dict) and isinstance(old, dict) else value


def _renamed(documents: Documents, at: Place, key: str) -> Documents:
    changed = copy.deepcopy(documents)
    owner = _reach(changed[at.document], at.path[:-1])
    if at.path and isinstance(owner, dict) and at.path[-1] in owner:
        owner[key] = owner.pop(at.path[-1])
    return changed


def _removed(documents: Documents, at: Place) -> Documents:
    changed = copy.deepcopy(documents)
    owner = _reach(changed[at.document], at.path[:-1])
    if at.path and _reach(owner, at.path[-1:]) is not None:
        del owner[at.path[-1]]
    return changed


_FORMS: dict[re.Pattern[str], Callable[[Step, re.Match[str]], Iterator[Documents]]] = {
    _KEYED: _keyed,
    _VALUE: _value,
    _BOUND: _value,
    _THIS: _this,
    _FROM: _from,
    _KEY: _key,
}
