"""Faults of a document with overrides applied: each is reported at the override that causes it."""

from collections.abc import Iterator

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.spec.override_faults import override_faults
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.linking.overrides import apply_overrides

POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [a, b]
  sku: x
  overrides:
  - clusters: [a]
    set: {weight: 5}
  - clusters: [b]
    set: {SET}
"""


def lines(patch: str) -> Iterator[str]:
    """The faults of the pool with the second override, each on one line."""
    [document], faults = shape([Text("pool.yaml", POOL.replace("SET", patch), "")])
    assert faults == []
    for fault in override_faults(apply_overrides(document, [0, 1])):
        assert (fault.code, fault.object) == ("SHP003", document.ref)
        repair = f" [{fault.edit.change}]" if fault.edit else ""
        yield f"{fault.pointer} {fault.span.line}:{fault.span.column} {fault.message}; {fault.help}{repair}"


@pytest.mark.parametrize(
    "patch",
    [
        "weight: 7",
        "weight: seven",
        "capacity: [sport]",
        "capcity: [spot]",
        "labels: {a: 5}",
        "expireAfter: 1h, disruption: {budgets: [{nodes: '1'}]}",  # a fix would move the key out of the override
        "sku: null",
        "requirements: {vcpus: 4}",
        "requirements: {}, sku: null",
        "partition: {mig: {strategy: single, profiles: null}}",
    ],
)
def test_a_fault_is_reported_at_the_override_that_causes_it(patch: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(lines(patch)) == snapshot
