"""If a rule raises an exception, only its findings at that object are lost."""

from collections.abc import Iterator
from dataclasses import replace

from gitgpu.cli.output.outcome import exit_code
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.objects import Objects
from gitgpu.report.findings import Findings
from gitgpu.rule import FAILED
from gitgpu.rules.fleet_rule import diagnose as diagnose_fleet
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rule import Finding, Rule
from tests.rules.objects.samples import read, shared_norms

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {{name: {}}}\n"
TEXT = "---\n".join(NAMESPACE.format(name) for name in ("a", "b", "c"))


def diagnostics(rule: Rule, text: str = TEXT) -> list[Diagnostic]:
    """The findings of this rule alone."""
    return object_findings(read(text), "1.34", replace(shared_norms(), rules=lambda _: (rule,)))


def rule(check: object) -> Rule:
    """A rule with this check."""
    return Rule("XXX001", "x", Severity.WARNING, "x", "x", (), check)  # type: ignore[arg-type]


def _fails_at_b(objects: Objects) -> Iterator[Finding]:
    for item in objects.of("", "Namespace"):
        if item.identity.name == "b":
            raise KeyError("nodes")
        yield Finding(item, ("metadata", "name"), "wrong", "fix it")


def _fails_with_three(objects: Objects) -> Iterator[Finding]:
    yield from ()
    if len(objects.items) == 3:
        raise ValueError("three")


def test_the_object_at_which_a_rule_fails_is_named_and_the_others_are_checked() -> None:
    reported = [(finding.code, finding.object.name, finding.span.line) for finding in diagnostics(rule(_fails_at_b))]
    assert sorted(reported) == [(FAILED, "b", 5), ("XXX001", "a", 3), ("XXX001", "c", 11)]
    (failed,) = [finding for finding in diagnostics(rule(_fails_at_b)) if finding.code == FAILED]
    assert failed.severity is Severity.ERROR
    assert "rule XXX001 failed here: KeyError: 'nodes' (" in failed.message
    assert "test_failures.py:" in failed.message


def test_a_rule_that_fails_for_several_objects_together_is_reported_once() -> None:
    assert [(finding.code, finding.object.name) for finding in diagnostics(rule(_fails_with_three))] == [(FAILED, "")]


def test_a_fleet_rule_that_fails_is_reported() -> None:
    (failed,) = diagnose_fleet(rule(_fails_with_three), None)  # type: ignore[arg-type]
    assert (failed.code, failed.severity) == (FAILED, Severity.ERROR)


def test_a_run_in_which_a_rule_failed_is_not_complete() -> None:
    reported = Findings(tuple(diagnostics(rule(_fails_at_b))), 1, 3)
    assert [exit_code(reported, fail_on) for fail_on in ("error", "never")] == [2, 2]
