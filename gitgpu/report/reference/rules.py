"""Rules for people and for programs."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from gitgpu.examples import Example, Role
from gitgpu.model.symptoms import Symptom
from gitgpu.report.findings import Style
from gitgpu.report.table import table
from gitgpu.report.terminal import fit_lines
from gitgpu.rule import AnyRule


def facts(rule: AnyRule, looks_at: str, symptoms: Iterable[Symptom] = ()) -> dict[str, Any]:
    """A rule for the JSON report; `looks_at` is fleet or objects."""
    fields = rule._asdict()
    # The help says what a finding means for the object, and JSON has no functions.
    for key in ("check", "rejects", "never_ready", "of_running_nodes"):
        del fields[key]
    if not rule.twin:
        del fields["twin"]
    if not rule.facts:
        del fields["facts"]
    lists = {"sources": list(rule.sources), "replaces": list(rule.replaces)}
    examples = {"bad": rule.bad, "good": rule.good}
    looks = {"severity": rule.severity.value, "looksAt": looks_at, "module": _module(rule)}
    printed = [symptom.text for symptom in symptoms]
    return {**fields, **lists, **examples, **looks, **({"symptoms": printed} if printed else {})}


def listing(rules: Iterable[tuple[AnyRule, str]], style: Style) -> str:
    """A line for each rule."""
    rows = [(rule.code, rule.severity.value, looks_at, in_a_line(rule)) for rule, looks_at in rules]
    return table(("CODE", "SEVERITY", "LOOKS AT", "SUMMARY"), rows, style)


def in_a_line(rule: AnyRule) -> str:
    """What a rule reports, and the codes of rules that it replaces."""
    return " ".join(filter(None, (rule.summary, _replaced(rule))))


def _module(rule: AnyRule) -> str:
    """The path of its module in the repository."""
    return f"{rule.check.__module__.replace('.', '/')}.py"


def _replaced(rule: AnyRule) -> str:
    """A sentence with the codes of rules that this one replaces, or ""."""
    return f"Replaces {', '.join(rule.replaces)}." if rule.replaces else ""


def _twin(rule: AnyRule) -> str:
    """A sentence with the code of the rule that reports the same on the other side, or ""."""
    return f"{rule.twin} reports the same: one of the two reads a fleet, the other objects." if rule.twin else ""


class Shown(NamedTuple):
    """How the page of a rule is shown: with `every` example, and in how many columns; 0 breaks no line."""

    every: bool = False
    width: int = 0


_BRIEF = Shown()


def page(rule: AnyRule, looks_at: str, sees: str = "", symptoms: Iterable[Symptom] = (), how: Shown = _BRIEF) -> str:
    """The page of a rule in the terminal; `sees` says how much of a cluster the rule has to see.

    It has the first bad and the first good example, or all of them. Lines of examples are never broken.
    """
    shown = _shown(rule) if how.every else _first(rule)
    left = len(_shown(rule)) - len(shown)
    about = [rule.help, f"Needs to see: {sees}." if sees else "", _twin(rule), _replaced(rule)]
    printed = "\n".join(f"  {symptom.text}" for symptom in symptoms)
    head = [
        f"{rule.code} {rule.name} ({rule.severity.value}, looks at {looks_at})\n\n{rule.summary}",
        "\n".join(filter(None, about)),
        f"Symptoms:\n{printed}" if printed else "",
        f"Fix: {fix(rule)}",
    ]
    examples = [
        *(f"{fit_lines(_title(example), how.width, more=0)}\n\n{_indented(example.text)}" for example in shown),
        f"{left} more with --all." if left else "",
    ]
    end = [
        f"To suppress it, write at the end of the line: {suppression(rule)}",
        "Sources:\n" + "\n".join(f"  {source}" for source in rule.sources),
        f"Module: {_module(rule)}",
    ]
    first, last = (fit_lines("\n\n".join(filter(None, parts)), how.width, more=0) for parts in (head, end))
    return "\n\n".join(filter(None, (first, *examples, last))) + "\n"


def related_rules(rule: AnyRule) -> list[str]:
    """Sentences about other rules: the twin, and those that this one replaces."""
    return [sentence for sentence in (_twin(rule), _replaced(rule)) if sentence]


def fix(rule: AnyRule) -> str:
    """Whether `--fix` helps."""
    return "`--fix` corrects what is safe to correct." if rule.fixable else "Each finding says what to do."


def suppression(rule: AnyRule) -> str:
    """The comment that suppresses a finding of the rule."""
    return f"# gitgpu: ignore[{rule.code}] REASON"


def markdown(rule: AnyRule) -> str:
    """The page for documentation and for viewers of code scanning, which show the code and the name themselves."""
    sources = "".join(f"- <{source}>\n" for source in rule.sources)
    others = "".join(f"{line}\n\n" for line in related_rules(rule))
    examples = "".join(f"{_title(example)}\n\n```yaml\n{example.text}```\n\n" for example in _shown(rule))
    return f"{rule.severity.capitalize()}. {rule.summary}\n\n{rule.help}\n\n{others}{examples}Sources:\n\n{sources}"


def _shown(rule: AnyRule) -> list[Example]:
    """The examples on the page of a rule. Near misses are tests of the rule."""
    return [example for example in rule.examples if example.role is not Role.NEAR_MISS]


def _first(rule: AnyRule) -> list[Example]:
    """The first bad and the first good example."""
    shown = _shown(rule)
    roles = (next(each for each in shown if each.role.is_bad is bad) for bad in (True, False))
    return list(roles)


def _title(example: Example) -> str:
    return f"{'Bad' if example.role.is_bad else 'Good'}: {example.note}"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.strip("\n").splitlines())
