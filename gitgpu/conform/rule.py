"""An object rule: one way in which an object that fits its schema is still refused or never works."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from gitgpu import rule
from gitgpu.conform.objects import Item, Objects
from gitgpu.diagnostic import Diagnostic, Repair
from gitgpu.source import Pointer, pointer_text


class Finding(NamedTuple):
    """One breach: the object, the value inside it, what is wrong and what to do; `repair` where that is safe.

    With `at_key` the place is that of the key. What offline reading cannot settle is called "uncertain" in `message`.
    """

    item: Item
    pointer: Pointer
    message: str
    help: str
    at_key: bool = False
    repair: Repair | None = None


Rule: TypeAlias = rule.Rule[Objects, Finding]


def diagnose(one: Rule, objects: Objects) -> Iterable[Diagnostic]:
    """The breaches of a rule as diagnostics."""
    for item, pointer, message, remedy, at_key, repair in one.check(objects):
        place, span = pointer_text(pointer), item.given.places.span(pointer, key=at_key)
        edit = repair.edit(item.given.places) if repair else None
        yield Diagnostic(one.code, one.severity, message, remedy, span, place, item.ref, edit)
