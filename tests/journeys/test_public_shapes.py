"""Clusters in the shape of public repositories are imported, and their nodes stay, or the reason is named."""

import pytest

from gitgpu.adopt.clusters import Wanted
from gitgpu.adopt.observing import observed
from gitgpu.diagnostic import Severity
from gitgpu.importing import Imported, import_fleet
from gitgpu.load.inventory.joined import Asked
from gitgpu.load.manifest.manifests import read_manifests
from gitgpu.load.text import Text
from tests.journeys.public_shapes import SHAPES, Shape


def imported(shape: Shape) -> Imported:
    """The fleet of a shape."""
    texts = [Text(name, content, name) for name, content in shape.files.items()]
    named = frozenset[str]()
    asked = Asked(shape.cluster, shape.region, named)
    found = observed(texts, (), asked, lambda manifests: read_manifests(manifests, named))
    assert [fault.message for fault in found.faults if fault.severity is Severity.ERROR] == []
    return import_fleet(found, Wanted(shape.cluster, shape.region), (), "fleet")


@pytest.mark.parametrize("name", SHAPES)
def test_the_nodes_stay(name: str) -> None:
    shape = SHAPES[name]
    made = imported(shape)
    several = len({verdict.cluster for verdict in made.verdicts}) > 1
    verdicts = {
        f"{verdict.cluster}/{verdict.change.name}" if several else verdict.change.name: verdict
        for verdict in made.verdicts
    }
    assert sorted(verdicts) == sorted(shape.verdicts)
    print([(k, v) for k, v in verdicts.items() if not v.keeps_nodes])
    assert {pool: "" for pool, verdict in verdicts.items() if verdict.keeps_nodes} == {
        pool: "" for pool, reason in shape.verdicts.items() if not reason
    }
