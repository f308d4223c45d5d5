"""Rules for people and for programs."""

from collections.abc import Iterable
from typing import Any

from gitgpu.report.findings import Style
from gitgpu.report.table import table
from gitgpu.rule import Rule

AnyRule = Rule[Any, Any]


def facts(rule: AnyRule, looks_at: str) -> dict[str, Any]:
    """A rule as the JSON report tells it; `looks_at` is fleet or objects."""
    told = rule._asdict()
    del told["check"]
    return {**told, "severity": rule.severity.value, "sources": list(rule.sources), "looksAt": looks_at}


def listing(rules: Iterable[tuple[AnyRule, str]], style: Style) -> str:
    """A line a rule."""
    rows = [(rule.code, rule.severity.value, looks_at, rule.summary) for rule, looks_at in rules]
    return table(("CODE", "SEVERITY", "LOOKS AT", "SUMMARY"), rows, style)


def page(rule: AnyRule, looks_at: str) -> str:
    """All that a rule says of itself."""
    parts = [
        f"{rule.code} {rule.name} ({rule.severity.value}, looks at {looks_at})\n\n{rule.summary}\n{rule.help}",
        f"Bad:\n\n{_indented(rule.bad)}",
        f"Good:\n\n{_indented(rule.good)}",
        "Sources:\n" + "\n".join(f"  {source}" for source in rule.sources),
    ]
    return "\n\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.strip("\n").splitlines())
