"""Which values in the bad examples decide what a rule about Kubernetes objects reports."""

from collections.abc import Iterator, Mapping, Sequence

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.objects.items import gather, item_of
from gitgpu.objects.objects import Given, Item
from gitgpu.rule import AnyRule
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.source import pointer_text
from tests.rules.example_changes import Change, Reported, changes, effects
from tests.rules.named_examples import Subject, bad_examples, by_subject, subjects
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

SUBJECTS = subjects(object_rules())


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_the_effect_of_each_value_on_findings(subject: Subject, snapshot: SnapshotAssertion) -> None:
    effects_of = snapshot.use_extension(by_subject(subject[0]))
    for rule in subject:
        assert "\n".join(_shown(rule)) == effects_of(name=rule.code)


def _shown(rule: AnyRule) -> Iterator[str]:
    for name, text in bad_examples(rule):
        given = read(text)
        items = [_item(manifest)[0] for manifest in given]
        alone, among_others = (_reported(rule, items, closed=closed) for closed in (True, False))
        yield f"{name}: {_effects(rule, given, items, alone)}"
        if among_others != alone:
            yield f"{name}, among other objects: {len(among_others)} reported"
            yield from (f"  {message}\n    {remedy}" for *_, message, remedy, _ in among_others)


def _effects(rule: AnyRule, given: Sequence[Given], items: Sequence[Item], before: Reported) -> str:
    return effects([manifest.body for manifest in given], before, _tried(rule, given, items))


def _tried(rule: AnyRule, given: Sequence[Given], items: Sequence[Item]) -> Iterator[tuple[Change, Reported]]:
    """Each change after which the objects still fit their schemas, with what the rule then reports."""
    for change in changes([manifest.body for manifest in given]):
        if not _may_fit(change.body):
            continue
        item, fits = _item(given[change.number]._replace(body=change.body))
        if fits:
            changed = [*items[: change.number], item, *items[change.number + 1 :]]
            yield change, _reported(rule, changed, closed=True)


def _may_fit(body: Mapping[str, object]) -> bool:
    """Whether the object fits the contract of its kind. Much cheaper than listing the violations."""
    contract = shared_norms().contracts.find(KUBERNETES, str(body["apiVersion"]), str(body["kind"]))
    return contract.whole({**body, "apiVersion": contract.api_version or body["apiVersion"]})


def _item(given: Given) -> tuple[Item, bool]:
    """An object as rules see it, and whether it fits its schema."""
    item, faults = item_of(given, KUBERNETES, shared_norms())
    return item, not faults


def _reported(rule: AnyRule, items: Sequence[Item], *, closed: bool) -> Reported:
    """The place, message, remedy and severity of each finding."""
    findings = rule.check(gather(items, KUBERNETES, shared_norms(), closed=closed))
    return [
        (*fault.item.ref, pointer_text(fault.pointer), fault.message, fault.help, str(fault.severity))
        for fault in findings
    ]
