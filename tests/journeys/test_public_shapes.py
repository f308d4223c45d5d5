"""Clusters modelled on public repositories are imported: their nodes stay, or the report gives the reason."""

from pathlib import Path
from typing import Any

import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.cli.import_.inventory import read_clusters
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import catalog
from gitgpu.runs.import_ import import_fleet
from tests.helping.cases import for_each

SHAPES = sorted(path for path in Path(__file__).with_name("shapes").iterdir() if path.is_dir())
NOT_ADOPTED = (Fate.INEXPRESSIBLE, Fate.WRONG)


@for_each("folder", SHAPES, ids=lambda folder: folder.name)
def test_the_nodes_stay(folder: Path) -> None:
    expected: dict[str, Any] = yaml.load((folder / "expected.txt").read_text("utf-8"), yaml.CSafeLoader)
    wanted = ClusterOptions(expected.get("cluster", ""), expected.get("region", ""))
    read = read_clusters([str(folder)], wanted, (), catalog(()))
    assert [fault.message for fault in read.faults if fault.severity is Severity.ERROR] == []
    made = import_fleet(read.inventory, wanted, (), "fleet")
    several = len({verdict.cluster for verdict in made.verdicts}) > 1
    verdicts = [(f"{each.cluster}/" if several else "") + each.change.name for each in made.verdicts]
    assert sorted(verdicts) == expected["stay"]
    assert [(each.change.name, each.change.reason) for each in made.verdicts if not each.keeps_nodes] == []
    lost = [reported.outcome.reason for reported in made.report(()).outcomes if reported.outcome.fate in NOT_ADOPTED]
    assert len(lost) == len(expected.get("lost", ()))
    assert [part for part in expected.get("lost", ()) if not any(part in reason for reason in lost)] == []


def test_there_are_enough_of_them() -> None:
    assert len(SHAPES) >= 12
