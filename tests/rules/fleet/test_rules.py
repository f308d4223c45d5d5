"""Every fleet rule is tested with its own examples."""

import re
import sys
from functools import partial
from itertools import chain

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Severity
from gitgpu.load.parse.lazy_source_map import LazySourceMap
from gitgpu.model.link import link
from gitgpu.registry import load, names
from gitgpu.rule import AnyRule, Rule
from gitgpu.rules import fleet as rules
from tests.rules.fleet.examples import (
    CATALOG,
    RULES,
    day,
    example_documents,
    findings,
    findings_in,
    inputs_of,
    rendered,
)
from tests.rules.named_examples import (
    Subject,
    by_subject,
    findings_never_made,
    named_examples,
    named_near_misses,
    subjects,
)

SUBJECTS = subjects(RULES)
each_subject = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
SETTLED = re.compile(r"https://github\.com/[^/]+/[^/]+/(blob/[0-9a-f]{40}/.+|issues/[0-9]+|pull/[0-9]+)\Z")
PAGES = ("https://learn.microsoft.com/", "https://docs.nvidia.com/", "https://karpenter.sh/", "https://kubernetes.io/")


@each_subject
def test_bad_examples_are_found_and_cause_no_other_error(subject: Subject) -> None:
    for rule in subject:
        for name, bad in named_examples(rule):
            assert findings_in(rule, bad), name
            errors = {finding.code for finding in findings(bad) if finding.severity is Severity.ERROR}
            assert errors <= {rule.code}, name


@each_subject
def test_good_examples_are_clean(subject: Subject) -> None:
    for rule in subject:
        assert not findings(rule.good), rendered(findings(rule.good), rule.good)


@each_subject
def test_rules_that_report_nothing_look_up_no_place(subject: Subject) -> None:
    """Finding places takes longer than everything else that a rule does."""
    assert [rule.code for rule in subject if _looks_up_a_place(rule)] == []


def _looks_up_a_place(rule: AnyRule) -> bool:
    documents = example_documents(rule.good, "places.yaml")
    places = [document.places for document in documents if isinstance(document.places, LazySourceMap)]
    inputs, _ = link(documents, CATALOG, day(rule.good))
    before = [lazy.text_maps.left for lazy in places]
    assert places
    assert inputs
    assert not list(rule.check(inputs))
    return [lazy.text_maps.left for lazy in places] != before


@each_subject
def test_near_misses_are_not_reported(subject: Subject) -> None:
    near = ((rule, name, text) for rule in subject for name, text in named_near_misses(rule))
    assert [name for rule, name, text in near if findings_in(rule, text)] == []


@each_subject
def test_messages(subject: Subject, snapshot: SnapshotAssertion) -> None:
    messages = snapshot.use_extension(by_subject(subject[0]))
    for rule in subject:
        for name, bad in named_examples(rule):
            assert rendered(findings_in(rule, bad), bad) == messages(name=name)


def test_what_other_rules_report_in_the_examples(snapshot: SnapshotAssertion) -> None:
    lines = []
    for rule in RULES:
        near = ((f"near miss {name}", text) for name, text in named_near_misses(rule))
        for name, text in (*named_examples(rule), *near):
            others = [fault for fault in findings(text) if fault.code != rule.code]
            lines += [
                f"{name}: {fault.code} {fault.object.kind} {fault.object.name}{fault.pointer}" for fault in others
            ]
    assert "\n".join(lines) == snapshot


@each_subject
def test_the_examples_produce_every_finding(subject: Subject) -> None:
    assert {rule.code: lines for rule in subject if (lines := findings_never_made(rule, partial(_run, rule)))} == {}


def _run(rule: AnyRule) -> None:
    for bad in rule.bad_examples:
        list(rule.check(inputs_of(bad)))


@each_subject
def test_findings_have_a_remedy_and_a_place(subject: Subject) -> None:
    examples = ((rule, bad) for rule in subject for _, bad in named_examples(rule))
    for diagnostic in chain.from_iterable(findings_in(rule, bad) for rule, bad in examples):
        assert diagnostic.help, "a finding says what to do"
        assert diagnostic.span.file == "fleet.yaml", "a finding is in the document that the author changes"
        for text in (diagnostic.message, diagnostic.help):
            assert "None" not in text
            assert "\n" not in text
            assert text == text.strip().rstrip(".")


def test_rules_are_documented_with_public_and_settled_sources() -> None:
    for rule in RULES:
        module = sys.modules[rule.check.__module__]
        title = (module.__doc__ or "").splitlines()[0]
        assert re.fullmatch(r"(?!.*\. ).+\.", title), f"one sentence: {title}"
        assert re.fullmatch(r"(?!.*\. ).+\.", rule.summary), f"one sentence: {rule.summary}"
        assert rule.help.endswith("."), rule.code
        assert module.__name__.rsplit(".", 1)[1] == rule.name.replace("-", "_")
        assert rule.sources, rule.code
        for url in rule.sources:
            assert SETTLED.match(url) or url.startswith(PAGES), url


def test_codes_are_unique_and_sorted() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch(r"[A-Z]{3}[0-9]{3}", code) for code in codes)


def test_names_are_unique() -> None:
    rule_names = [rule.name for rule in RULES]
    assert len(set(rule_names)) == len(rule_names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in rule_names)


def test_a_module_is_named_like_its_rule() -> None:
    for module in names(rules):
        assert load(rules, module, "RULE", Rule).name.replace("-", "_") == module.rpartition(".")[2]
