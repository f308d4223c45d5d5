"""Completion: keys with their descriptions, and the values that fit there."""

import re
from collections.abc import Iterator

from lsprotocol.types import CompletionItem, CompletionItemKind, TextEdit

from gitgpu.editor.choice import Choice
from gitgpu.editor.completion_values import choices
from gitgpu.editor.context import Context, code_block, field, kind_field, markdown
from gitgpu.editor.cursor import Cursor, cursor_at
from gitgpu.editor.documentation import codes
from gitgpu.load.spec.shape import API_VERSION, KINDS
from gitgpu.report.reference.field import explain, first_sentence
from gitgpu.report.reference.field_search import Field, fields_below

_IGNORE = re.compile(r"#\s*gitgpu:\s*ignore\[(?:[^\]\n]*[,\s])?([A-Za-z0-9-]*)\Z")
TRIGGERS = ("[", "{", " ", ":", ",", "-", '"')
_MAPPINGS = ("object", "any")


def completion(context: Context, index: int) -> list[CompletionItem]:
    """What can be typed at an index."""
    content = context.content
    line = content[content.rfind("\n", 0, index) + 1 : index]
    if ignore := _IGNORE.search(line):
        start = index - len(ignore[1])
        return [_item(context, choice, start, index) for choice in codes()]
    if "#" in line and line.lstrip().startswith("#"):
        return []
    cursor = cursor_at(content, index)
    if cursor is None:
        return []
    if context.kind:
        cursor = cursor._replace(kind=context.kind)
    offered = list(_offered(context, cursor))
    return [_item(context, choice, cursor.start, cursor.end) for choice in offered]


def _offered(context: Context, cursor: Cursor) -> Iterator[Choice]:
    if not cursor.path and cursor.at_key and not cursor.kind:
        yield from _head(cursor)
        return
    if cursor.path in (("kind",), ("apiVersion",)) and not context.kind:
        yield from map(Choice, KINDS if cursor.path == ("kind",) else (API_VERSION,))
        return
    here = field(context.whole or kind_field(cursor.kind), cursor.path)
    special = list(choices(context, cursor))
    if special or here is None:
        yield from special
        return
    if cursor.at_key or (cursor.whole_item and fields_below(here)):
        yield from (_key(each, cursor) for each in fields_below(here) if each.path[-1] not in cursor.siblings)
    elif not fields_below(here) or here.part.get("enum"):
        yield from _schema_values(here)


def _head(cursor: Cursor) -> Iterator[Choice]:
    """What a document begins with."""
    for key, value in (("apiVersion", API_VERSION), ("kind", ""), ("metadata", ""), ("spec", "")):
        if key not in cursor.siblings:
            yield Choice(key, insert=f"{key}: {value}".rstrip() + ("" if value or key != "kind" else " "))


def _key(each: Field, cursor: Cursor) -> Choice:
    facts = each.facts()
    name = each.path[-1]
    kind = str(facts["type"])
    insert = f"{name}:" if kind in _MAPPINGS and not cursor.in_brackets else f"{name}: "
    required = "required, " if each.required else ""
    detail = f"{required}{kind}: {first_sentence(facts['description'])}"
    order = "0" if each.required else "1"
    return Choice(name, detail, CompletionItemKind.Property, insert, order, code_block(explain(each.name, facts)))


def _schema_values(here: Field) -> Iterator[Choice]:
    """The values that the schema lists, or else its examples."""
    part = here.part.get("items", here.part)
    if "const" in part:
        yield Choice(str(part["const"]))
    elif "enum" in part:
        yield from (Choice(str(value)) for value in part["enum"])
    elif part.get("type") == "boolean":
        yield from (Choice("true"), Choice("false"))
    else:
        examples = (value for value in part.get("examples", ()) if isinstance(value, str | int) and value != "")
        yield from (Choice(str(value), "an example", CompletionItemKind.Value) for value in examples)


def _item(context: Context, choice: Choice, start: int, end: int) -> CompletionItem:
    """A choice that replaces the word at the cursor."""
    changed = context.files.positions(context.file).range(start, end)
    return CompletionItem(
        label=choice.label,
        kind=choice.kind,
        detail=choice.detail or None,
        documentation=markdown(choice.page) if choice.page else None,
        sort_text=f"{choice.order}{choice.label}" if choice.order else None,
        filter_text=choice.label,
        text_edit=TextEdit(changed, choice.insert or choice.label),
        data=choice.data or None,
    )
