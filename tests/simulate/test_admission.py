"""Which rules report objects that the API server rejects. A simulation ignores these objects."""

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.objects.objects import WORKLOADS
from gitgpu.rules.object_rulebook import folders, object_rules, rules_in
from gitgpu.simulate.explain.admission import POOLS, admitted, counts, refusing, refusing_codes
from tests.rules.objects.samples import KUBERNETES, read, shared_norms


def test_the_rules_by_which_objects_are_rejected(snapshot: SnapshotAssertion) -> None:
    norms = refusing(shared_norms())
    lines = set()
    for rule in object_rules():
        for given in (given for bad in rule.bad_examples for given in read(bad)):
            item, fault = admitted(given, KUBERNETES, norms)
            assert item.sound is (fault is None)
            if fault and fault.code == rule.code:
                lines.add(f"{rule.code} {item.identity.kind}{'' if counts(item) else ', not reported'}")
    assert "\n".join(sorted(lines)) == snapshot


# Rules about kinds that are simulated whose help says so, but that need more than the object: what they need.
SCALERS = (("autoscaling", "HorizontalPodAutoscaler"), ("keda.sh", "ScaledObject"))
ABOUT_OTHERS = {"CNF022", "NPL035"}  # role bindings, NodeOverlays
NEED_MORE = {
    "KED001": "all scalers of a workload; two are a doubt",
    "KED006": "the requests of the workload",
    "KED013": "the TriggerAuthentication",
    "SHR063": "all RuntimeClasses; one that the input lacks is a doubt",
}
# Folders about objects that are not simulated.
ELSEWHERE = ("amd", "charts", "drivers", "kaito")
REJECTED = re.compile(
    r"(API server|webhook)[^.]*\b(reject|refuse)|API server accepts neither|that the API server re", re.IGNORECASE
)


def test_the_list_has_every_rule_whose_help_says_that_the_object_is_rejected() -> None:
    kinds = {
        *WORKLOADS,
        *POOLS,
        *SCALERS,
        ("keda.sh", "ScaledJob"),
        ("karpenter.azure.com", "AKSNodeClass"),
        ("*", "*"),
    }
    about = [name for name, declared in folders().items() if declared.about & kinds and name not in ELSEWHERE]
    said = {rule.code: rule for rule in rules_in(frozenset(about)) if REJECTED.search(f"{rule.summary} {rule.help}")}
    missing = said.keys() - refusing_codes() - NEED_MORE.keys() - ABOUT_OTHERS
    assert not missing, [(code, said[code].help) for code in sorted(missing)]
    assert NEED_MORE.keys() | ABOUT_OTHERS <= said.keys()
    assert len(said) > 30


@pytest.mark.parametrize("code", sorted(refusing_codes()))
def test_each_rule_of_the_list_rejects_its_own_example_without_other_objects(code: str) -> None:
    rule = next(rule for rule in object_rules() if rule.code == code)
    norms = refusing(shared_norms())
    faults = [admitted(given, KUBERNETES, norms)[1] for bad in rule.bad_examples for given in read(bad)]
    assert code in {fault.code for fault in faults if fault}


def test_a_workload_in_a_version_that_kubernetes_does_not_have_is_rejected() -> None:
    """It is not an object of an unknown kind that may have pods."""
    pod = "{spec: {containers: [{name: a, image: a}]}}"
    (given,) = read(f"apiVersion: v1\nkind: Deployment\nmetadata: {{name: a}}\nspec: {{template: {pod}}}\n")
    item, fault = admitted(given, KUBERNETES, refusing(shared_norms()))
    assert not item.sound
    assert fault is not None
    assert fault.code == "CNF016"
