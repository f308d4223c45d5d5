"""Releases in the catalog, what a change between them requires, and which versions are compatible."""

import re
from collections.abc import Iterator
from functools import reduce
from itertools import permutations
from typing import Any

import pytest

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.software.compatibility import Conflict, conflicts
from gitgpu.model.software.transitions import Form, Installation, Transition, Verdict, transition
from gitgpu.model.syntax.version import inside
from tests.helping.cases import for_each
from tools.reference_pages import offered

CATALOG = Catalog(CatalogFiles())
OFFERED = offered(CATALOG)
# A release of a Go module is known by its tag: the proxy, which does not say its commit, never changes it.
PINNED = re.compile(
    r"https://github\.com/[\w.-]+/[\w.-]+/"
    r"(?:(?:blob|tree|commit)/(?:[0-9a-f]{40}|v\d+\.\d+\.\d+)(?:/\S+)?|(?:pull|issues)/\d+)"
)


@for_each("software", [name for name, known in OFFERED.items() if len(known) > 1])
def test_every_pair_of_versions_has_one_record(software: str) -> None:
    steps = [(step["from"], step["to"]) for step in CATALOG.must("transitions", software)["steps"]]
    assert sorted(steps) == sorted(permutations(OFFERED[software], 2))


def test_only_software_with_several_versions_has_records() -> None:
    assert [name for name in CATALOG.names("transitions") if len(OFFERED.get(name, ())) < 2] == []


def records(software: str) -> Iterator[tuple[Facts, Transition]]:
    """Each step, as it applies in general and in each of its cases."""
    for step in CATALOG.must("transitions", software)["steps"]:
        versions = (step["from"], step["to"])
        yield step, transition(software, versions, CATALOG)
        for case in step.get("cases", ()):
            values: dict[str, Any] = reduce(merge_patch, (held(each["value"], each["is"]) for each in case["when"]), {})
            yield step, transition(software, versions, CATALOG, Installation(Form.CHART, values))


def held(path: str, value: Any) -> dict[str, Any]:
    """Values with one at a dotted path."""
    first, _, rest = path.partition(".")
    return {first: held(rest, value) if rest else value}


@for_each(
    ("values", "old", "new", "verdict"),
    [
        ({}, "v25.10.1", "v26.3.3", Verdict.MANUAL),
        (None, "v25.10.1", "v26.3.3", Verdict.MANUAL),
        ({"driver": {"nvidiaDriverCRD": {"enabled": True}}}, "v25.10.1", "v26.3.3", Verdict.BLOCKED),
        ({"driver": {"nvidiaDriverCRD": {"enabled": False}}}, "v25.10.1", "v26.3.3", Verdict.MANUAL),
        ({"driver": {"nvidiaDriverCRD": {"enabled": True}}}, "v26.3.3", "v26.7.0", Verdict.MANUAL),
        ({"driver": {"enabled": False, "nvidiaDriverCRD": {"enabled": True}}}, "v25.10.1", "v26.3.3", Verdict.SAFE),
        ({"driver": {"enabled": False}}, "v26.3.3", "v26.7.0", Verdict.SAFE),
        ({"driver": {"enabled": False}}, "v26.7.0", "v26.3.3", Verdict.UNKNOWN),
    ],
)
def test_the_values_of_the_release_decide(values: Any, old: str, new: str, verdict: Verdict) -> None:
    change = transition("gpu-operator", (old, new), CATALOG, Installation(Form.CHART, values))
    assert change.verdict is verdict
    installs = values is None or values.get("driver", {}).get("enabled", True)
    evicts = bool(change.evicts) and "nvidia-driver-daemonset" in change.restarts
    assert evicts is (installs and verdict is not Verdict.UNKNOWN)


def test_an_image_has_nothing_that_only_its_chart_has() -> None:
    versions = ("v0.18.2", "v0.20.0")
    pods = ("nvidia-device-plugin",)
    chart = transition("nvidia-device-plugin", versions, CATALOG, Installation(Form.CHART, {}))
    image = transition("nvidia-device-plugin", versions, CATALOG, Installation(Form.IMAGE, pods=pods))
    assert chart.crds
    assert len(chart.breaking) == 2
    assert (image.crds, image.restarts, image.verdict) == ((), pods, chart.verdict)
    assert [each.change for each in image.breaking] == [each.change for each in chart.breaking if "MIG" in each.change]
    discovery = Installation(Form.IMAGE, pods=("gpu-feature-discovery", *pods))
    assert transition("nvidia-device-plugin", versions, CATALOG, discovery).breaking == chart.breaking


@for_each("software", CATALOG.names("transitions"))
def test_a_record_has_the_details_that_its_verdict_needs(software: str) -> None:
    for step, record in records(software):
        assert bool(record.actions) is (record.verdict in (Verdict.MANUAL, Verdict.BLOCKED)), step
        assert record.verdict is not Verdict.UNVERSIONED  # every version in the catalog can be compared
        assert not (record.breaking or record.crds) or record.verdict is not Verdict.UNKNOWN, (
            step
        )  # this needs a source


@for_each(
    ("old", "new", "verdict"),
    [
        ("v26.3.3", "v26.7.0", Verdict.MANUAL),
        ("v26.7.0", "v26.3.3", Verdict.UNKNOWN),  # the record of an upgrade does not cover the downgrade
        ("v26.3.3", "v99.1.0", Verdict.UNKNOWN),
        ("v26.3.3", "latest", Verdict.UNVERSIONED),
        ("sha256:12", "v26.7.0", Verdict.UNVERSIONED),
    ],
)
def test_what_no_record_covers_is_never_safe(old: str, new: str, verdict: Verdict) -> None:
    change = transition("gpu-operator", (old, new), CATALOG)
    assert change.verdict is verdict
    assert (change.why == "at least one of the versions is not a number") is (verdict is Verdict.UNVERSIONED)
    assert transition("pause", (old, new), CATALOG).verdict in (Verdict.UNKNOWN, Verdict.UNVERSIONED)


@pytest.mark.parametrize("kind", ["releases", "transitions", "compatibility"])
def test_links_to_github_do_not_move(kind: str) -> None:
    for name, row in CATALOG.rows(kind).items():
        links = [*row["source"], *(entry["source"] for entry in row.get("rows", ()))]
        links += [each["source"] for step in row.get("steps", ()) for each in step.get("breaking", ())]
        assert [link for link in links if "github.com" in link and not PINNED.fullmatch(link)] == [], name


def test_compatibility_rows_name_existing_software() -> None:
    rows = CATALOG.rows("compatibility")
    assert set(rows) <= set(OFFERED)
    assert {entry["with"] for row in rows.values() for entry in row["rows"]} <= {"kubernetes", "driver", *OFFERED}
    assert all(
        any(inside(version, entry["versions"]) for version in OFFERED[name])
        for name, row in rows.items()
        for entry in row["rows"]
    )


def test_an_untested_combination_is_reported_and_not_excluded() -> None:
    reported = [
        *conflicts({"keda": "2.19.0", "kubernetes": "1.35.2", "driver": "580.126.20", "pause": "3.10"}, CATALOG)
    ]
    assert [
        (conflict.software, conflict.version, conflict.other, conflict.other_version, conflict.excluded)
        for conflict in reported
    ] == [("keda", "2.19.0", "kubernetes", "1.35.2", False)]
    assert [*conflicts({"keda": "2.19.0", "kubernetes": "1.34"}, CATALOG)] == []
    assert [*conflicts({"keda": "edge", "kubernetes": "1.34"}, CATALOG)] == []


def test_a_combination_that_upstream_excludes() -> None:
    reported: list[Conflict] = [*conflicts({"keda-kaito-scaler": "0.6.2", "kaito-workspace": "0.10.0"}, CATALOG)]
    assert [conflict.excluded for conflict in reported] == [True]
    assert [*conflicts({"keda-kaito-scaler": "0.6.2", "kaito-workspace": "0.11.0"}, CATALOG)] == []


@for_each(
    ("version", "bounds", "holds"),
    [
        ("v26.7", ">=26.7.0", True),
        ("26.7.0", ">26.7", False),
        ("1.34.2", "<1.34.2", False),
        ("1.34", "<1.34.2", True),
        ("4.5.3-4.8.2-distroless", ">=4.5 <4.6", True),
        ("2.20.2", "=2.20", False),
    ],
)
def test_missing_parts_of_a_version_are_zero(version: str, bounds: str, holds: bool) -> None:
    assert inside(version, bounds) is holds
