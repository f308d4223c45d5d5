"""Rules: what is reported if a rule raises an exception, and comments that refer to other rules."""

import re
from pathlib import Path

import pytest

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.report.reference.faults import faults
from gitgpu.rule import AnyRule, Rule, failure
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.schedule.excluded_sizes import Terms, why_left_out
from gitgpu.source import Span

RULE: AnyRule = Rule("ABC001", "name", Severity.ERROR, "summary", "help", (), lambda _: ())


def raised(by_us: bool) -> Exception:
    """An error that was raised in a gitgpu module or in this one."""
    try:
        why_left_out(None, Terms()) if by_us else int("here")  # type: ignore[arg-type]
    except (AttributeError, ValueError) as error:
        return error
    raise AssertionError


def test_a_rule_that_raises_is_reported_with_the_line_that_raised() -> None:
    span, ref = Span("a.yaml", 3, 1), ObjectRef("NodePool", "", "t4")
    diagnostic = failure(RULE, raised(by_us=True), span, ref)
    where = "schedule/excluded_sizes.py:"
    message = f"rule ABC001 failed here: AttributeError: 'NoneType' object has no attribute 'arch' ({where}"
    assert diagnostic.message.startswith(message)
    line = diagnostic.message.removeprefix(message).removesuffix(")")
    assert line.isdigit()
    help_ = "this is a bug in gitgpu: report it with the object; all other rules were checked"
    assert diagnostic._replace(message="") == Diagnostic("INT001", Severity.ERROR, "", help_, span, "", ref)


@pytest.mark.parametrize("error", [ValueError("x"), raised(by_us=False)])
def test_a_failure_without_a_place(error: Exception) -> None:
    diagnostic = failure(RULE, error)
    assert (diagnostic.span, diagnostic.object, diagnostic.severity) == (Span(""), ObjectRef(), Severity.ERROR)
    assert diagnostic.message.startswith(f"rule ABC001 failed here: ValueError: {error} (")


def test_an_error_that_was_never_raised_has_no_line() -> None:
    without_place = failure(RULE, ValueError("x"))
    assert without_place.message == "rule ABC001 failed here: ValueError: x ()"
    assert without_place.span == Span(""), "as for other findings that are in no file"


def test_codes_in_comments_are_those_of_rules_and_faults() -> None:
    rules: list[AnyRule] = [*fleet_rules(), *object_rules()]
    codes = {rule.code for rule in rules} | {fault.code for fault in faults()}
    named: dict[str, Path] = {}
    for path in (Path(__file__).parents[1] / "gitgpu").rglob("*.py"):
        for comment in re.findall(r"# (?!noqa)([^\"\n]+)", path.read_text(encoding="utf-8")):
            named |= dict.fromkeys(re.findall(r"\b[A-Z]{3}[0-9]{3}\b", comment), path)
    assert len(named) > 40
    assert {code: path for code, path in named.items() if code not in codes} == {}, "the other rule has another code"
