"""Every object rule: its good example passes all rules, and its bad example breaks only this rule."""

import re
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Severity, in_order
from gitgpu.registry import load, names
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.rule import FAILED, AnyRule, Rule
from gitgpu.rules import objects as rules
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_findings import object_codes, object_findings
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each
from tests.rules.named_examples import (
    Subject,
    by_subject,
    findings_never_made,
    named_examples,
    named_near_misses,
    only,
    subjects,
)
from tests.rules.objects import large_examples
from tests.rules.objects.documents import mutants
from tests.rules.objects.samples import KUBERNETES, conformed, read, shared_norms

RULES = object_rules()
SUBJECTS = subjects(RULES)
each_subject = pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)


@each_subject
def test_good_examples_break_no_rule(subject: Subject) -> None:
    assert {rule.code: found for rule in subject if (found := conformed(rule.good))} == {}


@each_subject
def test_near_misses_are_not_reported(subject: Subject) -> None:
    for rule in subject:
        for name, text in named_near_misses(rule):
            found = {fault.code for fault in conformed(text)}
            assert found.isdisjoint({rule.code, "CNF001", "CNF002", FAILED}), name


@each_subject
def test_bad_examples_cause_no_other_error(subject: Subject) -> None:
    for rule in subject:
        for name, bad in named_examples(rule):
            diagnostics = conformed(bad)
            mine = [fault for fault in diagnostics if fault.code == rule.code]
            assert {fault.severity for fault in mine} == {rule.severity}, name
            assert all(fault.message and fault.help and fault.pointer and fault.object.kind for fault in mine), name
            errors = {fault.code for fault in diagnostics if fault.severity is Severity.ERROR}
            assert errors <= {rule.code}, name


@each_subject
def test_messages(subject: Subject, snapshot: SnapshotAssertion) -> None:
    messages = snapshot.use_extension(by_subject(subject[0]))
    for rule in subject:
        for name, bad in named_examples(rule):
            diagnostics = tuple(fault for fault in in_order(conformed(bad)) if fault.code == rule.code)
            shown = Findings(diagnostics, files=1, objects=1, sources={"objects.yaml": bad})
            assert render(shown, "text", Style()) == messages(name=name)


def test_what_other_rules_report_in_the_examples(snapshot: SnapshotAssertion) -> None:
    lines = []
    for rule in RULES:
        near = ((f"near miss {name}", text) for name, text in named_near_misses(rule))
        for name, text in (*named_examples(rule), *near):
            others = [fault for fault in in_order(conformed(text)) if fault.code != rule.code]
            lines += [
                f"{name}: {fault.code} {fault.object.kind} {fault.object.name}{fault.pointer}" for fault in others
            ]
    assert "\n".join(lines) == snapshot


@each_subject
def test_the_examples_produce_every_finding(subject: Subject) -> None:
    assert {rule.code: lines for rule in subject if (lines := findings_never_made(rule, partial(_run, rule)))} == {}


def _run(rule: AnyRule) -> None:
    norms = only(rule, shared_norms())
    for bad in (*rule.bad_examples, *large_examples.written(large_examples.BAD.get(rule.code, ()))):
        object_findings(read(bad), KUBERNETES, norms, closed=True)
        object_findings(read(bad), KUBERNETES, norms, closed=False)


@pytest.mark.parametrize("code", large_examples.BAD)
def test_an_object_that_is_slightly_too_large_is_reported(code: str) -> None:
    for bad in large_examples.written(large_examples.BAD[code]):
        assert {fault.code for fault in object_findings(read(bad), KUBERNETES, shared_norms())} == {code}
    for good in large_examples.written(large_examples.NEAR_MISSES[code]):
        assert not object_findings(read(good), KUBERNETES, shared_norms())


def test_every_rule_has_a_description() -> None:
    for rule in RULES:
        assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.code)
        assert rule.summary.endswith("."), rule.code
        assert rule.help.endswith("."), rule.code
        assert rule.sources, rule.code
        assert all(source.startswith("https://") for source in rule.sources), rule.code


def test_codes_and_names_are_unique_and_a_module_has_the_name_of_its_rule() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)
    for module in names(rules):
        assert load(rules, module, "RULE", Rule).name.replace("-", "_") == module.rpartition(".")[2]
    assert not {rule.code for rule in RULES} & {rule.code for rule in fleet_rules()}
    own = {"CNF001", "CNF002", "CNF010", "CNF016", "CNF018", "CNF019", "CNF023"}  # codes of conform itself
    assert not {rule.code for rule in RULES} & own
    assert object_codes() == {rule.code for rule in RULES} | own


NODE_POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  template:
    spec:
      nodeClassRef: {{group: {group}, kind: AKSNodeClass, name: {node_class}}}
      requirements: []
"""
CONFIG_MAP = """
apiVersion: v1
kind: ConfigMap
metadata: {{name: {name}, namespace: {namespace}, labels: {{{labels}}}, annotations: {{{annotations}}}}}
"""
KUSTOMIZATION = """
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}, namespace: flux-system}}
spec:
  interval: 1h
  prune: true
  sourceRef: {{kind: GitRepository, name: fleet}}
  dependsOn: {needs}
"""


def codes(text: str) -> list[str]:
    """The codes of all findings, sorted."""
    return sorted(fault.code for fault in conformed(text))


def config_map(name: str = "a", namespace: str = "b", labels: str = "", annotations: str = "") -> str:
    """A ConfigMap with this metadata."""
    return CONFIG_MAP.format(name=name, namespace=namespace, labels=labels, annotations=annotations)


METADATA = {
    "the longest name": (config_map(name="a." * 126 + "a"), []),
    "an empty part": (config_map(name="a..b"), ["CNF003"]),
    "a sign at the start": (config_map(name='"-a"'), ["CNF003"]),
    "a digit of another script": (config_map(name='"\u0663"'), ["CNF003"]),
    "a dotted namespace": (config_map(namespace="a.b"), ["CNF003"]),
    "two slashes": (config_map(labels="a/b/c: x"), ["CNF004"]),
    "no DNS prefix": (config_map(labels="A_b/c: x"), ["CNF004"]),
    "the longest label": (config_map(labels=f"{'k' * 63}: {'v' * 63}"), []),
    "a key too long": (config_map(labels=f"{'k' * 64}: x"), ["CNF004"]),
    "a value too long": (config_map(labels=f"k: {'v' * 64}"), ["CNF004"]),
    "a sign as value": (config_map(labels='k: "-"'), ["CNF004"]),
    "an annotation in capitals": (config_map(annotations="Example.COM/k: x"), []),
    "the largest annotation": (config_map(annotations=f"k: {'x' * 262_143}"), []),
    "an annotation too large": (config_map(annotations=f"k: {'x' * 262_144}"), ["CNF005"]),
    "too large in bytes": (config_map(annotations=f"k: {chr(0xE4) * 131_072}"), ["CNF005"]),
}


TEMPLATES = {
    "of a NodePool": NODE_POOL.format(name="a", group="karpenter.azure.com", node_class="default").replace(
        "  template:\n", "  template:\n    metadata: {annotations: {KEY: x}}\n"
    ),
    "of pods": """
apiVersion: apps/v1
kind: Deployment
metadata: {name: a, namespace: b}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}, annotations: {KEY: x}}
    spec: {containers: [{name: a, image: "a:1"}]}
""",
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_annotations_in_a_template(name: str) -> None:
    assert codes(TEMPLATES[name].replace("KEY", "gitgpu.dev/made-from")) == []
    assert codes(TEMPLATES[name].replace("KEY", '"made from"')) == ["CNF005"]


@for_each(("text", "expected"), METADATA.values(), ids=METADATA)
def test_names_labels_and_annotations(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_the_node_class_that_aks_creates_need_not_be_in_the_files() -> None:
    assert codes(NODE_POOL.format(name="a", group="karpenter.azure.com", node_class="default")) == []
    assert codes(NODE_POOL.format(name="a", group="karpenter.k8s.aws", node_class="default")) == ["CNF012"]


def test_a_node_class_with_a_fault_is_still_there() -> None:
    pool = NODE_POOL.format(name="a", group="karpenter.azure.com", node_class="gpu")
    broken = "---\napiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {name: gpu}\nspec: {x: 1}\n"
    assert codes(pool + broken) == ["CNF001"]


def test_a_cycle_is_reported_once_and_its_dependents_are_not() -> None:
    ring = [("a", "[{name: b}]"), ("b", "[{name: c}]"), ("c", "[{name: a}]"), ("d", "[{name: a}]")]
    text = "".join(KUSTOMIZATION.format(name=name, needs=needs) for name, needs in ring)
    (fault,) = conformed(text)
    assert (fault.code, fault.object.name, fault.message) == ("CNF015", "a", "circular dependency: a -> b -> c -> a")


@for_each(
    ("ref", "pinned"),
    [
        ("{tag: 2.20.2}", True),
        ("{tag: v26.7.0-ubuntu24.04}", True),
        ("{digest: sha256:ab, tag: latest}", True),
        ("{tag: latest}", False),
        ('{tag: "2.20"}', False),
        ("{semver: 2.x}", False),
        ("{}", False),
    ],
)
def test_which_references_count_as_pinned(ref: str, pinned: bool) -> None:
    text = f"""
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {{name: keda, namespace: keda}}
spec: {{interval: 1h, url: "oci://ghcr.io/kedacore/charts/keda", ref: {ref}}}
"""
    assert codes(text) == ([] if pinned else ["CNF014"])


EXAMPLES = [(rule.code, text) for rule in RULES for text in (rule.bad, rule.good)]


@for_each(
    ("code", "written", "odd"),
    [
        ("APL009", "  count: 1\n", "  count: 1\n  orchestratorVersion: newest\n"),
        ("APL090", '"1.33"', "newest"),
        ("APL100", '"1.30"', "newest"),
        ("DRV081", "[az, aks,", "[null, aks,"),
    ],
)
def test_a_text_that_is_neither_a_version_nor_a_word_is_not_compared(code: str, written: str, odd: str) -> None:
    [rule] = [rule for rule in RULES if rule.code == code]
    changed = rule.bad.replace(written, odd)
    assert changed != rule.bad
    assert object_findings(read(changed), "1.34", shared_norms(), closed=True) is not None


def test_a_null_subject_does_not_crash_the_rule() -> None:
    [rule] = [rule for rule in RULES if rule.code == "CNF022"]
    changed = rule.bad.replace("subjects:\n", "subjects:\n- null\n")
    assert changed != rule.bad
    assert FAILED not in {finding.code for finding in object_findings(read(changed), "1.34", shared_norms())}


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_changed_example_crashes_a_rule(data: st.DataObject) -> None:
    _, text = data.draw(st.sampled_from(EXAMPLES))
    objects = read(text)
    at = data.draw(st.integers(0, len(objects) - 1))
    body = data.draw(mutants(objects[at].body))
    if isinstance(body, dict):
        changed = [*objects[:at], objects[at]._replace(body=body), *objects[at + 1 :]]
        diagnostics = object_findings(changed, "1.34", shared_norms(), closed=data.draw(st.booleans()))
        assert all(fault.message and fault.help for fault in diagnostics)
        assert [fault for fault in diagnostics if fault.code == FAILED] == []
