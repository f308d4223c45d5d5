"""Objects that violate a CEL rule of the CRD of their kind, in the releases that a cluster may run.

The API server evaluates the rules of an object only if its structure is valid, and so does this. Without the extra
`cel`, nothing is evaluated. Rules that compare with the older object are left to the API server.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.load.explain.fault import Fault
from gitgpu.load.null_fields import without_null
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Identity, Item
from gitgpu.objects.schema.cel_rules import CODES, rule_variants
from gitgpu.objects.schema.contract import Contract, api_group
from gitgpu.objects.schema.crd import rule_text
from gitgpu.objects.schema.release_list import ReleaseList
from gitgpu.objects.schema.rules_of_schema import Rules
from gitgpu.objects.validation.contract_check import refusal_finding, releases_in_question
from gitgpu.objects.validation.refusals import Meant, Refusal
from gitgpu.objects.validation.violations import BROKEN_RULE, MISFIT
from gitgpu.source import Pointer, pointer_text

# The rules that an object violates in a release, with the places of the values; None if the release refuses it anyway.
Verdict: TypeAlias = Sequence[tuple[Pointer, dict[str, Any]]] | None
_REMEDY = "change the object so that it meets this rule"
_REMEMBERED = 8  # variants of an object that are remembered, as in `items`


class _Kind(NamedTuple):
    """What the objects of a kind must match: the structure, the rules by release, and the releases of its project.

    `since` has the release in which each of `rules` begins. `meant` are the releases that may run, and `used` the
    indexes of their rules.
    """

    contract: Contract
    since: tuple[str, ...]
    rules: tuple[Rules, ...]
    releases: ReleaseList
    meant: Meant
    used: frozenset[int]


class Violation(NamedTuple):
    """A finding about a violated CEL rule, the place of the value, and the codes of rules that report the same."""

    finding: Diagnostic
    place: str
    codes: Sequence[str]


def violated_rules(items: Iterable[Item], minor: str, norms: Norms) -> Iterator[Violation]:
    """The violated CEL rules of these objects."""
    for item in items:
        kind = None if item.is_patch else _kind(item, minor, norms)
        if kind and not _is_known_to_fit(item, minor, norms):
            yield from _violations(item, kind, minor, norms)


def new_findings(violations: Iterable[Violation], reported: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings about violated rules, but for those whose fault a finding in `reported` is about."""
    by_object: dict[ObjectRef, list[Diagnostic]] = {}
    for finding in reported:
        by_object.setdefault(finding.object, []).append(finding)
    for violation in violations:
        if not _is_reported(violation, by_object.get(violation.finding.object, ())):
            yield violation.finding


def _kind(item: Item, minor: str, norms: Norms) -> _Kind | None:
    """What is known about the kind of an object; None if it has no rules, or if a CRD of the cluster has them.

    It is remembered, because many objects may be of the kind.
    """
    api_version = str(item.body.get("apiVersion", ""))
    key = ("rules", minor, norms.versions, norms.today or norms.day, api_version, item.identity.kind)
    if key not in norms.run_cache:
        norms.run_cache[key] = _find_kind(item.identity, api_version, minor, norms)
    known: _Kind | None = norms.run_cache[key]
    return known


def _find_kind(name: Identity, api_version: str, minor: str, norms: Norms) -> _Kind | None:
    if any(kind == name.kind and api_group(version) == name.group for version, kind in norms.custom):
        return None
    variants = rule_variants(norms.contracts.source, f"{name.group}_{name.kind.lower()}")
    contract = norms.contracts.find(minor, api_version, name.kind) if variants else None
    if contract is None or api_version != contract.api_version:
        return None
    releases, meant = norms.contracts.releases(contract.project), releases_in_question(contract.project, norms)
    since = tuple(variant.since for variant in variants)
    used = frozenset(releases.range_of(number, since) for number in meant.running & releases.since(since[0]))
    rules: list[Rules] = []
    for variant in variants:
        rules.append(Rules(variant.schema, norms.own_engine, rules[-1] if rules else None))
    return _Kind(contract, since, tuple(rules), releases, meant, used)


def _is_known_to_fit(item: Item, minor: str, norms: Norms) -> bool:
    """Whether the same object of our own was judged before. Clusters repeat objects, and few have findings."""
    if not norms.ours:
        return False
    key = ("violated rules", minor, norms.versions, item.identity)
    bodies: list[Any] = norms.run_cache.setdefault(key, [])
    if any(body is item.body for body in bodies):
        return True
    bodies[_REMEMBERED:] = []
    bodies.insert(0, item.body)
    return False


def _violations(item: Item, kind: _Kind, minor: str, norms: Norms) -> Iterator[Violation]:
    """The violated rules of an object, those of the newest release first."""
    verdict = _judge(item.body, kind)
    if not verdict:
        return
    running, possible = kind.meant
    certain = all(verdict(number) != () for number in possible)
    seen: set[Pointer] = set()
    newest_first = [number for number in list(kind.releases.dates)[::-1] if number in running]
    for number in newest_first:
        broken = [(pointer, rule) for pointer, rule in verdict(number) or () if pointer not in seen]
        for pointer, rule in broken:
            accepting = [(other, _accepts(verdict(other), pointer)) for other in kind.releases.dates]
            always = not any(accepts for other, accepts in accepting if other in possible)
            accepted = kind.releases.ranges(accepting)
            text = rule_text(rule) if accepted else f"{rule_text(rule)} (CRD of {kind.releases.name} {number})"
            refusal = Refusal(Fault(pointer, text, _REMEDY), accepted, always, certain)
            finding = refusal_finding(refusal, item, kind.contract, minor, norms)
            if finding.code == MISFIT:
                finding = finding._replace(code=BROKEN_RULE)
            yield Violation(finding, pointer_text(pointer), rule.get(CODES, ()))
        seen.update(pointer for pointer, _ in broken)


def _is_reported(violation: Violation, findings: Iterable[Diagnostic]) -> bool:
    """Whether a finding of a rule that reports the same is about the value at a place, or a part of it."""
    same = (finding for finding in findings if finding.code in violation.codes)
    return any(f"{finding.pointer}/".startswith(f"{violation.place}/") for finding in same)


def _accepts(verdict: Verdict, pointer: Pointer) -> bool:
    return verdict is not None and all(place != pointer for place, _ in verdict)


def _judge(written: Mapping[str, Any], kind: _Kind) -> Callable[[str], Verdict] | None:
    """A function that returns the verdict of a release on an object; None if it violates no rule that may apply."""
    contract, releases = kind.contract, kind.releases
    body = without_null(written)
    if not any(kind.rules[at].judge(body).broken for at in sorted(kind.used)):  # most objects
        return None
    fits_everywhere, having = contract.fits_everywhere(body), releases.since(kind.since[0])

    @cache
    def fits(at: int) -> bool:
        return contract.variants[at].whole(body)

    def verdict(number: str) -> Verdict:
        starts = [variant.since for variant in contract.variants]
        if number not in having:
            return None
        if not fits_everywhere and not (starts and fits(releases.range_of(number, starts))):
            return None
        return kind.rules[releases.range_of(number, kind.since)].judge(body).broken

    return cache(verdict)
