"""Renames a cluster, pool, workload or team in every file of a fleet."""

from collections.abc import Mapping
from typing import NamedTuple

from lsprotocol.types import Range

from gitgpu.edit import Replacement, splice
from gitgpu.editor.context import Context, field, kind_field
from gitgpu.editor.names import Name, name_at
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.report.reference.field import Schema, shown_value
from gitgpu.report.terminal import printable


class Refused(NamedTuple):
    """Why a name cannot be changed."""

    reason: str


class Renamed(NamedTuple):
    """The texts that change, by file, and what the change means for what runs."""

    texts: Mapping[str, str]
    consequence: str


def renamable(context: Context, index: int) -> Range | None:
    """The range of the name at an index; None if there is none that can be renamed."""
    name = name_at(context.file, context.content, index)
    if name is None or name.foreign:
        return None
    return context.files.positions(context.file).range(name.start, name.end)


def rename(context: Context, index: int, new: str) -> Renamed | Refused:
    """The texts after the name at an index has become `new`, wherever it is meant."""
    here = name_at(context.file, context.content, index)
    if here is None or here.foreign:
        return Refused("there is no name of a cluster, pool, workload or team here")
    every = context.names()
    if why := _unfit(here, new) or _taken(here, new, every):
        return Refused(why)
    texts: dict[str, str] = {}
    for file, content in context.files.texts.items():
        changes = [_change(name, new) for name in every if name.file == file and name.means(here) and not name.foreign]
        if changes:
            texts[file] = splice(content, changes)
    return Renamed(texts, _schema(here)["description"])


def _schema(name: Name) -> Schema:
    """The schema of the name."""
    here = field(kind_field(name.kind), ("metadata", "name"))
    return here.part if here else {}


def _unfit(name: Name, new: str) -> str:
    """Why the schema does not allow the new name; "" if it does."""
    part = _schema(name)
    if compile_pattern(part["pattern"]).search(new) and len(new) <= part["maxLength"]:
        return ""
    return f"'{printable(new)}' is not {part['x-gitgpu-words']}"


def _taken(name: Name, new: str, every: list[Name]) -> str:
    """Why the new name would mean something else; "" if no document has it."""
    taken = any(other.defines and other.means(name._replace(name=new)) for other in every)
    return f"there is a {name.kind} named '{new}' already" if taken else ""


def _change(name: Name, new: str) -> Replacement:
    return Replacement(name.start, name.end, f'"{new}"' if name.quoted else shown_value(new))
