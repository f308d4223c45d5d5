"""Fixes applied to text: only the characters of a value, a key or a line change, so comments and layout stay."""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import yaml
from yaml.cyaml import CSafeLoader

from gitgpu.diagnostic import Change, Edit
from gitgpu.load.parse.plain_json import json_parts

Place: TypeAlias = tuple[int, int]


class Replacement(NamedTuple):
    """The characters from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


class _Nodes(NamedTuple):
    """The nodes of a text by line and column, from 1. An entry of `keys` is a key, its value and its mapping."""

    keys: Mapping[Place, tuple[Any, Any, Any]]
    scalars: Mapping[Place, Any]
    mappings: Mapping[Place, Any]


def apply_edits(text: str, edits: Iterable[Edit]) -> tuple[str, int]:
    """The text with the fixes applied, and the number of them. A fix that overlaps an earlier one is skipped."""
    wanted = [*edits]
    nodes = _nodes(text, {edit.at.line for edit in wanted})
    replacements: list[Replacement] = []
    done = 0
    for edit in wanted:
        new = [*_REPLACEMENTS[edit.change](text, nodes, edit)]
        # All of an edit or nothing: half of a move would lose or repeat the key.
        if new and not any(_overlap(*pair) for pair in product(new, replacements)):
            replacements += new
            done += 1
    return splice(text, replacements), done


def splice(text: str, replacements: Iterable[Replacement]) -> str:
    """Applies replacements that do not overlap. If two insert text at the same place, the first one ends up last."""
    # From the end of the text, because a replacement moves everything after it.
    for replacement in sorted(replacements, key=lambda replacement: (replacement.start, replacement.end), reverse=True):
        text = text[: replacement.start] + replacement.text + text[replacement.end :]
    return text


def _overlap(first: Replacement, other: Replacement) -> bool:
    return (first.start < other.end and other.start < first.end) or first.start == other.start


def _documents(text: str, lines: Container[int]) -> Iterator[Any]:
    """The documents up to the first syntax error. Of a text with several JSON values, those with one of the lines."""
    try:
        yield from yaml.compose_all(text, CSafeLoader)
    except yaml.YAMLError:
        with suppress(ValueError, RecursionError, yaml.YAMLError):
            for part in json_parts(text):
                if any(part.line + 1 + number in lines for number in range(part.content.count("\n") + 1)):
                    blank = re.sub(r"[^\n]", " ", text[: part.start])  # so that places are those in the whole text
                    yield yaml.compose(blank + part.content, CSafeLoader)


def _nodes(text: str, lines: Container[int]) -> _Nodes:
    nodes = _Nodes({}, {}, {})
    waiting: list[Any] = list(_documents(text, lines))
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:  # an alias is the node of its anchor, and may even be inside it
            continue
        seen.add(id(node))
        place = (node.start_mark.line + 1, node.start_mark.column + 1)
        if isinstance(node, yaml.ScalarNode):
            nodes.scalars[place] = node  # type: ignore[index]
        elif isinstance(node, yaml.MappingNode):
            nodes.mappings[place] = node  # type: ignore[index]
            for key, value in node.value:
                key_place = (key.start_mark.line + 1, key.start_mark.column + 1)
                nodes.keys[key_place] = (key, value, node)  # type: ignore[index]
                waiting.append(value)
        else:
            waiting += node.value
    return nodes


def _value(text: str, nodes: _Nodes, edit: Edit) -> Iterator[Replacement]:
    node = nodes.scalars.get((edit.at.line, edit.at.column))
    if node is not None and node.style not in ("|", ">") and not _tagged(text, node):
        yield Replacement(node.start_mark.index, node.end_mark.index, _as(node, edit.text))


def _as(like: Any, text: str) -> str:
    """The text, in quotes if the scalar `like` has them, so that JSON stays JSON."""
    return json.dumps(text) if like.style == '"' and not text.startswith('"') else text


def _quote(text: str, nodes: _Nodes, edit: Edit) -> Iterator[Replacement]:
    """Puts the characters of a scalar in quotes: `yes` becomes "yes", whatever value a parser reads."""
    node = nodes.scalars.get((edit.at.line, edit.at.column))
    if node is not None and not node.style and not _tagged(text, node):
        start, end = node.start_mark.index, node.end_mark.index
        yield Replacement(start, end, json.dumps(text[start:end]))


def _tagged(text: str, node: Any) -> bool:
    """Whether the node begins with an anchor or a tag, which a replacement of the node would remove."""
    return text.startswith(("&", "!"), node.start_mark.index)


def _key(_: str, nodes: _Nodes, edit: Edit) -> Iterator[Replacement]:
    entry = nodes.keys.get((edit.at.line, edit.at.column))
    if entry:
        key, _, _ = entry
        yield Replacement(key.start_mark.index, key.end_mark.index, _as(key, edit.text))


def _add(text: str, nodes: _Nodes, edit: Edit) -> Iterator[Replacement]:
    node = nodes.mappings.get((edit.at.line, edit.at.column))
    if node is not None and node.value:
        first, _ = node.value[0]
        yield _put(text, node, f"{_as(first, edit.key)}: {_as(first, edit.text)}")


def _put(text: str, mapping: Any, entry: str) -> Replacement:
    """Inserts the entry before the first key of a mapping; in block style, on its own line."""
    first, _ = mapping.value[0]
    start = first.start_mark.index
    after = ", " if mapping.flow_style else f"{newline(text)}{' ' * first.start_mark.column}"
    return Replacement(start, start, f"{entry}{after}")


def _move(text: str, nodes: _Nodes, edit: Edit) -> Iterator[Replacement]:
    entry = nodes.keys.get((edit.at.line, edit.at.column))
    target = edit.target and nodes.mappings.get((edit.target.line, edit.target.column))
    if not entry or not target or not target.value:
        return
    key, value, owner = entry
    if not isinstance(value, yaml.ScalarNode):
        return
    end = value.end_mark.index
    if not owner.flow_style and not target.flow_style:  # a comment after the value moves with it
        line_end = text.find("\n", end)
        end = len(text) if line_end < 0 else line_end
    written = text[key.start_mark.index : end].rstrip()
    if "\n" not in written and len(owner.value) > 1:  # moving the only key would leave the mapping empty
        yield from removal(text, key, value.end_mark.index, owner)
        yield _put(text, target, written)


def removal(text: str, key: Any, end: int, owner: Any) -> list[Replacement]:
    """Removes the entry that ends at `end`: its whole lines in block style; in flow style, with one comma."""
    start = key.start_mark.index
    if owner.flow_style:
        position = next(index for index, (entry, _) in enumerate(owner.value) if entry is key)
        if position + 1 < len(owner.value):
            next_key, _ = owner.value[position + 1]
            return [Replacement(start, next_key.start_mark.index, "")]
        _, value_before = owner.value[position - 1]
        return [Replacement(value_before.end_mark.index, end, "")]
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    if text[line_start:start].strip():  # the first key of a list item is on the line of the dash
        following = next((entry for entry, _ in owner.value if entry.start_mark.index > start), None)
        return [Replacement(start, following.start_mark.index, "")] if following else []
    return [Replacement(line_start, len(text) if line_end < 0 else line_end + 1, "")]


def newline(text: str) -> str:
    """The line end of a text."""
    return "\r\n" if "\r\n" in text else "\n"


_REPLACEMENTS: Mapping[Change, Any] = {
    Change.VALUE: _value,
    Change.QUOTE: _quote,
    Change.KEY: _key,
    Change.ADD: _add,
    Change.MOVE: _move,
}
