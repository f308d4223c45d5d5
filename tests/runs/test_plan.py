"""Plans of builds: what they compare, without the command line."""

from pathlib import Path

import pytest

from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.text import Text
from gitgpu.policy import Policy
from gitgpu.runs.baseline import FleetSource, baseline, baseline_of
from gitgpu.runs.build import Build, build
from gitgpu.runs.plan import plan_build, plan_catalogs
from gitgpu.runs.validate import link_fleet
from tests.cli.fleets import many

FLEET = many("a", "b")


def built(text: str) -> Build:
    """A build of every cluster."""
    result = build(link_fleet([Text("fleet.yaml", text, "fleet.yaml")]))
    assert not result.errors
    return result


def test_a_plan_has_the_clusters_that_differ_from_the_baseline() -> None:
    before, after = built(FLEET), built("1.37".join(FLEET.rsplit("1.36", 1)))
    inputs = after.checked.inputs
    assert inputs
    plan, unread = plan_build(baseline_of(before, "before"), after, inputs, ["a", "b"])
    assert (plan.against, plan.currency, unread) == ("before", "USD", ())
    assert [cluster.name for cluster in plan.clusters if cluster.upgrade] == ["b"]
    assert [cluster.name for cluster in plan.clusters if cluster.is_changed] == ["b"]
    others, _ = plan_build(baseline_of(before, "before"), after, inputs, ["a"])
    same, _ = plan_build(baseline_of(after, "after"), after, inputs, ["a", "b"])
    assert [cluster.name for plan in (others, same) for cluster in plan.clusters if cluster.is_changed] == []


def test_the_same_catalog_changes_nothing() -> None:
    result = built(FLEET)
    inputs = result.checked.inputs
    assert inputs
    plan, unread = plan_catalogs(baseline_of(result, "older"), result, inputs.catalog, inputs)
    assert ([cluster for cluster in plan.clusters if cluster.is_changed], unread) == ([], ())


def test_a_directory_is_compared_by_its_overlays_or_its_fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = FleetSource(("fleet.yaml",), FleetOptions(), Policy())
    assert baseline(None, source).description == "nothing: there is no output in overlays"
    (tmp_path / "other").mkdir()
    assert [fault.code for fault in baseline("other", source).faults] == ["INP009"]
    (tmp_path / "other/fleet.yaml").write_text(FLEET, "utf-8")
    first = baseline("other", source)
    assert (first.description, first.faults) == ("the fleet in other, built with this release", ())
    assert first.files == built(FLEET).files
    assert first.versions == {"a": "1.36", "b": "1.36"}
