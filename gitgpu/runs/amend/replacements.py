"""Where the values of a tree go in a text: replaced within their quotes, or inserted with the file's indentation."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from gitgpu.edit import Replacement, newline, removal
from gitgpu.runs.amend.assignment import Absent, Tree, is_branch, is_of_list
from gitgpu.source import Pointer
from gitgpu.write.render import line_text

_STEP = 2  # columns of a level, if the document does not show its indentation
# An alias as the value of a key, starting at the colon, such as `: *usual`.
_ALIAS = re.compile(r"\s*:\s*\*[^\s,\]}]+")
_INSIDE = frozenset(",[]{}")  # characters with a meaning inside brackets


def value_replacements(text: str, node: Any, tree: Tree, step: int) -> Iterator[Replacement]:
    """The replacements for the values of a tree, except removals; `step` is the indentation of a level.

    Insertions after the last key of a mapping come before insertions after the last key in one of its values.
    """
    if isinstance(node, yaml.SequenceNode):
        for index, below in tree.items():
            yield from value_replacements(text, node.value[int(index)], below, step)
        return
    entries = {key.value: (key, value) for key, value in node.value}
    new = {str(key): value for key, value in tree.items() if key not in entries}
    if new:
        yield from _insert(text, node, new, step)
    for name in entries.keys() & tree.keys():  # the places are apart, so their order does not matter
        (key, old), value = entries[name], tree[name]
        if value is Absent.ABSENT or old.start_mark.index < key.end_mark.index:
            continue  # removed later; or an alias, whose value is elsewhere
        if is_branch(value) and _is_inside(value, old):
            yield from value_replacements(text, old, value, step)
        else:
            yield from _replace_value(text, key, old, _replacement(old, value))


def _is_inside(tree: Tree, old: Any) -> bool:
    """Whether a tree is written into a node, instead of replacing it."""
    kind = yaml.SequenceNode if is_of_list(tree) else yaml.MappingNode
    return isinstance(old, kind)


def removal_replacements(text: str, node: Any, path: Pointer) -> list[Replacement]:
    """The replacements that remove an entry from the document at a node."""
    *above, last = path
    for part in above:
        node = _below(node, part)
    key, value = next((key, value) for key, value in node.value if key.value == last)
    return removal(text, key, _end(text, key, value), node)


def step_of(node: Any) -> int:
    """The indentation, in columns, of the first mapping in a mapping of a document."""
    for key, value in node.value:
        if isinstance(value, yaml.MappingNode) and not value.flow_style:
            first_key, _ = value.value[0]
            return int(first_key.start_mark.column - key.start_mark.column)
    return _STEP


def flow_text(value: Any) -> str:
    """A value on one line, in a form that is valid inside brackets."""
    if isinstance(value, Mapping):
        entries = (f"{flow_text(key)}: {flow_text(below)}" for key, below in value.items())
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow_text, value))}]"
    text = line_text(value) if isinstance(value, str) else json.dumps(value)
    return json.dumps(value, ensure_ascii=False) if set(text) & _INSIDE else text


def _below(node: Any, part: str | int) -> Any:
    if isinstance(part, int):
        return node.value[part]
    return next(value for key, value in node.value if key.value == part)


def _replacement(old: Any, value: Any) -> str:
    """A value with the quotes of the one that it replaces."""
    if not isinstance(value, str) or not isinstance(old, yaml.ScalarNode):
        return flow_text(value)
    if old.style == "'" and "'" not in value and value.isprintable():
        return f"'{value}'"
    return json.dumps(value, ensure_ascii=False) if old.style == '"' else flow_text(value)


def _replace_value(text: str, key: Any, old: Any, new: str) -> Iterator[Replacement]:
    """The replacements that put a value in place of another one; right after the key if that was a block below it."""
    start, end = old.start_mark.index, _end(text, key, old)
    line_end = text.find(newline(text), key.end_mark.index)
    if isinstance(old, yaml.CollectionNode) and not old.flow_style and line_end < start:
        colon = text.index(":", key.end_mark.index) + 1
        yield Replacement(colon, colon, f" {new}")
        yield Replacement(line_end, end, "")
    else:
        yield Replacement(start, end, f" {new}" if text[start - 1] == ":" else new)


def _insert(text: str, node: Any, new: Mapping[str, Any], step: int) -> Iterator[Replacement]:
    """The replacement that adds entries after the last one of a mapping."""
    if not node.value:
        yield Replacement(node.start_mark.index, node.end_mark.index, flow_text(new))
        return
    first_key, _ = node.value[0]
    flow = (json.dumps(new, ensure_ascii=False) if first_key.style == '"' else flow_text(new))[1:-1]
    end = _end(text, *node.value[-1])
    if node.flow_style:
        yield Replacement(end, end, f", {flow}")
        return
    pad = " " * first_key.start_mark.column
    lines = "".join(f"{line}{newline(text)}" for line in _block(new, pad, step))
    if "\n" in text[end:]:
        at = text.index("\n", end) + 1
        yield Replacement(at, at, lines)
    else:
        yield Replacement(len(text), len(text), f"{newline(text)}{lines.removesuffix(newline(text))}")


def _block(values: Mapping[str, Any], pad: str, step: int) -> Iterator[str]:
    for key, value in values.items():
        if is_branch(value):
            yield f"{pad}{flow_text(key)}:"
            yield from _block(value, pad + " " * step, step)
        else:
            yield f"{pad}{flow_text(key)}: {flow_text(value)}"


def _end(text: str, key: Any, value: Any) -> int:
    """Where the characters of an entry end. For the parser, a block ends at the next token, after comments."""
    return _value_end(text, int(key.end_mark.index), value)


def _value_end(text: str, after: int, value: Any) -> int:
    if value.start_mark.index < after:  # an alias, whose value is elsewhere
        alias = _ALIAS.match(text, after)
        return alias.end() if alias else after
    start, end = int(value.start_mark.index), int(value.end_mark.index)
    if isinstance(value, yaml.ScalarNode):
        return start + len(text[start:end].rstrip())
    if value.flow_style:
        return end
    if isinstance(value, yaml.MappingNode):
        return _end(text, *value.value[-1])
    last = value.value[-1]
    return _value_end(text, start, last) if last.start_mark.index > start else end
