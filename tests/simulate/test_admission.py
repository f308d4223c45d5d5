"""Which rules report objects that the API server rejects. A simulation ignores these objects."""

from syrupy.assertion import SnapshotAssertion

from gitgpu.conform import object_rules
from gitgpu.simulate.explain.admission import admitted, counts, refusing
from tests.conform.samples import KUBERNETES, read, shared_norms


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


def test_a_workload_in_a_version_that_kubernetes_does_not_have_is_rejected() -> None:
    """It is not an object of an unknown kind that may have pods."""
    pod = "{spec: {containers: [{name: a, image: a}]}}"
    (given,) = read(f"apiVersion: v1\nkind: Deployment\nmetadata: {{name: a}}\nspec: {{template: {pod}}}\n")
    item, fault = admitted(given, KUBERNETES, refusing(shared_norms()))
    assert not item.sound
    assert fault is not None
    assert fault.code == "CNF016"
