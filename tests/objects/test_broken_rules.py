"""Objects that violate CEL rules of upstream's CRDs."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.schemas import Schemas
from gitgpu.objects.schema.cel import Engine
from gitgpu.objects.schema.cel_rules import DOCUMENT, rule_variants
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.objects.schema.crd import custom
from gitgpu.objects.schema.rules_of_schema import RULES, Rules
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.lint.test_lint import linted
from tests.rules.objects.samples import shared_norms, somewhere
from tools.contract_rules import rule_id, texts, told

EXAMPLES = yaml.load(Path(__file__).with_suffix("").with_name("broken_rules.yaml").read_text("utf-8"), yaml.CSafeLoader)
CONTRACTS = Contracts(Schemas())
LONG = {"kind": "AKSNodeClass", "rules": ["50a579d3e4", "4abeda93ac"], "spec": {"tags": {"a" * 513: "b" * 257}}}
BROKEN = [*EXAMPLES["broken"], LONG]


def body(example: Mapping[str, Any]) -> dict[str, Any]:
    """The object of the base of a kind with the changes of an example."""
    base, kind = EXAMPLES["bases"][example["kind"]], example["kind"]
    start = {"kind": kind, "metadata": {"name": "a"}}
    if CONTRACTS.find("1.34", base["apiVersion"], kind).scope == "Namespaced":
        start["metadata"]["namespace"] = "a"
    changes = {key: example[key] for key in ("metadata", "spec") if key in example}
    return merged(merged(start, base), changes)  # type: ignore[no-any-return]


def merged(value: Any, change: Any) -> Any:
    """A value with a change, as a merge patch."""
    if not (isinstance(value, dict) and isinstance(change, dict)):
        return copy.deepcopy(change)
    kept = {key: item for key, item in value.items() if key not in change}
    return kept | {key: merged(value.get(key), item) for key, item in change.items() if item is not None}


def violated(example: Mapping[str, Any]) -> set[str]:
    """The names of the rules that an object violates in one release or another."""
    obj, engine = body(example), Engine()
    found: set[str] = set()
    for variant in rule_variants(Schemas(), name_of(example["kind"])):
        found |= {rule_id(rule["rule"]) for _, rule in Rules(variant.schema, engine).judge(obj).broken}
    assert not engine.left
    return found


def name_of(kind: str) -> str:
    """The name of a contract."""
    return f"{EXAMPLES['bases'][kind]['apiVersion'].rpartition('/')[0]}_{kind.lower()}"


def findings(example: Mapping[str, Any], *, engine: bool = True, **versions: Sequence[str]) -> list[Diagnostic]:
    """What is reported about an example on a cluster with these releases, with or without the extra."""
    known = tuple((project, tuple(numbers)) for project, numbers in versions.items())
    norms = replace(shared_norms(), versions=known, today="2026-11-29", own_engine=Engine())
    with pytest.MonkeyPatch.context() as patch:
        if not engine:
            patch.setattr("gitgpu.objects.schema.cel.PACKAGE", "no_such_package")
        return object_findings(somewhere(body(example)), "1.34", norms, closed=False)


LABELS = [f"{example['kind']}-{example['rules'][0]}-{at}" for at, example in enumerate(BROKEN)]
needs_engine = pytest.mark.skipif(Engine().missing, reason="cel-expr-python is not installed")


@needs_engine
@for_each("kind", EXAMPLES["bases"])
def test_a_good_object_violates_no_rule(kind: str) -> None:
    assert violated({"kind": kind}) == set()
    assert [finding.code for finding in findings({"kind": kind}) if finding.code in ("CNF018", "CNF023")] == []


@needs_engine
@for_each("example", BROKEN, ids=LABELS)
def test_each_rule_is_evaluated(example: dict[str, Any]) -> None:
    assert violated(example) == set(example["rules"]) - set(example.get("but", ()))


@needs_engine
def test_there_is_an_object_for_each_rule_of_each_kind() -> None:
    tried = {(example["kind"], rule) for example in BROKEN for rule in violated(example)}
    document = Schemas().contract(DOCUMENT) or {}
    names = {name_of(kind): kind for kind in EXAMPLES["bases"]}
    assert set(names) == {name for name in document if name[0] != "$"}
    for name, kind in names.items():
        variants = rule_variants(Schemas(), name)
        rules = frozenset[str]().union(*(texts(variant.schema) for variant in variants))
        assert {rule_id(rule) for rule in rules} == {rule for tried_kind, rule in tried if tried_kind == kind}


@needs_engine
@for_each("example", BROKEN, ids=LABELS)
def test_each_violation_is_reported_once(example: dict[str, Any]) -> None:
    """By a rule that says the same, or else by a finding about the CEL rule."""
    found = findings(example, **example.get("versions", {}))
    codes = {finding.code for finding in found}
    said = {code for name in example["rules"] for code in told()[name].get("codes", ())}
    by_engine = codes & {"CNF018", "CNF023"}
    assert codes & said or by_engine
    silent = [name for name in example["rules"] if not told()[name].get("codes")]
    assert bool(silent) <= bool(by_engine)
    reported = [(finding.pointer, finding.message) for finding in found if finding.code in by_engine]
    assert len(reported) == len(set(reported))


@for_each("example", BROKEN, ids=LABELS)
def test_without_the_engine_rules_report_what_they_say_too(example: dict[str, Any]) -> None:
    """The rules are about some of the kinds with a CEL rule: in `silent` examples, they report nothing."""
    codes = {finding.code for finding in findings(example, engine=False, **example.get("versions", {}))}
    said = {code for name in example["rules"] for code in told()[name].get("codes", ())}
    assert "CNF018" not in codes
    assert bool(codes & said) is (bool(said) and not example.get("silent"))


def test_every_rule_is_said_in_our_words_and_no_other() -> None:
    names = {rule_id(rule["rule"]) for rule in all_rules(Schemas().contract(DOCUMENT))}
    assert names == set(told())


def all_rules(value: Any) -> list[dict[str, Any]]:
    """All rules in the document."""
    if isinstance(value, list):
        return [rule for item in value for rule in all_rules(item)]
    if not isinstance(value, dict):
        return []
    below = [rule for item in value.values() for rule in all_rules(item)]
    return below + list(value.get(RULES) or ())


@needs_engine
def test_a_rule_of_some_releases_is_a_warning_and_one_of_all_is_an_error() -> None:
    example = {"kind": "NodeClaim", "spec": {"requirements": [{"key": "kubernetes.io/a", "operator": "Exists"}]}}
    assert findings(example, karpenter=["1.14.0"]) == []
    [finding] = findings(example, karpenter=["1.7.2"])
    message = "of the domain kubernetes.io, only well-known labels are allowed; accepted only as of Karpenter 1.9"
    assert (finding.code, finding.severity, finding.message) == ("CNF018", Severity.ERROR, message)
    assert (finding.pointer, finding.object.name) == ("/spec/requirements/0/key", "a")
    [finding] = findings(example, karpenter=["1.7.2", "1.14.0"])
    assert (finding.code, finding.severity, finding.message) == ("CNF023", Severity.WARNING, message)


WITHOUT_KIND = {
    "kind": "NodeClaim",
    "spec": {"nodeClassRef": {"group": "karpenter.azure.com", "kind": "", "name": "a"}},
}


@needs_engine
def test_a_rule_of_all_releases_names_the_newest_one() -> None:
    [finding] = findings(WITHOUT_KIND)
    assert (finding.code, finding.severity) == ("CNF018", Severity.ERROR)
    assert finding.message == "must not be empty (CRD of Karpenter 1.15.0)"


@needs_engine
def test_each_release_refuses_the_object_for_its_structure_or_for_a_rule() -> None:
    requirements = [
        {"key": "a", "operator": "Gte", "values": ["1"]},
        {"key": "kubernetes.azure.com/a", "operator": "Exists"},
    ]
    example = {"kind": "NodeClaim", "spec": {"requirements": requirements}}
    found = findings(example, karpenter=["1.7.2", "1.14.0"])
    assert [(finding.code, finding.pointer) for finding in found] == [
        ("CNF023", "/spec/requirements/0/operator"),
        ("CNF018", "/spec/requirements/1/key"),
    ]
    assert found[1].severity is Severity.ERROR


@needs_engine
def test_the_crds_of_the_cluster_decide_alone() -> None:
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    names = {"kind": "NodeClaim", "plural": "nodeclaims"}
    version = {"name": "v1", "served": True, "schema": {"openAPIV3Schema": schema}}
    crd = {"spec": {"group": "karpenter.sh", "names": names, "scope": "Cluster", "versions": [version]}}
    norms = replace(shared_norms(), custom=custom([crd], {"type": "object"}), run_cache={})
    example = body(WITHOUT_KIND)
    assert object_findings(somewhere(example), "1.34", norms, closed=False) == []


def test_a_rule_about_an_unknown_value_is_not_evaluated() -> None:
    text = """
apiVersion: nvidia.com/v1alpha1
kind: GPUCluster
metadata: {name: "${NAME}"}
spec: {draDriver: {}}
"""
    assert [finding for finding in linted({"a.yaml": text}).diagnostics if finding.code == "CNF018"] == []
