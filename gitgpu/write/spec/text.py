"""Documents of a spec as readable text, with comments. Flat mappings and lists of scalars are on one line."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.access import MAPPING
from gitgpu.adopt.adoption import SpecDocument
from gitgpu.adopt.compiled import data
from gitgpu.source import Pointer
from gitgpu.write.render import comment_text, line_text, render

_MAX_COLUMNS = 120  # columns of a line with an item
_SIGNS = frozenset(",[]{}")  # what ends or begins a value inside brackets
_FLAT = 60  # characters of a value that stays on its line


def spec_text(documents: Sequence[SpecDocument]) -> str:
    """The text of a file with these documents."""
    return "---\n".join(_document(document) for document in documents)


def _document(document: SpecDocument) -> str:
    head = _comment(document.comments.get((), ""), "")
    return head + "".join(f"{line}\n" for line in mapping_lines(data(document), (), "", document.comments))


def mapping_lines(value: Mapping[str, Any], pointer: Pointer, pad: str, comments: Mapping[Pointer, str]) -> list[str]:
    """The lines of the mapping at a pointer, with comments. Values of a top-level mapping start on their own line."""
    lines: list[str] = []
    for key, inner in value.items():
        here = (*pointer, key)
        lines += _comment(comments.get(here, ""), pad).splitlines()
        name = _scalar(key)
        has_comments_inside = any(other[: len(here)] == here and other != here for other in comments)
        flat = None if has_comments_inside or not pointer else _flat(inner)
        if flat is not None and len(flat) <= _FLAT:
            lines.append(f"{pad}{name}: {flat}")
        elif isinstance(inner, MAPPING) and inner:
            lines += [f"{pad}{name}:", *mapping_lines(inner, here, f"{pad}  ", comments)]
        elif isinstance(inner, (list, tuple)) and inner:
            lines += [f"{pad}{name}:", *_items(inner, here, pad, comments)]
        else:
            lines.append(f"{pad}{name}: {_scalar(inner)}")
    return lines


def _items(items: Sequence[Any], pointer: Pointer, pad: str, comments: Mapping[Pointer, str]) -> list[str]:
    lines: list[str] = []
    for index, item in enumerate(items):
        flat = _flat(item)
        if flat is not None and len(pad) + len(flat) + 2 <= _MAX_COLUMNS:
            lines.append(f"{pad}- {flat}")
        elif isinstance(item, (Mapping, list, tuple)) and item:
            below = mapping_lines if isinstance(item, Mapping) else _items
            first, *rest = below(item, (*pointer, index), f"{pad}  ", comments)  # type: ignore[arg-type]
            lines += [f"{pad}- {first.strip()}", *rest]
        else:
            lines.append(f"{pad}- {_scalar(item)}")
    return lines


def _flat(value: Any) -> str | None:
    """A value on one line: a scalar, or a mapping or list of scalars. None for other values."""
    if isinstance(value, str):
        return line_text(value)
    if isinstance(value, MAPPING):
        values = [_inner(inner) for inner in value.values()]
        if None in values:
            return None
        entries = (f"{_inner(key)}: {text}" for key, text in zip(value, values, strict=True))
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, (list, tuple)):
        items = [_inner(inner) for inner in value]
        return None if None in items else f"[{', '.join(map(str, items))}]"
    return _scalar(value)


def _inner(value: Any) -> str | None:
    """A value inside brackets, where scalars with commas or brackets need quotes. None if it is nested."""
    if isinstance(value, (list, tuple)):
        return None if value else "[]"
    if not isinstance(value, str) and isinstance(value, MAPPING):
        is_nested = any(isinstance(inner, (dict, list, Mapping)) for inner in value.values())
        return None if is_nested else _flat(value)
    text = _scalar(value)
    if text.startswith('"') or _SIGNS.isdisjoint(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _scalar(value: Any) -> str:
    """A scalar as `render` writes it, but always on one line."""
    if isinstance(value, str):
        return line_text(value)
    return render({"v": value}).removeprefix("v: ").removesuffix("\n")


def _comment(text: str, pad: str) -> str:
    return "".join(f"{pad}# {comment_text(line)}\n" for line in text.splitlines())
