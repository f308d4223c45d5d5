"""An object rule: one way in which an object that fits its schema is still refused or never works."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from gitgpu import rule
from gitgpu.conform.objects import Item, Objects
from gitgpu.diagnostic import Diagnostic
from gitgpu.source import Pointer, pointer_text


class Finding(NamedTuple):
    """One breach: the object, the value inside it, what is wrong and what to do."""

    item: Item
    pointer: Pointer
    message: str
    help: str


Rule: TypeAlias = rule.Rule[Objects, Finding]


def diagnose(one: Rule, objects: Objects) -> Iterable[Diagnostic]:
    """The breaches of a rule as diagnostics."""
    for item, pointer, message, remedy in one.check(objects):
        place, origin = pointer_text(pointer), item.manifest.origin
        yield Diagnostic(one.code, one.severity, message, remedy, origin, place, item.identity.ref)
