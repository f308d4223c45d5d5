"""The SARIF report: required members, stable identities, and the limits of code scanning."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.report.formats import sarif
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.source import Span


def run(findings: Findings) -> Any:
    """The only run in the log."""
    log = json.loads(render(findings, "sarif", Style()))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    assert log["$schema"].endswith("/sarif-schema-2.1.0.json")
    return log["runs"][0]


def marks(*faults: Diagnostic) -> list[str]:
    """The fingerprints of some faults."""
    return [each["partialFingerprints"]["gitgpuIdentity/v1"] for each in run(Findings(faults, 1, 1))["results"]]


def fault(line: int = 1, name: str = "a", file: str = "a.yaml", message: str = "m") -> Diagnostic:
    """A fault of a named pool."""
    return Diagnostic("A1", Severity.ERROR, message, "", Span(file, line, 1), "/spec", ObjectRef("GpuPool", "", name))


def test_every_result_has_the_members_that_sarif_requires(tricky: Findings) -> None:
    """Every result has a rule, a message, a level, a place and a fingerprint."""
    reported = run(tricky)
    rules = [rule["id"] for rule in reported["tool"]["driver"]["rules"]]
    assert rules == sorted({each.code for each in tricky.diagnostics})
    assert reported["results"]
    for result in reported["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        assert result["message"]["text"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert min(region["startLine"], region["startColumn"]) >= 1


def test_rules_have_texts(tricky: Findings) -> None:
    """A rule has a reason, examples and sources; another code has itself as text, because an empty text is rejected."""
    rules = {rule["id"]: rule for rule in run(tricky)["tool"]["driver"]["rules"]}
    reported, meant = rules["SKU004"], tricky.rules()["SKU004"]
    assert (reported["name"], reported["shortDescription"]["text"]) == (meant.name, meant.summary)
    assert reported["fullDescription"]["text"] == f"{meant.summary} {meant.help}"
    assert all(text in reported["help"]["markdown"] for text in (meant.help, meant.bad, meant.good, *meant.sources))
    assert rules["YAM001"]["help"]["text"] == "YAM001"
    diagnostic = Diagnostic("SHP001", Severity.ERROR, "no", "", Span("a.yaml", 1, 1))
    (reported,) = run(tricky._replace(diagnostics=(diagnostic,)))["tool"]["driver"]["rules"]
    assert reported["shortDescription"]["text"].startswith("Not a mapping with `apiVersion`")
    assert reported["help"]["text"] == "Start with `apiVersion: gitgpu.dev/v1alpha1`."


def test_descriptions_are_short_enough_for_github() -> None:
    """GitHub accepts at most 1,024 characters."""
    rules: list[AnyRule] = [*fleet_rules(), *object_rules()]
    assert max(len(f"{rule.summary} {rule.help}") for rule in rules) <= 1024


def test_paths_are_uris(tricky: Findings) -> None:
    """Relative to the root, percent-encoded, and the root itself for a finding without a file."""
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"] for each in run(tricky)["results"]]
    assert all(each["uriBaseId"] == "%SRCROOT%" and each["uri"].isascii() for each in places)
    assert {unquote(each["uri"]) for each in places} == {each.span.file or "." for each in tricky.diagnostics}
    [absolute] = run(Findings((fault(file="/srv/a b.yaml"),), 1, 1))["results"]
    assert absolute["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///srv/a%20b.yaml"}


def test_a_fingerprint_does_not_change_when_an_object_is_moved() -> None:
    """The fingerprint depends on the object, and not on the line, the file or the message."""
    assert marks(fault(line=1)) == marks(fault(line=9)) == marks(fault(file="b.yaml")) == marks(fault(message="n"))
    assert marks(fault(name="a")) != marks(fault(name="b"))


def test_equal_fingerprints_are_numbered() -> None:
    """Two faults of one value stay two alerts."""
    first, second = marks(fault(message="m"), fault(message="n"))
    assert first.removesuffix(":1") == second.removesuffix(":2")


def test_without_an_object_the_file_decides() -> None:
    """Two broken files are two alerts, in whatever order they are reported."""
    first, second = fault(name="", file="a.yaml"), fault(name="", file="b.yaml")
    assert set(marks(first, second)) == set(marks(second, first))
    assert len(set(marks(first, second))) == 2


def test_too_many_results_are_capped_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """GitHub rejects more than 25,000 results. The least severe are dropped, and the log shows how many."""
    assert sarif._MAX_RESULTS == 25_000
    monkeypatch.setattr(sarif, "_MAX_RESULTS", 250)  # the real number of results takes 200 MB
    mild = tuple(fault(line)._replace(severity=Severity.INFO) for line in range(250))
    reported = run(Findings((*mild, fault()), 1, 1))
    assert len(reported["results"]) == 250
    assert reported["results"][0]["level"] == "error"
    [note] = reported["invocations"][0]["toolExecutionNotifications"]
    assert (note["level"], note["message"]["text"]) == ("warning", "1 less severe results omitted.")


def test_quoted_text_is_not_a_link(tricky: Findings) -> None:
    """`[e](f)` in a document does not become a link in an alert."""
    assert not any("](" in each["message"]["text"] for each in run(tricky)["results"])


def test_a_rule_names_the_codes_that_it_has_taken_over(tricky: Findings) -> None:
    """So code scanning keeps alerts that were dismissed with the old code."""
    former = tricky.rules()["SKU004"]._replace(replaces=("SKU998", "SKU999"))
    rules = {
        rule["id"]: rule for rule in run(tricky._replace(rules=lambda: {"SKU004": former}))["tool"]["driver"]["rules"]
    }
    assert rules["SKU004"]["deprecatedIds"] == ["SKU998", "SKU999"]
    assert "Replaces SKU998, SKU999." in rules["SKU004"]["help"]["markdown"]
    assert "deprecatedIds" not in run(tricky)["tool"]["driver"]["rules"][0]


def test_every_rule_leads_to_its_page(tricky: Findings) -> None:
    """Viewers link a code to the page of its rule, or to the page of codes without a rule."""
    root = Path(__file__).parents[3]
    rules: list[AnyRule] = [*fleet_rules(), *object_rules()]
    faulty = [
        Diagnostic(code, Severity.ERROR, "m", "", Span("a", 1, 1)) for code in (*(r.code for r in rules), "SHP001")
    ]
    known = {rule.code: rule for rule in rules}
    driver = run(tricky._replace(diagnostics=tuple(faulty), rules=lambda: known))["tool"]["driver"]
    assert driver["informationUri"] == "https://gitgpu.dev"
    pages = {rule["id"]: rule["helpUri"].removeprefix(f"{driver['informationUri']}/") for rule in driver["rules"]}
    assert len(pages) == len(faulty)
    assert pages["SHP001"] == "docs/reference/faults.md"
    missing = [page for page in pages.values() if not (root / page).is_file()]
    assert missing == []
    assert all(code in pages[code] for code in known)
