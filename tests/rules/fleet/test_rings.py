"""For every rule: a finding about a value that a ring or the Fleet sets for its clusters points to that value."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import yaml

from gitgpu.diagnostic import Diagnostic
from gitgpu.rule import Rule
from tests.rules.fleet.examples import CLOCK, RULES, example_documents, findings_in
from tests.rules.named_examples import named_examples

STACK = "/spec/stack/"


def moved(text: str, *, ring: bool) -> str:
    """An example with the stack of its first Cluster moved to the Fleet."""
    documents = deepcopy([document.data for document in example_documents(text)])  # examples are shared
    fleet = next(each for each in documents if each["kind"] == "Fleet")
    cluster = next(each for each in documents if each["kind"] == "Cluster" and "stack" in each["spec"])
    stack = cluster["spec"].pop("stack")
    names = [each["metadata"]["name"] for each in documents if each["kind"] == "Cluster"]
    own = cluster["metadata"]["name"]
    if ring:
        rings: list[dict[str, Any]] = [{"name": "first", "clusters": [own], "stack": stack}]
        others = [name for name in names if name != own]
        fleet["spec"]["rings"] = [*rings, {"name": "others", "clusters": others}] if others else rings
    else:
        fleet["spec"]["defaults"] = {"stack": stack}
    first = text.partition("\n")[0]
    dumped = yaml.dump_all(documents, Dumper=yaml.CSafeDumper, sort_keys=False)
    return (f"{first}\n" if first.startswith(CLOCK) else "") + dumped


def in_stack(diagnostics: tuple[Diagnostic, ...] | list[Diagnostic]) -> list[str]:
    """The keys of `stack` that findings are about."""
    return sorted(each.pointer.partition("/stack/")[2] for each in diagnostics if "/stack/" in each.pointer)


def examples() -> Iterator[tuple[Rule[Any, Any], str]]:
    """The bad examples in which only one Cluster has a stack and a finding is inside it."""
    for rule in RULES:
        for _, bad in named_examples(rule):
            documents = [each.data for each in example_documents(bad)]
            stacks = [each for each in documents if each["kind"] == "Cluster" and "stack" in each["spec"]]
            fleet = next(each for each in documents if each["kind"] == "Fleet")
            plain = not {"defaults", "rings"} & fleet["spec"].keys()
            if len(stacks) == 1 and plain and any(each.pointer.startswith(STACK) for each in findings_in(rule, bad)):
                yield rule, bad


def test_a_finding_points_at_the_ring_that_writes_the_value() -> None:
    cases = list(examples())
    assert len(cases) > 30
    for rule, bad in cases:
        diagnostics = findings_in(rule, moved(bad, ring=True))
        assert in_stack(diagnostics) == in_stack(findings_in(rule, bad)), rule.code
        inside = [each for each in diagnostics if "/stack/" in each.pointer]
        assert {each.pointer.partition("/stack/")[0] for each in inside} == {"/spec/rings/0"}, rule.code
        assert {each.object.kind for each in inside} == {"Fleet"}, rule.code


def test_one_value_of_a_ring_is_one_finding() -> None:
    rule = next(each for each in RULES if each.code == "MET007")
    text = moved(rule.bad, ring=True)
    two = text.replace("- prod-swc", "- prod-swc\n    - second", 1)
    second = "apiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {name: second}\n"
    two += f'---\n{second}spec: {{region: swedencentral, kubernetesVersion: "1.36"}}\n'
    (diagnostic,) = findings_in(rule, two)
    assert diagnostic.pointer == "/spec/rings/0/stack/metrics/server"
