"""Repairs carried out on text: only the characters of a value, a key or a line change, so comments and layout stay."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import yaml
from yaml.cyaml import CSafeLoader

from gitgpu.diagnostic import Change, Edit

Place: TypeAlias = tuple[int, int]


class Cut(NamedTuple):
    """The characters from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


class _Nodes(NamedTuple):
    """The nodes of a text by line and column, from 1: keys with their values, scalars, mappings with their owners."""

    keys: Mapping[Place, tuple[Any, Any, Any]]
    scalars: Mapping[Place, Any]
    mappings: Mapping[Place, Any]


def edited(text: str, edits: Iterable[Edit]) -> tuple[str, int]:
    """The text with as many of the repairs as fit together, and how many these are. What cannot be placed stays."""
    try:
        nodes = _nodes(text)
    except yaml.YAMLError:
        return text, 0
    cuts: list[Cut] = []
    done = 0
    for edit in edits:
        found = _CUTS[edit.change](text, nodes, edit)
        if found and not any(_cross(entry, other) for entry in found for other in cuts):
            cuts += found
            done += 1
    return spliced(text, cuts), done


def spliced(text: str, cuts: Iterable[Cut]) -> str:
    """The text with cuts that do not cross. Of two that begin and end at one place, the first one is behind."""
    for cut in sorted(cuts, key=lambda cut: (cut.start, cut.end), reverse=True):
        text = text[: cut.start] + cut.text + text[cut.end :]
    return text


def _cross(first: Cut, other: Cut) -> bool:
    return (first.start < other.end and other.start < first.end) or first.start == other.start


def _nodes(text: str) -> _Nodes:
    found = _Nodes({}, {}, {})
    waiting: list[Any] = list(yaml.compose_all(text, CSafeLoader))
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        place = (node.start_mark.line + 1, node.start_mark.column + 1)
        if isinstance(node, yaml.ScalarNode):
            found.scalars[place] = node  # type: ignore[index]
        elif isinstance(node, yaml.MappingNode):
            found.mappings[place] = node  # type: ignore[index]
            for key, value in node.value:
                at = (key.start_mark.line + 1, key.start_mark.column + 1)
                found.keys[at] = (key, value, node)  # type: ignore[index]
                waiting.append(value)
        else:
            waiting += node.value
    return found


def _value(text: str, nodes: _Nodes, edit: Edit) -> list[Cut]:
    node = nodes.scalars.get((edit.at.line, edit.at.column))
    plain = node is not None and node.style not in ("|", ">") and not _tagged(text, node)
    return [Cut(node.start_mark.index, node.end_mark.index, _as(node, edit.text))] if plain and node is not None else []


def _as(like: Any, text: str) -> str:
    """A text quoted as its neighbour is, so that JSON stays JSON."""
    return json.dumps(text) if like.style == '"' and not text.startswith('"') else text


def _quote(text: str, nodes: _Nodes, edit: Edit) -> list[Cut]:
    """What was written, in quotes: `yes` becomes "yes", whatever a parser takes it for."""
    node = nodes.scalars.get((edit.at.line, edit.at.column))
    if node is None or node.style or _tagged(text, node):
        return []
    start, end = node.start_mark.index, node.end_mark.index
    return [Cut(start, end, json.dumps(text[start:end]))]


def _tagged(text: str, node: Any) -> bool:
    return text[node.start_mark.index : node.start_mark.index + 1] in ("&", "!", "*")


def _key(_: str, nodes: _Nodes, edit: Edit) -> list[Cut]:
    found = nodes.keys.get((edit.at.line, edit.at.column))
    return [Cut(found[0].start_mark.index, found[0].end_mark.index, _as(found[0], edit.text))] if found else []


def _add(text: str, nodes: _Nodes, edit: Edit) -> list[Cut]:
    node = nodes.mappings.get((edit.at.line, edit.at.column))
    if node is None or not node.value:
        return []
    first = node.value[0][0]
    return _put(text, node, f"{_as(first, edit.key)}: {_as(first, edit.text)}")


def _put(text: str, mapping: Any, entry: str) -> list[Cut]:
    """The entry as the first of a mapping: in a block a line of its own, in flow style before the first key."""
    start = mapping.value[0][0].start_mark.index
    if mapping.flow_style:
        return [Cut(start, start, f"{entry}, ")]
    indent = mapping.value[0][0].start_mark.column
    return [Cut(start, start, f"{entry}{newline(text)}{' ' * indent}")]


def _move(text: str, nodes: _Nodes, edit: Edit) -> list[Cut]:
    found = nodes.keys.get((edit.at.line, edit.at.column))
    target = edit.target and nodes.mappings.get((edit.target.line, edit.target.column))
    if not found or not target or not target.value or not isinstance(found[1], yaml.ScalarNode):
        return []
    key, value, owner = found
    end = value.end_mark.index
    if not owner.flow_style and not target.flow_style:  # a comment behind it goes along
        line_end = text.find("\n", end)
        end = len(text) if line_end < 0 else line_end
    written = text[key.start_mark.index : end].rstrip()
    if "\n" in written or len(owner.value) < 2:  # without a neighbour the mapping would be left empty
        return []
    return [*taken(text, key, value.end_mark.index, owner), *_put(text, target, written)]


def taken(text: str, key: Any, end: int, owner: Any) -> list[Cut]:
    """Without the entry that ends at `end`: its whole lines in a block; in flow style with the comma on one side."""
    start = key.start_mark.index
    if owner.flow_style:
        at = next(n for n, (entry, _) in enumerate(owner.value) if entry is key)
        if at + 1 < len(owner.value):
            return [Cut(start, owner.value[at + 1][0].start_mark.index, "")]
        return [Cut(owner.value[at - 1][1].end_mark.index, end, "")]
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    if text[line_start:start].strip():  # the first key of a list item stands behind the dash
        following = next((entry for entry, _ in owner.value if entry.start_mark.index > start), None)
        return [Cut(start, following.start_mark.index, "")] if following else []
    return [Cut(line_start, len(text) if line_end < 0 else line_end + 1, "")]


def newline(text: str) -> str:
    """The line end of a text."""
    return "\r\n" if "\r\n" in text else "\n"


_CUTS: Mapping[Change, Any] = {
    Change.VALUE: _value,
    Change.QUOTE: _quote,
    Change.KEY: _key,
    Change.ADD: _add,
    Change.MOVE: _move,
}
