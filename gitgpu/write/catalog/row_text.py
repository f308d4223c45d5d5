"""The texts of rows of a catalog that a refresh or an import generates."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from gitgpu.access import mapping_at
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.refresh.row import HEADER, OwnedRow
from gitgpu.write.spec.text import mapping_lines

# A top-level key at the start of its line.
_KEY = re.compile(r"([A-Za-z][A-Za-z0-9]*)\s*:")
_BELOW = (" ", "-", "\t")
_DATED = ("source", "asOf", "verified")  # a refresh does not write `asOf`: its facts are as old as the check
_FIRST = ("name", "extends")
# Days for which a row with the same facts keeps its date, so that a daily refresh does not cause a daily commit.
_MAX_AGE = 30
_RUNNING = """\
# Written by `gitgpu import`: a cluster runs this version, which gitgpu's catalog does not have. The facts are those of
# the nearest version that it has, without images, drivers and versions of components. Correct what you know better,
# and remove the row once no cluster pins the version.
"""


class _Block(NamedTuple):
    """The lines of a key, with the comments above them."""

    key: str
    above: tuple[str, ...]
    lines: tuple[str, ...]


def is_generated(text: str) -> bool:
    """Whether a refresh has written the row."""
    return text.startswith(f"# {HEADER}")


def render_row(old: str, row: OwnedRow) -> str:
    """The text of a row with the keys of a refresh, or "" if no keys are left. `old` is "" for a new row.

    Keys that a refresh does not own, and comments between keys, are kept.
    """
    before = _data(old)
    head = {"name": row.name, **({"extends": "gitgpu"} if row.extends else {})}
    after = {**head, **{key: value for key, value in before.items() if key not in _DATED}}
    for key, value in row.keys.items():
        after.pop(key, None)
        after |= {} if value is None else {key: value}
    if not after.keys() - set(_FIRST):
        return ""
    if _undated(after) == _undated(before) and _is_recent(before.get("verified"), row.day):
        return old
    sources = before.get("source")
    after["source"] = sorted({*sources, row.source}) if isinstance(sources, list) else [row.source]
    after["verified"] = max(str(before.get("verified", "")), row.day)
    return _written(old, after, {*head, *row.keys, *_DATED})


def running_row_texts(rows: Mapping[str, Mapping[str, Any]]) -> Mapping[str, str]:
    """The texts of rows that an import writes for versions that run, by path below the directory of a catalog."""
    texts: dict[str, str] = {}
    for path, row in rows.items():
        lines = mapping_lines(row, (), "", {})
        texts[path] = _RUNNING + "".join(f"{line}\n" for line in lines)
    return texts


def _data(text: str) -> Mapping[str, Any]:
    documents, _ = parse(Text("", text, ""))
    return mapping_at(next((document.data for document in documents), None))


def _undated(value: Any) -> Any:
    """A row without its dates and sources."""
    if not isinstance(value, Mapping):
        return value
    return {key: _undated(inner) for key, inner in value.items() if key not in (*_DATED, "date")}


def _is_recent(verified: object, day: str) -> bool:
    try:
        return (date.fromisoformat(day) - date.fromisoformat(str(verified))).days < _MAX_AGE
    except ValueError:
        return False


def _written(old: str, data: Mapping[str, Any], owned: Iterable[str]) -> str:
    """The blocks of the old text in their order, with new lines for owned keys. New keys are before `source`."""
    blocks = {block.key: block for block in _blocks(old)}
    keys = [key for key in dict.fromkeys((*blocks, *data)) if key in data and key not in _DATED]
    lines: list[str] = []
    for key in (*keys, *(key for key in _DATED if key in data)):
        block = blocks.get(key, _Block(key, (), ()))
        lines += block.above
        lines += mapping_lines({key: data[key]}, (), "", {}) if key in owned else block.lines
    lines += blocks.get("", _Block("", (), ())).above
    text = "".join(f"{line}\n" for line in lines)
    return text if is_generated(text) else f"# {HEADER}\n{text}"


def _blocks(text: str) -> Iterator[_Block]:
    """The keys of a row, in order; then the lines below the last key, as a block without a key."""
    key, above, lines = "", list[str](), list[str]()
    waiting: list[str] = []  # comments and blank lines, which belong to the next key unless this one goes on
    for line in text.splitlines():
        match = _KEY.match(line)
        if match:
            if key:
                yield _Block(key, tuple(above), tuple(lines))
            key, above, lines, waiting = match[1], waiting, [line], []
        elif key and line.startswith(_BELOW):
            lines += [*waiting, line]
            waiting = []
        else:
            waiting.append(line)
    if key:
        yield _Block(key, tuple(above), tuple(lines))
    yield _Block("", tuple(waiting), ())
