"""Every fleet rule is tested with its own examples."""

import ast
import inspect
import re
import sys
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Severity
from gitgpu.load.parse.lazy_source_map import LazySourceMap
from gitgpu.model.link import link
from gitgpu.registry import load, names
from gitgpu.rule import Rule
from gitgpu.rules import fleet as rules
from tests.rule_examples import by_subject, findings_never_made, named_examples, named_near_misses
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

each = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
each_bad = pytest.mark.parametrize(
    ("rule", "bad"),
    [pytest.param(rule, bad, id=name) for rule in RULES for name, bad in named_examples(rule)],
)
each_near_miss = pytest.mark.parametrize(
    ("rule", "text"),
    [pytest.param(rule, text, id=name) for rule in RULES for name, text in named_near_misses(rule)],
)
SETTLED = re.compile(r"https://github\.com/[^/]+/[^/]+/(blob/[0-9a-f]{40}/.+|issues/[0-9]+|pull/[0-9]+)\Z")
PAGES = ("https://learn.microsoft.com/", "https://docs.nvidia.com/", "https://karpenter.sh/", "https://kubernetes.io/")


@each_bad
def test_bad_example_is_found_and_causes_no_other_error(rule: Rule[Any, Any], bad: str) -> None:
    assert findings_in(rule, bad)
    errors = {finding.code for finding in findings(bad) if finding.severity is Severity.ERROR}
    assert errors <= {rule.code}


@each
def test_good_example_is_clean(rule: Rule[Any, Any]) -> None:
    assert not findings(rule.good), rendered(findings(rule.good), rule.good)


@each
def test_a_rule_that_reports_nothing_looks_up_no_place(rule: Rule[Any, Any]) -> None:
    """Reading the places of a fleet with PyYAML takes longer than reading its data with the quick reader."""
    documents = example_documents(rule.good, "places.yaml")
    places = [document.places for document in documents if isinstance(document.places, LazySourceMap)]
    inputs, _ = link(documents, CATALOG, day(rule.good))
    before = [bool(lazy.text_maps.maps) for lazy in places]
    assert places
    assert inputs
    assert not list(rule.check(inputs))
    assert [bool(lazy.text_maps.maps) for lazy in places] == before


@each_near_miss
def test_near_miss_is_not_reported(rule: Rule[Any, Any], text: str) -> None:
    assert not findings_in(rule, text)


@each_bad
def test_message(rule: Rule[Any, Any], bad: str, snapshot: SnapshotAssertion) -> None:
    assert rendered(findings_in(rule, bad), bad) == snapshot(extension_class=by_subject(rule))


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


@each
def test_the_examples_produce_every_finding(rule: Rule[Any, Any]) -> None:
    inputs = [inputs_of(bad) for bad in rule.bad_examples]
    assert not findings_never_made(rule, lambda: [list(rule.check(each)) for each in inputs])


@each_bad
def test_findings_have_a_remedy_and_a_place(rule: Rule[Any, Any], bad: str) -> None:
    for diagnostic in findings_in(rule, bad):
        assert diagnostic.help, "a finding says what to do"
        assert diagnostic.span.file == "fleet.yaml", "a finding is in the document that the author changes"
        for text in (diagnostic.message, diagnostic.help):
            assert "None" not in text
            assert "\n" not in text
            assert text == text.strip().rstrip(".")


@each
def test_rule_is_documented_with_public_and_settled_sources(rule: Rule[Any, Any]) -> None:
    module = sys.modules[rule.check.__module__]
    title = (ast.get_docstring(ast.parse(inspect.getsource(module))) or "").splitlines()[0]
    assert re.fullmatch(r"(?!.*\. ).+\.", title), "one sentence"
    assert re.fullmatch(r"(?!.*\. ).+\.", rule.summary), "one sentence"
    assert rule.help.endswith(".")
    assert module.__name__.rsplit(".", 1)[1] == rule.name.replace("-", "_")
    assert rule.sources
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
