"""The newest version that is compatible with the rest of a cluster, and what prevents the newest version."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.model.software.outdated import Side, Standing, compatible, missing_versions, reachable, standings
from gitgpu.model.software.support import Support, support
from gitgpu.model.software.transitions import Form, Installation, Verdict, transition
from tests.helping.cases import for_each
from tests.model.test_link import CATALOG, CLUSTER, HEAD, POOL
from tests.model.test_link import FLEET as LONE

OLDEST, *_, LATER, NEWEST = CATALOG.versions("keda")
SOURCE = "https://wiki.contoso.com/keda"
FLEET = (
    f"{HEAD}Fleet\nmetadata: {{name: f}}\nspec:\n  delivery: {{repository: https://example.com/x}}\n"
    "  defaults: {stack: {keda: helm}}\n"
    "  rings:\n  - {name: z, clusters: [c3]}\n  - {name: a, clusters: [c1, c2]}\n"
)


def row(versions: str, other: str, bounds: str, verdict: str = "excluded") -> dict[str, str]:
    """A compatibility row."""
    return {
        "versions": versions, "with": other, "range": bounds, "verdict": verdict, "why": f"{versions} fails",
        "source": SOURCE,
    }  # fmt: skip


def stack(pin: str) -> str:
    """The version of Kubernetes, and a pin of KEDA."""
    return f'"1.36", stack: {{versions: {{keda: "{pin}"}}}}' if pin else '"1.36"'


def inputs(folder: Path, pins: dict[str, str], **rows: Sequence[dict[str, str]]) -> Inputs:
    """Clusters with KEDA in these versions ("" for no pin), where only these rows say what does not go together."""
    (folder / "compatibility").mkdir()
    for name, entries in {"keda": [row(">=99", "kubernetes", ">=99")], **rows}.items():
        facts = {"name": name, "rows": list(entries), "source": [SOURCE], "verified": "2026-11-23"}
        (folder / f"compatibility/{name}.yaml").write_text(yaml.safe_dump(facts), encoding="utf-8")
    return inputs_again(folder, pins)


def inputs_again(folder: Path, pins: dict[str, str]) -> Inputs:
    """The same, with the rows that are there."""
    every = {**dict.fromkeys(("c1", "c2", "c3"), ""), **pins}
    clusters = [CLUSTER.replace("c1", name).replace('"1.36"', stack(pin)) for name, pin in every.items()]
    text = "---\n".join((FLEET, *clusters, POOL.replace("[c1]", f"[{', '.join(every)}]")))
    documents, faults = shape([Text("f.yaml", text, "f.yaml")])
    linked, linking = link(documents, Catalog(CatalogFiles([Folder(str(folder), "mine")])))
    assert linked is not None
    assert not (*faults, *linking)
    return linked


def keda(linked: Inputs) -> list[Standing]:
    """The KEDA state on all clusters."""
    return [each for each in standings(linked, linked.clusters) if each.software == "keda"]


PINS = {"c1": "", "c2": "", "c3": ""}


@pytest.mark.parametrize(
    ("rows", "side", "version", "obstacles"),
    [
        ([], {"kubernetes": "1.36"}, NEWEST, 0),
        ([row(f"={NEWEST}", "kubernetes", ">=1.36")], {"kubernetes": "1.36"}, LATER, 1),
        ([row(f"={NEWEST}", "kubernetes", ">=1.36")], {"kubernetes": "1.35"}, NEWEST, 0),
        ([row(f"={NEWEST}", "kubernetes", ">=1.36", "untested")], {"kubernetes": "1.36"}, NEWEST, 0),
        ([row(f"={NEWEST}", "kubernetes", ">=1.36")] * 2, {"kubernetes": "1.36"}, LATER, 1),
        ([row(f">={OLDEST}", "kubernetes", ">=1.36")], {"kubernetes": "1.36"}, "", len(CATALOG.versions("keda"))),
        ([row(f"={NEWEST}", "gpu-operator", ">=1")], {"kubernetes": "1.36"}, NEWEST, 0),
    ],
)
def test_the_newest_version_that_nothing_excludes(
    tmp_path: Path, rows: Sequence[dict[str, str]], side: dict[str, str], version: str, obstacles: int
) -> None:
    linked = inputs(tmp_path, PINS, keda=rows or [row(">=99", "kubernetes", ">=99")])
    best, against = compatible(linked, "keda", [Side(linked.clusters[0], side)])
    assert (best, len(against)) == (version, obstacles)
    both, _ = compatible(linked, "keda", [Side(linked.clusters[0], each) for each in ({"kubernetes": "1.34"}, side)])
    assert both == version  # it has to be compatible with every cluster


def test_what_other_software_excludes_counts_if_it_is_about_this_one(tmp_path: Path) -> None:
    linked = inputs(
        tmp_path,
        PINS,
        **{"nvidia-device-plugin": [row(">=0", "keda", f"={NEWEST}"), row(">=0", "kubernetes", ">=1")]},
    )
    side = {"kubernetes": "1.36", "nvidia-device-plugin": "v0.18.2"}
    best, against = compatible(linked, "keda", [Side(linked.clusters[0], side)])
    assert best == LATER
    assert [(each.software, each.version, each.other, each.other_version) for each in against] == [
        ("nvidia-device-plugin", "v0.18.2", "keda", NEWEST)
    ]
    assert compatible(linked, "keda", [Side(linked.clusters[0], {"kubernetes": "1.36"})])[0] == NEWEST


def test_standings_are_in_the_order_of_rings_then_versions(tmp_path: Path) -> None:
    linked = inputs(tmp_path, {"c0": OLDEST, "c1": "", "c2": LATER, "c3": NEWEST})
    assert [(each.ring, each.version, each.clusters, each.pinned) for each in keda(linked)] == [
        ("z", NEWEST, ("c3",), True), ("a", LATER, ("c2",), True), ("a", NEWEST, ("c1",), False),
        ("", OLDEST, ("c0",), True),
    ]  # fmt: skip
    assert [each.is_outdated for each in keda(linked)] == [False, True, False, True]
    assert {each.newest for each in keda(linked)} == {each.compatible for each in keda(linked)} == {NEWEST}
    assert [each.clusters for each in standings(linked, linked.clusters[:1]) if each.software == "keda"] == [("c0",)]
    assert "kubernetes" not in {each.software for each in standings(linked, linked.clusters)}


def test_a_version_is_pinned_only_if_every_cluster_pins_it(tmp_path: Path) -> None:
    linked = inputs(tmp_path, {"c1": NEWEST, "c2": "", "c3": ""})
    assert [(each.clusters, each.pinned) for each in keda(linked)] == [(("c3",), False), (("c1", "c2"), False)]


def test_an_excluded_version_that_is_there_is_not_replaced_by_an_older_one(tmp_path: Path) -> None:
    excluded = row(f"={NEWEST}", "kubernetes", ">=1.36")
    reported = keda(inputs(tmp_path, {"c1": OLDEST, "c2": OLDEST, "c3": ""}, keda=[excluded]))
    assert [(each.version, each.compatible, each.newest, each.is_outdated) for each in reported] == [
        (NEWEST, NEWEST, NEWEST, False), (OLDEST, LATER, NEWEST, True),
    ]  # fmt: skip
    assert [[each.why for each in standing.obstacles] for standing in reported] == [[excluded["why"]]] * 2


def test_an_untested_combination_is_reported_for_a_new_version(tmp_path: Path) -> None:
    untested = row(f"={NEWEST}", "kubernetes", ">=1.36", "untested")
    reported = keda(inputs(tmp_path, {"c1": OLDEST, "c2": OLDEST, "c3": ""}, keda=[untested]))
    assert [[each.version for each in standing.untested] for standing in reported] == [[], [NEWEST]]
    assert [standing.obstacles for standing in reported] == [(), ()]


ON_OPERATOR = CLUSTER.replace('"1.36"}', '"1.34", stack: {driver: operator, versions: {gpu-operator: v25.10.1}}}')
V100 = POOL.replace("Standard_NC16as_T4_v3", "Standard_ND40rs_v2")


def operator(folder: Path, pool: str, version: str = "v25.10.1") -> Standing:
    """The GPU Operator's state on a cluster with this pool, from its oldest release, with a catalog of our own."""
    cluster = ON_OPERATOR.replace("v25.10.1", version)
    documents, faults = shape([Text("f.yaml", f"{LONE}---\n{cluster}---\n{pool}", "f.yaml")])
    linked, linking = link(documents, Catalog(CatalogFiles([Folder(str(folder), "mine")])))
    assert linked is not None
    assert not (*faults, *linking)
    return next(each for each in standings(linked, linked.clusters) if each.software == "gpu-operator")


@pytest.mark.parametrize(
    ("pool", "version", "obstacle"),
    [
        (POOL, "v26.7.0", ()),
        (f'{POOL}  driverBranch: "535"\n', "v26.7.0", ()),
        (f'{POOL}  driverBranch: "570"\n', "v26.3.3", ("driver branch", "570")),
        (f'{POOL}  driverBranch: "575"\n', "v25.10.1", ("driver branch", "575")),
        (V100, "v26.3.3", ("GPU architecture", "Volta")),
        (f'{V100}  driverBranch: "580"\n', "v26.7.0", ()),
        (f"{V100}  driver: aks\n{POOL.replace('t4', 'own').replace(HEAD, f'---{chr(10)}{HEAD}')}", "v26.7.0", ()),
    ],
)
def test_a_pool_keeps_a_release_of_the_operator_that_has_no_driver_for_it(
    tmp_path: Path, pool: str, version: str, obstacle: tuple[str, ...]
) -> None:
    standing = operator(tmp_path, pool)
    reached = standing.blocked.new if standing.blocked else standing.compatible
    assert (reached, standing.newest) == (version, "v26.7.0")
    assert {(each.other, each.other_version) for each in standing.obstacles} == ({obstacle} if obstacle else set())
    assert all(re.search(r"\bpool t4\b", each.why, re.IGNORECASE) for each in standing.obstacles)


def test_a_version_that_cannot_be_reached_in_one_step_is_not_called_compatible(tmp_path: Path) -> None:
    standing = operator(tmp_path, POOL)
    assert (standing.version, standing.compatible, standing.newest) == ("v25.10.1", "v26.3.3", "v26.7.0")
    assert standing.blocked is not None
    assert (standing.blocked.old, standing.blocked.new) == ("v25.10.1", "v26.7.0")
    later = operator(tmp_path, POOL, "v26.3.3")
    assert (later.compatible, later.blocked) == ("v26.7.0", None)


def test_a_version_that_no_step_reaches(tmp_path: Path) -> None:
    blocked = {"verdict": "blocked", "why": "Start again.", "actions": ["Start again."]}
    steps = [{"from": OLDEST, "to": version, **blocked} for version in (LATER, NEWEST)]
    (tmp_path / "transitions").mkdir()
    facts = {"name": "keda", "steps": steps, "source": [SOURCE], "verified": "2026-11-23"}
    (tmp_path / "transitions/keda.yaml").write_text(yaml.safe_dump(facts), encoding="utf-8")
    linked = inputs(tmp_path, dict.fromkeys(("c1", "c2", "c3"), OLDEST))
    standing, _ = keda(linked)
    assert (standing.compatible, standing.is_outdated) == (OLDEST, False)
    assert standing.blocked is not None
    assert standing.blocked.why == "Start again."


@pytest.mark.parametrize(
    ("tested", "version", "excluded", "untested"),
    [
        ({"Ubuntu 22.04": ">=1.33 <1.37"}, "v26.7.0", [], []),
        ({"Ubuntu 26.04": ">=1.33 <1.37"}, "v26.3.3", [("OS", "Ubuntu 22.04")], []),
        ({"Ubuntu 22.04": ">=1.35 <1.37"}, "v26.7.0", [], [("kubernetes", "1.34")]),
        ({}, "v26.7.0", [], []),
    ],
)
def test_a_release_that_is_not_tested_on_the_system_of_a_pool(
    tmp_path: Path, tested: dict[str, str], version: str, excluded: list[Any], untested: list[Any]
) -> None:
    (tmp_path / "charts").mkdir()
    validated = [{"os": name, "kubernetes": bounds} for name, bounds in tested.items()]
    facts = {"name": "gpu-operator", "extends": "gitgpu", "validated": validated}
    facts |= {"source": [SOURCE], "verified": "2026-11-23"}
    (tmp_path / "charts/gpu-operator.yaml").write_text(yaml.safe_dump(facts), encoding="utf-8")
    pool = f"{POOL}  image: {{family: Ubuntu2204}}\n"
    standing = operator(tmp_path, pool, "v26.3.3")
    assert standing.compatible == version
    assert [(each.other, each.other_version) for each in standing.obstacles] == excluded
    assert [(each.other, each.other_version) for each in standing.untested] == untested


def test_the_newest_version_that_can_be_reached(tmp_path: Path) -> None:
    linked = inputs(tmp_path, PINS, keda=[row(f"={NEWEST}", "kubernetes", ">=1.36")])
    cluster = linked.clusters[0]

    def newest(kubernetes: str, *versions: str) -> str:
        sides = [Side(cluster, {"kubernetes": kubernetes, "keda": version}) for version in versions]
        return reachable(linked, "keda", sides)

    assert (newest("1.35", OLDEST), newest("1.35", NEWEST)) == (NEWEST, "")
    assert (newest("1.36", OLDEST), newest("1.36", LATER)) == (LATER, "")
    assert newest("1.35", NEWEST, OLDEST) == NEWEST
    assert newest("1.35", "0.0.1") == ""
    assert reachable(linked, "keda", [Side(cluster, {"kubernetes": "1.35"})]) == ""


@pytest.mark.parametrize("software", ["gpu-operator", "kaito-ragengine", "network-operator"])
def test_no_step_that_is_blocked_is_reached(tmp_path: Path, software: str) -> None:
    linked = inputs(tmp_path, PINS)
    known = list(linked.catalog.versions(software))
    for version in known:
        best = reachable(linked, software, [Side(linked.clusters[0], {"kubernetes": "1.36", software: version})])
        if best:
            assert known.index(best) > known.index(version)
            assert transition(software, (version, best), linked.catalog).verdict is not Verdict.BLOCKED


@for_each(
    ("software", "release", "expected"),
    [
        ("gpu-operator", "v25.3.4", Support.ENDED),
        ("gpu-operator", "v25.10.1", Support.ENDED),
        ("gpu-operator", "v26.3.3", Support.DEPRECATED),
        ("gpu-operator", "v26.7.0", None),
        ("gpu-operator", "latest", None),
        ("keda", "2.18.3", None),
        ("cuda-sample", "1.0.0", None),
    ],
)
def test_what_its_publisher_says_about_a_release(software: str, release: str, expected: Support | None) -> None:
    assert support(software, release, CATALOG) is expected


def test_clusters_with_other_obstacles_are_apart(tmp_path: Path) -> None:
    """An upgrade is blocked where a case of the step applies."""
    inputs(tmp_path, {})
    (tmp_path / "transitions").mkdir()
    case = {"when": [{"value": "crds.install", "default": True, "is": False}], "verdict": "blocked", "why": "Its CRDs."}
    newer = list(CATALOG.versions("keda"))[1:]
    steps = [{"from": OLDEST, "to": new, "verdict": "safe", "why": "x", "cases": [case]} for new in newer]
    facts = {"name": "keda", "steps": steps, "source": [SOURCE], "verified": "2026-11-23"}
    (tmp_path / "transitions/keda.yaml").write_text(yaml.safe_dump(facts), encoding="utf-8")
    linked = inputs_again(tmp_path, dict.fromkeys(("c1", "c2"), OLDEST))

    def installed(cluster: Cluster, software: str) -> Installation | None:
        return Installation(Form.CHART, {"crds": {"install": cluster.name != "c2"}}) if software == "keda" else None

    def of_keda(rows: Sequence[Standing]) -> list[Standing]:
        return [row for row in rows if (row.ring, row.software) == ("a", "keda")]

    rows = of_keda(standings(linked, linked.clusters, installed))
    assert [(row.clusters, row.compatible) for row in rows] == [(("c1",), NEWEST), (("c2",), OLDEST)]
    blocked = rows[1].blocked
    assert blocked is not None
    assert (blocked.new, blocked.why) == (newer[0], "Its CRDs.")
    assert [row.clusters for row in of_keda(standings(linked, linked.clusters))] == [("c1", "c2")]


def test_a_newer_version_that_could_not_be_read_is_named(tmp_path: Path) -> None:
    linked = inputs(tmp_path, {})
    standing = next(standing for standing in standings(linked, linked.clusters) if standing.software == "keda")
    shipped = CATALOG.must("charts", "keda")["newer"]
    assert [missing._asdict() for missing in standing.missing] == shipped
    assert not standing.is_outdated
    (tmp_path / "releases").mkdir()
    release = {
        "name": f"keda-{shipped[0]['version']}", "software": "keda", "version": shipped[0]["version"],
        "chart": {"version": shipped[0]["version"], "appVersion": "x"}, "image": None,
        "source": [SOURCE], "verified": "2026-11-23",
    }  # fmt: skip
    (tmp_path / f"releases/{release['name']}.yaml").write_text(yaml.safe_dump(release), encoding="utf-8")
    described = Catalog(CatalogFiles([Folder(str(tmp_path), "mine")]))
    assert missing_versions("keda", described) == ()
