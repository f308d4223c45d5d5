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
