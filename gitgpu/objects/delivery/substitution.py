"""Flux postBuild substitution: `${NAME}` is replaced with its value, if the value is known."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import children, reach
from gitgpu.load.parse.scalars import resolve
from gitgpu.model.names.annotations import FLUX_SUBSTITUTE_ANNOTATION
from gitgpu.source import Pointer

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# `${NAME:=x}`, `${NAME:-x}`, `${NAME=x}` and `${NAME-x}` all have a default.
_DEFAULT = re.compile(r":?[-=]")
_BARE = re.compile(r"\$\{[^\s#:]")  # Kustomize writes such a text without quotes, so its type can change
_SEALED = "ENC["  # the start of a value that SOPS has encrypted, and that Flux decrypts
_MAX_NESTING = 20  # levels of nested defaults; each is a recursive call


class Fill(NamedTuple):
    """The variables of a postBuild, sorted. With `open`, there are others with unknown values, as from a Secret."""

    variables: tuple[tuple[str, str], ...] = ()
    open: bool = True


class Substituted(NamedTuple):
    """An object after substitution.

    `holes` are the places of unknown values. `typed` are the places of values that are no longer strings, each with the
    string that was substituted.
    """

    body: dict[str, Any]
    holes: frozenset[Pointer] = frozenset()
    typed: tuple[tuple[Pointer, str], ...] = ()


def substitute(body: dict[str, Any], fill: Fill) -> Substituted:
    """The object as Flux applies it. Variables with unknown values stay as written, or get their default."""
    if not _has_variable(body) or _left_alone(body):
        return Substituted(body)
    walk = _Walk(dict(fill.variables), fill.open, set(), [])
    return Substituted(walk.node(body, ()), frozenset(walk.holes), tuple(walk.typed))


class _Walk(NamedTuple):
    """A walk through an object that replaces variables. It collects the fields of `Substituted`."""

    values: Mapping[str, str]
    open: bool
    holes: set[Pointer]
    typed: list[tuple[Pointer, str]]

    def node(self, value: Any, place: Pointer) -> Any:
        """A value at a place, after substitution. Variables in keys stay, and their values count as unknown."""
        if isinstance(value, str):
            return self.text(value, place) if "${" in value else value
        if isinstance(value, Mapping):
            for key in value:
                if isinstance(key, str) and "${" in key:
                    self.holes.add((*place, key))
            return {key: self.node(item, (*place, key)) for key, item in value.items()}
        if isinstance(value, list):
            return [self.node(item, (*place, index)) for index, item in enumerate(value)]
        return value

    def text(self, value: str, place: Pointer) -> Any:
        """A text after substitution; a number or a boolean if Kustomize writes it without quotes."""
        result, unknown = substitute_text(value, self.values, self.open)
        if unknown:
            self.holes.add(place)
        bare = resolve(result) if _BARE.match(value) and not unknown else result
        if not isinstance(bare, str):
            self.typed.append((place, result))
        return bare


def unseal(sealed: Substituted) -> Substituted:
    """A SOPS-encrypted object as it is applied: without the metadata of SOPS, and with unknown values."""
    if not isinstance(sealed.body.get("sops"), dict):
        return sealed
    body = {key: value for key, value in sealed.body.items() if key != "sops"}
    return sealed._replace(body=body, holes=sealed.holes | frozenset(_sealed(body, ())))


def _sealed(value: Any, place: Pointer) -> Iterator[Pointer]:
    for key, entry in children(value):
        yield from _sealed(entry, (*place, key))
    if isinstance(value, str) and value.startswith(_SEALED):
        yield place


def substitute_text(text: str, values: Mapping[str, str], open_: bool, depth: int = 0) -> tuple[str, bool]:
    """The text with its variables replaced, and whether one of them is unknown."""
    unknown, pieces, position = False, [], 0
    for start, end, escaped in _expressions(text):
        pieces.append(text[position:start])
        inside = text[start + 2 : end - 1]
        value = text[start + 1 : end] if escaped else _value(inside, values, open_, depth)
        name = None if escaped else _NAME.match(inside)
        unknown |= value is None or (open_ and name is not None and name.group() not in values)
        pieces.append(text[start:end] if value is None else value)
        position = end
    return "".join((*pieces, text[position:])), unknown


def _value(inside: str, values: Mapping[str, str], open_: bool, depth: int) -> str | None:
    """The value of an expression; None if it is unknown, or if the expression is more than a name and a default."""
    name = _NAME.match(inside)
    if not name:
        return None
    rest = inside[name.end() :]
    default = _DEFAULT.match(rest)
    if rest and not default:
        return None
    if name.group() in values and (values[name.group()] or not default):
        return values[name.group()]
    if not default or depth > _MAX_NESTING:
        return None
    result, unknown = substitute_text(rest[default.end() :], values, open_, depth + 1)
    return None if unknown else result


def _expressions(text: str) -> Iterator[tuple[int, int, bool]]:
    """The start and end of each `${...}`; an escaped `$${...}` starts at its first dollar sign."""
    position = text.find("${")
    while position >= 0:
        depth, end = 1, position + 2
        while end < len(text) and depth:
            depth += text.startswith("${", end) - (text[end] == "}")
            end += 1
        if depth:
            return
        escaped = position > 0 and text[position - 1] == "$"
        yield position - escaped, end, escaped
        position = text.find("${", end)


def _has_variable(body: Mapping[str, Any]) -> bool:
    """Whether a key or value can contain a variable. Most objects have none, and `repr` shows that ten times faster."""
    return "${" in repr(body)


def _left_alone(body: Mapping[str, Any]) -> bool:
    switches = (reach(body, "metadata", key, FLUX_SUBSTITUTE_ANNOTATION) for key in ("annotations", "labels"))
    return any(str(switch).lower() == "disabled" for switch in switches)
