"""Every remedy leads to a clean result: fixes are applied, and instructions are followed."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
import yaml

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.edit import apply_edits
from gitgpu.load.parse.yaml import parse
from gitgpu.load.spec.shape import KINDS, kind_schema, shape
from gitgpu.load.text import Text
from gitgpu.load.validate.compiler import Resolve, Schema, local_references
from gitgpu.model.link import link
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.source import Pointer
from tests.helping.following import Documents, Place, Step, alternatives, outcomes
from tests.rules.fleet.examples import BASE, CATALOG, CLOCK, RULES
from tests.rules.named_examples import Subject, subjects
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

OBJECT_RULES = object_rules()


def of_fleet(text: str) -> list[Diagnostic]:
    """The findings in a fleet, with faults of shape and of links; kinds that are omitted come from the base."""
    documents, faults = shape([Text("fleet.yaml", text, "fleet.yaml")])
    for kind in BASE.keys() - {document.kind for document in documents}:
        documents += shape([Text("base.yaml", BASE[kind], "base.yaml")])[0]
    first = text.partition("\n")[0]
    inputs, unlinked = link(documents, CATALOG, first.removeprefix(CLOCK) if first.startswith(CLOCK) else "")
    return [*faults, *unlinked, *(fleet_findings(inputs) if inputs else ())]


def of_objects(text: str) -> list[Diagnostic]:
    """The findings in objects that are a whole cluster."""
    _, faults = parse(Text("objects.yaml", text, "objects.yaml"))
    return faults or object_findings(read(text), KUBERNETES, shared_norms())


def judge(text: str, rule: AnyRule) -> list[Diagnostic]:
    """The findings in an example of a rule, about a fleet or about objects."""
    return of_objects(text) if rule in OBJECT_RULES else of_fleet(text)


def whole(text: str, rule: AnyRule) -> str:
    """An example with the documents of the base that it omits, because a remedy may be about them."""
    if rule in OBJECT_RULES:
        return text
    own = {document.kind for document in shape([Text("fleet.yaml", text, "fleet.yaml")])[0]}
    return "---\n".join([text, *(BASE[kind] for kind in BASE if kind not in own)])


def schemas(body: Any) -> tuple[Schema, Resolve] | None:
    """The schema of a document, and a function that resolves its references."""
    kind = body["kind"]
    if kind in KINDS:
        return kind_schema(kind), local_references(kind_schema(kind))
    contract = shared_norms().contracts.find("1.34", body["apiVersion"], kind)
    return (contract.schema, contract.full.resolve or local_references(contract.schema)) if contract.schema else None


def place(diagnostic: Diagnostic, documents: Documents) -> Place:
    """The document of a finding, and the path in it."""
    names = [(body["kind"], (body.get("metadata") or {}).get("name", "")) for body in documents]
    wanted = (diagnostic.object.kind, diagnostic.object.name)
    index = names.index(wanted) if wanted in names else 0
    return Place(index, _path(documents[index], diagnostic.pointer))


def _path(value: Any, pointer: str) -> Pointer:
    path: list[str | int] = []
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            path.append(int(name))
            value = value[int(name)] if int(name) < len(value) else None
        else:
            path.append(name)
            value = value.get(name) if isinstance(value, dict) else None
    return tuple(path)


def dumped(documents: Documents, text: str) -> str:
    """The documents as text, after the line with the date of the example, if there is one."""
    first = text.partition("\n")[0] + "\n" if text.startswith(CLOCK) else ""
    texts = (yaml.dump(body, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True) for body in documents)
    return first + "---\n".join(texts)


def mended(code: str, before: list[Diagnostic], after: list[Diagnostic]) -> bool:
    """Whether a finding with this code is gone, and there is no error with a new code."""
    errors = {finding.code for finding in before if finding.severity is Severity.ERROR}
    new = {finding.code for finding in after if finding.severity is Severity.ERROR} - errors
    count = [sum(finding.code == code for finding in diagnostics) for diagnostics in (before, after)]
    return count[1] < count[0] and not new


MOST = 60  # limit on the readings of an alternative that are tried
ALL: tuple[AnyRule, ...] = (*RULES, *OBJECT_RULES)
LEAST = 290  # alternatives that can be followed here; people read the others
BY_HAND = {
    "RSC008": "two values at once; each could be in many places",
    "GIT024": "it goes out of a text, and the Secret has a name of its own",
    "QUE026": "each limit is a key of its own, in several places",
    "APL001": "a name is to be thought of",
    "APL007": "the first words say how a taint is written; an example is next to them",
    "APL012": "the count is to be thought of",
    "AGP025": "the count is to be thought of",
    "PRT005": "the count is to be thought of",
    "PRT006": "the count is to be thought of",
    "WIN001": "the count is to be thought of",
    "KED001": "which of the two is to go is for people to say",
    "POD092": "the value goes into the node affinity of the pod, next to another one",
    "REG006": "the row of the catalog is another file",
    "KTO004": "the Secret has a name of its own",
    "SCH021": "a name is to be thought of",
    "SCL006": "the identity has an ID of its own",
    "SCL061": "the identity has an ID of its own",
    "SHR060": "it goes into a text inside a ConfigMap",
    "SHR061": "the operator is not among the documents",
    "SHR092": "it goes into a text inside a ConfigMap",
    "SHR090": "it goes into a text inside a ConfigMap",
    "STK006": "the AKSNodeClass is not among the documents",
    "DRA009": "the cluster has no pool of NVIDIA GPUs to write it on",
}
SUBJECTS = {f"fleet-{name}": rules for name, rules in subjects(RULES).items()}
SUBJECTS |= {f"objects-{name}": rules for name, rules in subjects(OBJECT_RULES).items()}
each_subject = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)


@cache
def reported(rule: AnyRule) -> tuple[str, list[Diagnostic]]:
    """The bad example of a rule, completed, and its findings."""
    text = whole(rule.bad, rule)
    return text, judge(text, rule)


def ways(rule: AnyRule) -> Iterator[tuple[Diagnostic, list[str]]]:
    """The alternatives in the remedies of a rule that can be followed here."""
    for finding in reported(rule)[1]:
        if finding.code == rule.code:
            yield from ((finding, steps) for steps in alternatives(finding.help))


@each_subject
def test_following_a_remedy_leads_to_a_clean_result(subject: Subject) -> None:
    for rule in subject:
        if rule.code not in BY_HAND:
            _follow(rule)


def _follow(rule: AnyRule) -> None:
    text, before = reported(rule)
    documents = [parsed.data for parsed in parse(Text("x", text, "x"))[0] if parsed.data]
    for diagnostic, steps in ways(rule):
        changes = outcomes(steps, Step("", documents, place(diagnostic, documents), schemas))
        tried = (judge(dumped(after, text), rule) for after in islice(changes, MOST) if after != documents)
        assert any(mended(rule.code, before, after) for after in tried), f"{rule.code}: {steps} of: {diagnostic.help}"


@each_subject
def test_fixes_lead_to_a_clean_result_in_a_finite_number_of_rounds(subject: Subject) -> None:
    for rule in subject:
        _fix(rule)


@each_subject
def test_a_rule_says_whether_fix_corrects_its_findings(subject: Subject) -> None:
    """`gitgpu rule list --fixable` and the page of the rule rest on it."""
    for rule in subject:
        fixed = any(
            finding.edit
            for text in rule.bad_examples
            for finding in judge(whole(text, rule), rule)
            if finding.code == rule.code
        )
        assert fixed is rule.fixable, rule.code


def _fix(rule: AnyRule) -> None:
    text, before = reported(rule)
    for diagnostic in before:
        if diagnostic.edit:
            after = judge(apply_edits(text, [diagnostic.edit])[0], rule)
            assert mended(diagnostic.code, before, after), diagnostic.help
    seen, left = set[str](), before
    while text not in seen:
        seen.add(text)
        text, done = apply_edits(text, [diagnostic.edit for diagnostic in left if diagnostic.edit])
        if not done:
            return
        left = judge(text, rule)
    pytest.fail(f"{rule.code}: one repair undoes another")


def test_many_remedies_are_followed() -> None:
    followed = [way for rule in ALL if rule.code not in BY_HAND for way in ways(rule)]
    assert len(followed) >= LEAST
    assert {str(rule.code) for rule in ALL} >= BY_HAND.keys()
