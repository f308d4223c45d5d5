"""Which rules `gitgpu rule list` shows."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import click

from gitgpu.cli.output.refusal import nameless
from gitgpu.cli.parameters import Callback, as_field
from gitgpu.cli.rule.rules import ListedRule
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.model.symptoms import Symptom
from gitgpu.rule import AnyRule
from gitgpu.spelling import nearest

_SHORT = 3  # letters
_KIND = re.compile(r"^kind: *[\"']?(\w+)", re.MULTILINE)


class Selection(NamedTuple):
    """The words and options of `gitgpu rule list`. What is not given is None, "" or False."""

    query: str
    severity: str | None
    kind: str
    group: str
    fixable: bool

    def select(self, rules: Iterable[ListedRule], found: Iterable[Symptom]) -> list[ListedRule]:
        """The rules that have all of it. `found` are the symptoms in the query: it is about their rules too."""
        codes = {code for symptom in found for code in symptom.rules}
        return [listed for listed in rules if self._has(listed[0], is_named=listed[0].code in codes)]

    def unknown_fault(self, rules: Iterable[ListedRule]) -> Diagnostic | None:
        """The fault of a group or a kind that no rule has: a slip would look like a list without rules."""
        known = [rule for rule, _ in rules] if self.group or self.kind else []
        groups = {name for rule in known for name in (rule.code[:3].lower(), _folder(rule))} if self.group else set()
        kinds = {kind for rule in known for kind in _kinds(rule)} if self.kind else set()
        for option, name, names in (("group", self.group.lower(), groups), ("kind", self.kind.lower(), kinds)):
            if name and name not in names:
                closest = nearest(name, sorted(names))
                hint = f"did you mean {closest}?" if closest else "`gitgpu rule list WORDS` searches the rules"
                return nameless("CLI002", f"no rule has the {option} '{name}'", hint)
        return None

    def _has(self, rule: AnyRule, *, is_named: bool) -> bool:
        return (
            (not self.severity or rule.severity == self.severity)
            and (not self.fixable or rule.fixable)
            and (not self.group or self.group.lower() in (rule.code[:3].lower(), _folder(rule)))
            and (is_named or _is_about(rule, self.query))
            and (not self.kind or self.kind.lower() in _kinds(rule))
        )


def selection(function: Callback) -> Callback:
    """The arguments that select rules. Passed as `wanted`."""
    return as_field("wanted", _selection, _PARAMETERS)(function)


def _selection(text: tuple[str, ...], severity: str | None, kind: str, group: str, fixable: bool) -> Selection:
    return Selection(" ".join(text), severity, kind, group, fixable)


_PARAMETERS = (
    click.argument("text", nargs=-1),
    click.option(
        "--severity",
        type=click.Choice([each.value for each in Severity]),
        help="Only rules with this severity.",
    ),
    click.option(
        "--kind", metavar="KIND", default="", help="Only rules about this kind of object, such as ScaledObject."
    ),
    click.option("--group", metavar="GROUP", default="", help="Only rules of this group, such as KED or mig."),
    click.option("--fixable", is_flag=True, help="Only rules whose findings `--fix` can correct."),
)


def _is_about(rule: AnyRule, query: str) -> bool:
    """Whether a rule has all words of the query."""
    words = f"{rule.code} {rule.name} {rule.summary} {rule.help}".lower()
    return all(_has_word(words, word) for word in query.lower().split())


def _has_word(words: str, word: str) -> bool:
    """Whether a word occurs, or is the beginning of one that does; a short one only whole: mig is not migration."""
    end = r"(?![a-z0-9])" if len(word) <= _SHORT else ""
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}{end}", words) is not None


def _folder(rule: AnyRule) -> str:
    """The subject of a rule: the folder of its module, such as `keda`."""
    return rule.check.__module__.rsplit(".", 2)[1]


def _kinds(rule: AnyRule) -> set[str]:
    """The kinds in the bad examples of a rule, in lower case."""
    return {kind.lower() for text in rule.bad_examples for kind in _KIND.findall(text)}
