"""The work of every rule grows linearly with the number of objects. Executed lines are counted, not seconds."""

from typing import Any

import pytest

from gitgpu.objects.objects import Objects
from gitgpu.rule import AnyRule, Rule
from gitgpu.rules.object_rule import Finding
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each
from tests.helping.work import lines
from tests.rules.named_examples import Subject, subjects
from tests.rules.objects.copies import copied

FEW, MANY = 10, 100
MOST = 12  # limit on the factor for ten times the objects
RULES = object_rules()
# These compare daemons with pools: the work grows with the product of both numbers, but not with the square of either.
DAEMONS = {"POD036", "SHR080", "STK001", "STK002", "STK005", "STK031", "STK091"}
# Missing names, each compared with up to 500 names; Kustomizations of one folder, where each applies all others;
# flavors, each compared with all pools.
PAIRS = {"CNF015", "GIT013", "GIT014", "GIT017", "QUE023"}

# The example has so many objects that ten are little more than one copy of it.
LONG = {"QUE025"}

SUBJECTS = subjects(rule for rule in RULES if rule.code not in DAEMONS | PAIRS)


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_ten_times_the_objects_take_at_most_twelve_times_the_work(subject: Subject) -> None:
    for rule in subject:
        for text in (rule.bad, rule.good):
            _check_growth(rule, text)


def _check_growth(rule: AnyRule, text: str) -> None:
    list(rule.check(copied(text, 2)))  # what is computed once from the catalog
    small, large = (2 * FEW, 2 * MANY) if rule.code in LONG else (FEW, MANY)
    few, found_in_few = _work(rule, text, small)
    many, found_in_many = _work(rule, text, large)
    growth = (large + found_in_many) / (small + found_in_few) / (large / small)  # what is reported has to be written
    assert many <= MOST * few * max(1, growth), f"{rule.code}: {few} lines for {small} objects, {many} for {large}"


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.code in DAEMONS], ids=lambda rule: rule.name)
def test_ten_times_the_objects_of_one_kind_take_at_most_twelve_times_the_work(rule: Rule[Any, Any]) -> None:
    for text in (rule.bad, rule.good):
        list(rule.check(copied(text, 2)))  # what is computed once from the catalog
        for kind in {item.identity.kind for item in copied(text, 1).items}:
            few, found_in_few = _work(rule, text, FEW, kind)
            many, found_in_many = _work(rule, text, MANY, kind)
            growth = (MANY + found_in_many) / (FEW + found_in_few) / (MANY / FEW)  # what is reported has to be written
            most = MOST * few * max(1, growth)
            assert many <= most, f"{rule.code}: {few} lines for {FEW} {kind}s, {many} for {MANY}"


def test_many_exporters_on_one_pool_are_reported_once_each() -> None:
    (rule,) = (rule for rule in RULES if rule.code == "STK002")
    pool, exporter = rule.bad.split("---\n")[0], rule.bad.split("---\n")[-1]

    def of(number: int) -> Objects:
        named = (exporter.replace("name: dcgm-exporter,", f"name: exporter-{at},") for at in range(number))
        return copied("---\n".join([pool.replace("name: gpu}", "name: default}"), *named]), 1)

    findings: list[Finding] = []
    few, many = of(FEW), of(MANY)
    work = lines(lambda: findings.extend(rule.check(few)))
    assert lines(lambda: findings.extend(rule.check(many))) <= MOST * work
    assert len(findings) == FEW - 1 + MANY - 1


@for_each(
    ("selectors", "expected"),
    [
        (["{a: x}", "{a: w}", "{b: x}"], []),
        (["{a: x}", "{a: x, b: w}", "{a: x, b: z}"], [("1", "0"), ("2", "0")]),
        (["{a: x, b: w}", "{a: x, b: z}", "{a: x}"], [("2", "0")]),
        (["{a: x}", "{}", "{b: w}", "{}"], [("1", "0"), ("2", "1"), ("3", "0")]),
    ],
)
def test_an_nvidiadriver_is_reported_once(selectors: list[str], expected: list[tuple[str, str]]) -> None:
    (rule,) = (rule for rule in RULES if rule.code == "STK016")
    text = "".join(
        f"---\napiVersion: nvidia.com/v1alpha1\nkind: NVIDIADriver\nmetadata: {{name: '{at}'}}\n"
        f"spec: {{driverType: gpu, version: 595.91.07, nodeSelector: {selector}}}\n"
        for at, selector in enumerate(selectors)
    )
    reported = [(finding.item.identity.name, finding.message.split()[1]) for finding in rule.check(copied(text, 1))]
    assert reported == expected


def _work(rule: Rule[Any, Any], text: str, number: int, kind: str = "") -> tuple[int, int]:
    objects = copied(text, number, kind)
    findings: list[Any] = []
    return lines(lambda: findings.extend(rule.check(objects))), len(findings)


SERVICE = (
    "apiVersion: v1\nkind: Service\nmetadata: {name: NAME, labels: {a: b}}\nspec: {ports: [{name: web, port: 80}]}\n"
)
MONITOR = (
    "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: NAME}\n"
    "spec: {selector: {matchLabels: {a: b}}, endpoints: [{port: web}]}\n"
)
BUDGET = (
    "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: NAME}\n"
    "spec: {maxUnavailable: 0, selector: {matchLabels: {a: b}}}\n"
)
DEPLOYMENT = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME}\nspec:\n  selector: {matchLabels: {a: b}}\n"
    "  template:\n    metadata: {labels: {a: b}}\n"
    "    spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]}\n"
)


@pytest.mark.parametrize(
    ("code", "texts", "found"), [("MON005", (SERVICE, MONITOR), 0), ("POD017", (DEPLOYMENT, BUDGET), 1)]
)
def test_many_selectors_that_select_many_objects(code: str, texts: tuple[str, ...], found: int) -> None:
    """Every selector selects every object, so that comparing all pairs would take a hundred times the work."""
    (rule,) = (rule for rule in RULES if rule.code == code)

    def of(number: int) -> Objects:
        return copied("---\n".join(text.replace("NAME", f"a{at}") for text in texts for at in range(number)), 1)

    few, many = of(FEW), of(MANY)
    work = lines(lambda: list(rule.check(few)))
    assert lines(lambda: list(rule.check(many))) <= MOST * work
    assert len(list(rule.check(many))) == found * MANY
