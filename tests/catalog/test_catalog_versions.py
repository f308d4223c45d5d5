"""The catalog's releases, what changing between them takes, and what goes together."""

import re
from itertools import permutations

import pytest

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.compatibility import Conflict, conflicts
from gitgpu.model.software.transitions import Verdict, transition
from gitgpu.model.syntax.version import inside
from tests.reference_pages import offered

CATALOG = Catalog(CatalogFiles())
OFFERED = offered(CATALOG)
PINNED = re.compile(
    r"https://github\.com/[\w.-]+/[\w.-]+/(?:(?:blob|tree|commit)/[0-9a-f]{40}(?:/\S+)?|(?:pull|issues)/\d+)"
)


@pytest.mark.parametrize("software", [name for name, known in OFFERED.items() if len(known) > 1])
def test_every_pair_of_versions_has_one_record(software: str) -> None:
    steps = [(step["from"], step["to"]) for step in CATALOG.must("transitions", software)["steps"]]
    assert sorted(steps) == sorted(permutations(OFFERED[software], 2))


def test_only_software_with_several_versions_has_records() -> None:
    assert [name for name in CATALOG.names("transitions") if len(OFFERED.get(name, ())) < 2] == []


@pytest.mark.parametrize("software", CATALOG.names("transitions"))
def test_a_record_says_what_its_verdict_means(software: str) -> None:
    for step in CATALOG.must("transitions", software)["steps"]:
        found = transition(software, step["from"], step["to"], CATALOG)
        assert bool(found.actions) is (found.verdict in (Verdict.MANUAL, Verdict.BLOCKED)), step
        assert found.verdict is not Verdict.UNVERSIONED  # every version in the catalog can be compared
        assert not (found.breaking or found.crds) or found.verdict is not Verdict.UNKNOWN, step  # then a source says so


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("v26.3.3", "v26.7.0", Verdict.MANUAL),
        ("v26.7.0", "v26.3.3", Verdict.UNKNOWN),  # the record of the way there says nothing about the way back
        ("v26.3.3", "v99.1.0", Verdict.UNKNOWN),
        ("v26.3.3", "latest", Verdict.UNVERSIONED),
        ("sha256:12", "v26.7.0", Verdict.UNVERSIONED),
    ],
)
def test_what_no_record_covers_is_never_safe(old: str, new: str, verdict: Verdict) -> None:
    assert transition("gpu-operator", old, new, CATALOG).verdict is verdict
    assert transition("pause", old, new, CATALOG).verdict in (Verdict.UNKNOWN, Verdict.UNVERSIONED)


@pytest.mark.parametrize("kind", ["releases", "transitions", "compatibility"])
def test_links_to_github_do_not_move(kind: str) -> None:
    for name, row in CATALOG.rows(kind).items():
        links = [*row["source"], *(entry["source"] for entry in row.get("rows", ()))]
        links += [each["source"] for step in row.get("steps", ()) for each in step.get("breaking", ())]
        assert [link for link in links if "github.com" in link and not PINNED.fullmatch(link)] == [], name


def test_compatibility_names_what_exists() -> None:
    rows = CATALOG.rows("compatibility")
    assert set(rows) <= set(OFFERED)
    assert {entry["with"] for row in rows.values() for entry in row["rows"]} <= {"kubernetes", "driver", *OFFERED}
    assert all(
        any(inside(one, entry["versions"]) for one in OFFERED[name])
        for name, row in rows.items()
        for entry in row["rows"]
    )


def test_what_does_not_go_together() -> None:
    found = [*conflicts({"keda": "2.19.0", "kubernetes": "1.35.2", "driver": "580.126.20", "pause": "3.10"}, CATALOG)]
    assert [(one.software, one.version, one.other, one.found, one.excluded) for one in found] == [
        ("keda", "2.19.0", "kubernetes", "1.35.2", False)
    ]
    assert [*conflicts({"keda": "2.19.0", "kubernetes": "1.34"}, CATALOG)] == []
    assert [*conflicts({"keda": "edge", "kubernetes": "1.34"}, CATALOG)] == []


def test_a_combination_that_upstream_excludes() -> None:
    found: list[Conflict] = [*conflicts({"keda-kaito-scaler": "0.6.2", "kaito-workspace": "0.10.0"}, CATALOG)]
    assert [one.excluded for one in found] == [True]
    assert [*conflicts({"keda-kaito-scaler": "0.6.2", "kaito-workspace": "0.11.0"}, CATALOG)] == []


@pytest.mark.parametrize(
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
