"""Remedies for patches that select nothing: how many objects they list."""

import pytest

from gitgpu.diagnostic import ObjectRef
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.spec.origin import Origin, SpecObject
from gitgpu.model.spec.patch import Patch
from gitgpu.patch.scope import Scope
from gitgpu.patch.targets import Candidate, unmatched_patches
from gitgpu.source import SourceMap, Span

START = Span("fleet.yaml", 1, 1)
ORIGIN = Origin(SourceMap.of(START), SpecObject(START, ObjectRef("Cluster", "", "prod")))


def remedy(target: dict[str, str], objects: int) -> str:
    """The remedy for a patch that selects none of so many NodePools of its cluster."""
    patch = Patch(target, {"spec": {}}, ORIGIN, ("spec", "patches", 0))
    names = [f"pool-{number:02}" for number in range(objects)]
    bodies = [{"kind": "NodePool", "metadata": {"name": name}} for name in names]
    manifests = [Manifest("prod", Layer.NODES, body, ORIGIN.mark) for body in bodies]
    [finding] = unmatched_patches([Candidate(patch, Scope((patch,), None), "prod", manifests)], frozenset())
    return finding.help


@pytest.mark.parametrize(
    ("objects", "end"), [(12, "NodePool/pool-10, NodePool/pool-11"), (13, "the kinds are: NodePool")]
)
def test_for_more_than_twelve_objects_only_kinds_are_listed(objects: int, end: str) -> None:
    assert remedy({"kind": "Secret"}, objects).endswith(end)


@pytest.mark.parametrize(("objects", "end"), [(12, ", NodePool/pool-11"), (13, ", NodePool/pool-11 and 1 more")])
def test_of_one_kind_at_most_twelve_objects_are_listed(objects: int, end: str) -> None:
    assert remedy({"kind": "NodePool", "name": "other"}, objects).endswith(end)
