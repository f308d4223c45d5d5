"""Which values in the bad examples decide what a fleet rule reports."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.spec.shape import Document, document_faults, kind_schema
from gitgpu.load.validate.compiler import compile_schema
from gitgpu.model.link import link
from gitgpu.rule import AnyRule
from gitgpu.source import pointer_text
from tests.rules.example_changes import Change, Reported, changes, effects
from tests.rules.fleet.examples import CATALOG, RULES, day, example_documents
from tests.rules.named_examples import Subject, bad_examples, by_subject, subjects

SUBJECTS = subjects(RULES)


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_the_effect_of_each_value_on_findings(subject: Subject, snapshot: SnapshotAssertion) -> None:
    effects_of = snapshot.use_extension(by_subject(subject[0]))
    for rule in subject:
        assert "\n".join(_shown(rule)) == effects_of(name=rule.code)


def _shown(rule: AnyRule) -> Iterator[str]:
    for name, text in bad_examples(rule):
        documents = example_documents(text)
        before = _reported(rule, documents, day(text))
        assert before is not None
        bodies = [document.data for document in documents]
        yield f"{name}: {effects(bodies, before, _tried(rule, documents, day(text)))}"


def _tried(rule: AnyRule, documents: Sequence[Document], today: str) -> Iterator[tuple[Change, Reported]]:
    """Each change of the example after which the documents still fit their schema and link, with the findings."""
    own = [document.data for document in documents if document.places.span().file == "fleet.yaml"]  # they come first
    for change in changes(own):
        document = documents[change.number]._replace(data=change.body)
        if _fits(document.kind)(change.body) and not document_faults(change.body):
            changed = [*documents[: change.number], document, *documents[change.number + 1 :]]
            reported = _reported(rule, changed, today)
            if reported is not None:
                yield change, reported


@cache
def _fits(kind: str) -> Callable[[object], bool]:
    """Whether a document fits its schema. Much cheaper than listing the violations."""
    return compile_schema(kind_schema(kind))


def _reported(rule: AnyRule, documents: Sequence[Document], today: str) -> Reported | None:
    """The place, message and remedy of each finding; None if the documents do not link."""
    inputs, faults = link(documents, CATALOG, today)
    if inputs is None or faults:
        return None
    findings = rule.check(inputs)
    return [(*fault.origin.ref, pointer_text(fault.pointer), fault.message, fault.help) for fault in findings]
