"""Rules for people and for programs."""

from collections.abc import Iterable
from typing import Any

from gitgpu.report.findings import Style
from gitgpu.report.table import table
from gitgpu.rule import AnyRule


def facts(rule: AnyRule, looks_at: str) -> dict[str, Any]:
    """A rule as the JSON report tells it; `looks_at` is fleet or objects."""
    told = rule._asdict()
    del told["check"], told["variants"]
    return {**told, "severity": rule.severity.value, "sources": list(rule.sources), "looksAt": looks_at}


def listing(rules: Iterable[tuple[AnyRule, str]], style: Style) -> str:
    """A line a rule."""
    rows = [(rule.code, rule.severity.value, looks_at, rule.summary) for rule, looks_at in rules]
    return table(("CODE", "SEVERITY", "LOOKS AT", "SUMMARY"), rows, style)


def page(rule: AnyRule, looks_at: str, sees: str = "") -> str:
    """All that a rule says of itself, and how much of a cluster it has to see."""
    needed = f"\nNeeds to see: {sees}." if sees else ""
    parts = [
        f"{rule.code} {rule.name} ({rule.severity.value}, looks at {looks_at})\n\n{rule.summary}\n{rule.help}{needed}",
        *(f"Bad:\n\n{_indented(bad)}" for bad in rule.bad_examples),
        f"Good:\n\n{_indented(rule.good)}",
        "Sources:\n" + "\n".join(f"  {source}" for source in rule.sources),
    ]
    return "\n\n".join(parts) + "\n"


def markdown(rule: AnyRule) -> str:
    """The same for pages and for viewers of code scanning, which show the code and the name themselves."""
    sources = "".join(f"- <{source}>\n" for source in rule.sources)
    bad = "".join(f"```yaml\n{example.strip()}\n```\n\n" for example in rule.bad_examples)
    return (
        f"{rule.severity.capitalize()}. {rule.summary}\n\n{rule.help}\n\n"
        f"Bad:\n\n{bad}Good:\n\n```yaml\n{rule.good.strip()}\n```\n\n"
        f"Sources:\n\n{sources}"
    )


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.strip("\n").splitlines())
