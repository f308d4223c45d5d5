"""What an object rule is: one way in which an object that fits its schema is still refused or never works."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gitgpu.conform.objects import Item, Objects
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.source import Pointer, pointer_text


class Finding(NamedTuple):
    """One breach: the object, the value inside it, what is wrong and what to do."""

    item: Item
    pointer: Pointer
    message: str
    help: str


class Rule(NamedTuple):
    """A rule is named for what it forbids. `bad` and `good` are Kubernetes objects; they are its tests and its page.

    `code` is permanent. `help` says why the rule is there; `sources` are the links that prove it.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    help: str
    sources: tuple[str, ...]
    check: Callable[[Objects], Iterable[Finding]]
    bad: str
    good: str


def diagnose(rule: Rule, objects: Objects) -> Iterable[Diagnostic]:
    """The breaches of a rule as diagnostics."""
    for item, pointer, message, remedy in rule.check(objects):
        place, origin = pointer_text(pointer), item.manifest.origin
        yield Diagnostic(rule.code, rule.severity, message, remedy, origin, place, item.identity.ref)
