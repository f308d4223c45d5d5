"""Imports of recorded clusters: files, findings, the report line of each object, and the node check."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.load.text import Text
from gitgpu.report.imported import ImportReport
from gitgpu.runs.import_ import Imported, import_fleet
from gitgpu.runs.import_check import check_running_clusters
from gitgpu.runs.validate import validate_texts
from tests.adopt.test_recorded_imports import RECORDED, clusters

PATHS = sorted(RECORDED.glob("*.yaml"))


def recorded(path: Path) -> Inventory:
    """The clusters of a file."""
    return Inventory(tuple(clusters(path.read_text(encoding="utf-8"))))


@cache
def made_of(path: Path) -> Imported:
    """Imports the clusters in a file."""
    return import_fleet(recorded(path), ClusterOptions(), (), "fleet")


def shown(report: ImportReport) -> Iterator[str]:
    """A report as lines."""
    for finding in report.findings:
        yield f"{finding.span} {finding.severity} {finding.code} {finding.message}; {finding.help}"
    for each in report.verdicts:
        change = each.change
        kept = "keeps its nodes" if each.keeps_nodes else "may lose nodes"
        unread = f", class {each.unread_class} was not read" if each.unread_class else ""
        yield f"{each.cluster} {change.of} {change.name}: {kept}, {change.kind} {change.replaced}{unread}"
    for reported in report.outcomes:
        outcome = reported.outcome
        yield f"{outcome.observed.name} {reported.field}: {outcome.fate} {outcome.reason} -> {reported.spec}"
    yield from (f"inferred {inferred}" for inferred in report.inferred)
    yield from (f"written {path}" for path in report.written)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_the_fleet_of_an_import(path: Path, snapshot: SnapshotAssertion) -> None:
    made = made_of(path)
    lines = [f"--- {name}\n{text}" for name, text in made.files.items()]
    assert "\n".join((*lines, *shown(made.report()))) == snapshot


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_fleet_checked_against_its_own_clusters_and_others(path: Path, snapshot: SnapshotAssertion) -> None:
    made = made_of(path)
    texts = [Text(f"fleet/{name}", text, name) for name, text in made.files.items()]
    checked, lines = validate_texts(texts), list[str]()
    for other in PATHS:
        report = check_running_clusters(recorded(other), ClusterOptions(), checked)
        assert report.checked
        lines += [f"--- against {other.stem}", *shown(report)]
    assert "\n".join(lines) == snapshot
