"""The page of each rule: what it finds, why, what gitgpu prints, the fix, examples, and where it is used."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.examples import Example, Role
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.model.symptoms import Symptom, symptoms
from gitgpu.report.reference.rules import fix, related_rules, suppression
from tests.test_remedies import judge, whole

DOCS = Path(__file__).parents[1] / "docs"
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def rule_text(rule: Any, sees: str) -> str:
    """The page of a rule. `sees` says how much of a cluster it has to see; "" for a rule about the fleet."""
    looks = f"It looks at objects, and needs to see {sees}." if sees else "It looks at the fleet."
    parts = [
        f"# {rule.code} {rule.name}",
        f"{rule.severity.capitalize()}. {looks}",
        f"## What it finds\n\n{rule.summary}",
        f"## Why\n\n{rule.help}",
        _symptoms(rule.code),
        f"## What gitgpu prints\n\n```text\n{_printed(rule)}\n```",
        f"## Fix\n\n{fix(rule)}",
        *_examples(rule),
        f"## How to suppress it\n\nWrite `{suppression(rule)}` at the end of the line.",
        _see_also(rule),
        "## Sources\n\n" + "\n".join(f"- <{source}>" for source in rule.sources),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _printed(rule: Any) -> str:
    """The findings of a rule in its first bad example, without their places."""
    found = [finding for finding in judge(whole(rule.bad, rule), rule) if finding.code == rule.code]
    return "\n".join(dict.fromkeys(map(_message, found)))


def _message(finding: Diagnostic) -> str:
    return f"{finding.severity.value}[{finding.code}] {finding.message}\n  = help: {finding.help}"


def _examples(rule: Any) -> Iterator[str]:
    """The bad examples, then the good one; each with what differs in it."""
    shown = [example for example in rule.examples if example.role is not Role.NEAR_MISS]
    for title, bad in (("Bad", True), ("Good", False)):
        for example in shown:
            if example.role.is_bad is bad:
                yield f"## {title}: {_heading(example)}\n\n```yaml\n{example.text}```"


def _heading(example: Example) -> str:
    return example.note.rstrip(".")


def _see_also(rule: Any) -> str:
    """The rule on the other side, the rules that it replaces, and the pages that name it."""
    lines = [
        *(f"- {sentence}" for sentence in related_rules(rule)),
        *(f"- [{title}](../../{path})" for title, path in _pages().get(rule.code, ())),
    ]
    return "## See also\n\n" + "\n".join(lines) if lines else ""


@cache
def _pages() -> dict[str, list[tuple[str, str]]]:
    """The title and the path of each how-to page by the codes that it names."""
    found: dict[str, list[tuple[str, str]]] = {}
    for path in sorted((DOCS / "how-to").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        title = _TITLE.search(text)
        for code in sorted({*re.findall(r"\b[A-Z]{3}[0-9]{3}\b", text)}):
            found.setdefault(code, []).append((title[1] if title else path.stem, f"how-to/{path.name}"))
    return found


def _symptoms(code: str) -> str:
    """The error messages that the rule explains."""
    lines = [
        f"- [`{symptom.text}`](../../troubleshooting.md#{symptom.name})" for symptom in known() if code in symptom.rules
    ]
    return "## Symptoms\n\n" + "\n".join(lines) if lines else ""


@cache
def known() -> tuple[Symptom, ...]:
    """The symptoms of the catalog."""
    facts: Catalog = catalog(())
    return tuple(symptoms(facts))
