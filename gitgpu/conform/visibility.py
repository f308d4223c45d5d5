"""How much of a cluster a rule has to see to report something, determined with its own bad example."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from gitgpu.conform import Norms, item_of
from gitgpu.conform.objects import Given, Item, Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.schema.contract import Scope
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text

WRITTEN_FOR = "1.34"  # the Kubernetes version that the examples of rules are written for


class Visibility(StrEnum):
    """From the least to the most: a single object, other objects of the cluster, and that there are no more objects."""

    OBJECT = "object"
    CLUSTER = "cluster"
    WHOLE = "whole-cluster"


_WORDS = {
    Visibility.OBJECT: "one object",
    Visibility.CLUSTER: "the objects of the cluster",
    Visibility.WHOLE: "the whole cluster (`--whole-cluster`)",
}


def needed_visibility(rule: Rule, norms: Norms, minor: str = WRITTEN_FOR) -> tuple[Visibility, ...]:
    """What the findings in the bad example need, the least first; several if the findings of a rule differ."""
    items: list[Item] = []
    for given in _given(rule.bad):
        item, _ = item_of(given, minor, norms)
        if item.scope is not Scope.FILE:
            items.append(item)
    facts = norms, minor
    seen = {_least(finding, items, rule, facts) for finding in _run(rule, items, facts, closed=True)}
    return tuple(visibility for visibility in Visibility if visibility in seen)


def visibility_text(needed: Sequence[Visibility]) -> str:
    """The same as text."""
    first, *more = (_WORDS[visibility] for visibility in needed)
    return f"{first}; for more findings {', and '.join(more)}" if more else first


def _given(text: str) -> Iterator[Given]:
    documents, _ = parse(Text("bad.yaml", text, "bad.yaml"))
    return (Given(document.data, document.places) for document in documents if document.data)


def _least(finding: Finding, items: Sequence[Item], rule: Rule, facts: tuple[Norms, str]) -> Visibility:
    alone = _places(_run(rule, (finding.item,), facts, closed=False))
    if _place(finding) in alone:
        return Visibility.OBJECT
    together = _places(_run(rule, items, facts, closed=False))
    return Visibility.CLUSTER if _place(finding) in together else Visibility.WHOLE


def _run(rule: Rule, items: Sequence[Item], facts: tuple[Norms, str], *, closed: bool) -> list[Finding]:
    norms, minor = facts
    sound = tuple(item for item in items if item.sound)
    present = frozenset(item.identity for item in items)
    catalog = (norms.catalog, norms.kinds, minor, norms.today)
    return list(rule.check(Objects(sound, present, *catalog, closed, run_cache=norms.run_cache)))


def _place(finding: Finding) -> tuple[object, ...]:
    return (finding.item.identity, finding.pointer)


def _places(findings: Iterable[Finding]) -> set[tuple[object, ...]]:
    return {_place(finding) for finding in findings}
