"""`advisories`: what affects the fleet, what may, and all of them."""

import json

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Run
from tests.cli.fleets import BROKEN, SOUND, write
from tests.cli.test_contracts import answer

CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [mine]\n"
ROW = """\
name: ADV900
title: "Our exporter stops"
severity: SEVERITY
match: MATCH
from: FROM
until: null
effect: "its pods restart every hour"
remedy: "use another version"
source: [https://wiki.example.com/1]
verified: "2026-11-30"
"""
OF_CHART = '{image: [nvidia/k8s-device-plugin], version: ">=0.1.0"}'


def own(wanted: str = OF_CHART, severity: str = "warning", begins: str = "null") -> None:
    """Adds an advisory to the fleet of one cluster with T4s."""
    write(SOUND)
    write(CONFIG, ".gitgpu.yaml")
    row = ROW.replace("MATCH", wanted).replace("SEVERITY", severity).replace("FROM", begins)
    write(row, "mine/advisories/ADV900.yaml")


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_what_affects_the_fleet_comes_before_what_may(run: Run, snapshot: SnapshotAssertion, form: str) -> None:
    own()
    done = run("advisories", "-o", form)
    assert done.code == 1
    assert done.out == snapshot
    if form == "json":
        answer(run, "advisories", code=1)


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_nothing_certain_is_success(run: Run, snapshot: SnapshotAssertion, form: str) -> None:
    write(SOUND)
    done = run("advisories", "-o", form)
    assert done.code == 0
    assert done.out == snapshot


def test_all_need_no_fleet(run: Run) -> None:
    listed = answer(run, "advisories", "--all")
    ids = [each["id"] for each in listed["advisories"]]
    assert ids == sorted(ids)
    assert listed["list"]["advisories"] == len(ids) >= 30
    assert {each["verdict"] for each in listed["advisories"]} == {None}
    assert [each["rules"] for each in listed["advisories"] if each["id"] == "ADV006"] == [["DRV082"]]
    text = run("advisories", "--all").out
    assert "reported by: DRV082" in text
    assert f"{len(ids)} advisories in the catalog: newest source " in text
    assert "| ADV024 |" in run("advisories", "--all", "-o", "markdown").out


def test_all_include_those_of_the_user(run: Run) -> None:
    own()
    assert "ADV900" in run("advisories", "--all").out


def test_a_suppressed_one_is_listed_but_does_not_count(run: Run) -> None:
    own()
    write(CONFIG + "ignore: [ADV900]\n", ".gitgpu.yaml")
    listed = answer(run, "advisories")
    assert [each["suppressed"] for each in listed["advisories"] if each["id"] == "ADV900"] == [True]
    assert listed["affected"] == 0
    assert "warning, suppressed" in run("advisories").out


def test_an_advisory_that_is_an_error_does_not_hide_the_list(run: Run) -> None:
    own(severity="error")
    assert run("validate").code == 1
    assert [each["id"] for each in answer(run, "advisories", code=1)["advisories"]][-1] == "ADV900"


def test_a_day_decides_about_effects_that_begin_later(run: Run) -> None:
    own(begins='"2027-01-01"')
    assert run("advisories", "--today", "2026-12-31").code == 0
    assert run("advisories", "--today", "2027-01-01").code == 1
    assert run("advisories").code == 1


def test_an_old_list_says_so(run: Run) -> None:
    write(SOUND)
    assert "On 2028-01-01 this list is old" in run("advisories", "--today", "2028-01-01").out
    assert "this list is old" not in run("advisories").out


def test_clusters_can_be_chosen(run: Run) -> None:
    own()
    assert run("advisories", "--cluster", "c1").code == 1
    assert run("advisories", "--cluster", "x").code == 2


def test_a_broken_fleet_is_refused(run: Run) -> None:
    write(BROKEN)
    done = run("advisories", "-o", "json")
    assert done.code == 2
    assert json.loads(done.out)["kind"] == "Findings"


def test_codes_of_advisories_are_known_names(run: Run) -> None:
    assert "ADV001" in run("rule", "show", "ADV001").out
    own()
    write(SOUND.replace("name: t4}", "name: t4}  # gitgpu: ignore[ADV900] ours"))
    assert "ALW005" not in run("validate").out
