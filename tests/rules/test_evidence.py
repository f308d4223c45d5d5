"""Findings that rest on the catalog say so when its facts are old."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.catalog import Catalog
from gitgpu.model.dates import evidence_day
from gitgpu.model.evidence import with_age
from gitgpu.objects.objects import Objects
from gitgpu.rule import AnyRule
from gitgpu.rules import fleet_rule, object_rule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each
from tests.rules.fleet.examples import CATALOG, inputs_of
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

LATER = "2099-01-01"  # every fact is old then
NOTE = "(a fact of "
DAY, OF_SIZE = (evidence_day(CATALOG.must(*name)) for name in (("triggers", "keda"), ("skus", "Standard_NC4as_T4_v3")))

# Rules that read the catalog, and whose message does not rest on it.
FLEET = {
    "the spec contradicts itself": "PRT005 SCL013 SCL022 SCL025 SCL027 SCL063 SCL080 KTO015 SCH013 TEA004 TEA017 "
    "QUE021",
    "the message has the date": "SKU016",
}
OBJECTS = {
    "only to find nodes, pods and devices": "APL096 APL111 GIT014 KED006 NPL016 POD013 POD016 POD036 POD092 POD096 "
    "STK101",
    "the objects contradict each other": "APL011 POD001 POD002 POD003 POD004 POD043 QUE023",
}


@contextmanager
def recorded(reads: set[str]) -> Iterator[None]:
    """Collects the kinds of rows that are read meanwhile."""
    facts, sku = Catalog.facts, Catalog.sku

    def read_facts(self: Catalog, kind: str, name: str) -> Any:
        reads.add(kind)
        return facts(self, kind, name)

    def read_sku(self: Catalog, name: str) -> Any:
        reads.add("skus")
        return sku(self, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Catalog, "facts", read_facts)
        patch.setattr(Catalog, "sku", read_sku)
        yield


def test_findings_of_a_fleet_that_rest_on_the_catalog_have_an_age() -> None:
    without = set()
    for rule in fleet_rules():
        for text in rule.bad_examples:
            reads = set[str]()
            inputs = inputs_of(text)._replace(today=LATER)
            with recorded(reads):
                found = list(rule.check(inputs))
            ages = [NOTE in finding.message for finding in fleet_rule.diagnose(rule, inputs)]
            without |= {rule.code} if found and reads and not all(ages) else set()
    assert without == {code for codes in FLEET.values() for code in codes.split()}


def test_findings_of_objects_that_rest_on_the_catalog_have_an_age(monkeypatch: pytest.MonkeyPatch) -> None:
    without = set[str]()
    breaches = object_rule.breaches

    def checked(rule: object_rule.Rule, objects: Objects) -> list[Diagnostic]:
        reads = set[str]()
        with recorded(reads):
            list(rule.check(objects))
        diagnostics = breaches(rule, objects)
        if reads and not all(NOTE in each.message for each in diagnostics):
            without.add(rule.code)
        return diagnostics

    monkeypatch.setattr(object_rule, "breaches", checked)
    for rule in object_rules():
        for text in rule.bad_examples:
            list(object_findings(read(text), KUBERNETES, replace(shared_norms(), today=LATER)))
    assert without == {code for codes in OBJECTS.values() for code in codes.split()}


@for_each(
    ("facts", "message", "today", "expected"),
    [
        (("triggers/keda",), "it fails", "", ""),
        (("triggers/keda",), "it fails", DAY, ""),
        (("triggers/keda",), "it fails", LATER, DAY),
        (("skus",), "Standard_NC4as_T4_v3, a size, fails", LATER, OF_SIZE),
        (("skus",), "Standard_NC4as_T4, a size, fails", LATER, ""),
        (("skus", "triggers/keda"), "Standard_NC4as_T4_v3.", LATER, min(DAY, OF_SIZE)),
        (("kaito/*",), "it fails", LATER, max(map(evidence_day, CATALOG.rows("kaito").values()))),
    ],
)
def test_the_date_is_that_of_the_oldest_fact(facts: tuple[str, ...], message: str, today: str, expected: str) -> None:
    told = with_age(message, None, facts, CATALOG, today)
    assert told == (f"{message} {NOTE}{expected})" if expected else message)


def test_a_row_counts_too_and_every_name_of_a_rule_is_one() -> None:
    row = {"asOf": "2020-01-01", "verified": "2026-11-01"}
    assert with_age("it fails", row, ("triggers/keda",), CATALOG, LATER).endswith("(a fact of 2020-01-01)")
    every: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())
    for rule in every:
        for name in rule.facts:
            kind, _, of_kind = name.partition("/")
            assert of_kind in ("", "*", *CATALOG.names(kind)), rule.code
            assert CATALOG.names(kind), rule.code
