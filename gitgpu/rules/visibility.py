"""How much of a cluster a rule has to see to report something, determined with its own bad example."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.items import item_of
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Item, Objects
from gitgpu.objects.schema.contract import Scope
from gitgpu.rules.object_rule import Finding, Rule

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


class _Trial(NamedTuple):
    """A rule, and what its examples are checked against."""

    rule: Rule
    norms: Norms
    minor: str


def needed_visibility(rule: Rule, norms: Norms, minor: str = WRITTEN_FOR) -> tuple[Visibility, ...]:
    """What the findings in the bad example need, the least first; several if the findings of a rule differ."""
    items: list[Item] = []
    for given in _given(rule.bad):
        item, _ = item_of(given, minor, norms)
        if item.scope is not Scope.FILE:
            items.append(item)
    trial = _Trial(rule, norms, minor)
    seen = {_minimum(finding, items, trial) for finding in _run(trial, items, closed=True)}
    return tuple(visibility for visibility in Visibility if visibility in seen)


def visibility_text(needed: Sequence[Visibility]) -> str:
    """What the findings of a rule need, as text."""
    first, *more = (_WORDS[visibility] for visibility in needed)
    return f"{first}; for more findings {', and '.join(more)}" if more else first


def _given(text: str) -> Iterator[Given]:
    documents, _ = parse(Text("bad.yaml", text, "bad.yaml"))
    return (Given(document.data, document.places) for document in documents if document.data)


def _minimum(finding: Finding, items: Sequence[Item], trial: _Trial) -> Visibility:
    """The least that the rule has to see to report the finding."""
    alone = _places(_run(trial, (finding.item,), closed=False))
    if _place(finding) in alone:
        return Visibility.OBJECT
    together = _places(_run(trial, items, closed=False))
    return Visibility.CLUSTER if _place(finding) in together else Visibility.WHOLE


def _run(trial: _Trial, items: Sequence[Item], *, closed: bool) -> list[Finding]:
    norms = trial.norms
    objects = Objects(
        items=tuple(item for item in items if item.sound),
        present=frozenset(item.identity for item in items),
        catalog=norms.catalog,
        kinds=norms.kinds,
        kubernetes=trial.minor,
        today=norms.today,
        closed=closed,
        run_cache=norms.run_cache,
    )
    return list(trial.rule.check(objects))


def _place(finding: Finding) -> tuple[object, ...]:
    return (finding.item.identity, finding.pointer)


def _places(findings: Iterable[Finding]) -> set[tuple[object, ...]]:
    return {_place(finding) for finding in findings}
