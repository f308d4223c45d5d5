"""`promote`, `upgrade` and `outdated` where they are alike: refusals, dry runs and JSON."""

import json

import pytest

from tests.cli.conftest import Run
from tests.cli.edits.ringed_fleet import FLEET, answer, spec
from tests.cli.fleets import tree, write


def test_a_dry_run_and_a_refusal_write_nothing(fleet: Run) -> None:
    before = tree("fleet")
    assert fleet("promote", "canary", "early", "--dry-run").code == 0
    assert "EDT002" in fleet("promote", "canary", "prod").err
    assert "EDT002" in fleet("promote", "early", "canary").err
    assert fleet("promote", "canary", "staging").err == (
        "gitgpu: the fleet has no ring 'staging'; known names: canary, early, prod\n"
    )
    assert (
        "the stack has no key 'helth'; did you mean health?"
        in fleet("promote", "canary", "early", "--also", "helth").err
    )
    assert fleet("promote", "canary", "canary").code == 2
    assert fleet("promote", "canary", "early", "-").code == 2
    assert fleet("upgrade", "--fleet", "-").code == 2
    assert fleet("upgrade", "gpu-operator=v1").code == 1
    assert fleet("upgrade", "gpu-operater").err.endswith("did you mean gpu-operator?\n")
    assert fleet("upgrade", "--ring", "cnary").code == 1
    assert fleet("upgrade", "--cluster", "x*").code == 2
    assert tree("fleet") == before


def test_the_results_in_json(fleet: Run) -> None:
    report = answer(fleet, "promote", "canary", "early", "--dry-run")
    assert report["written"] is False
    edits = [(each["part"], each["key"], each["before"], each["after"]) for each in report["edits"]]
    assert edits == [
        ("ring early", "versions.gpu-operator", "v25.10.1", "v26.3.3"), ("ring early", "versions.keda", "2.19.0", None),
    ]  # fmt: skip
    assert {each["software"]: each["verdict"] for each in report["transitions"]}["gpu-operator"] == "manual"
    assert [each["name"] for each in report["plan"]["clusters"]] == ["c2"]
    assert answer(fleet, "promote", "canary", "early")["written"] is True
    nothing = answer(fleet, "promote", "canary", "early")
    assert (nothing["written"], nothing["edits"]) == (False, [])
    assert answer(fleet, "upgrade", "gpu-operator=v26.7.0", "--ring", "prod")["written"] is False


@pytest.mark.parametrize(
    "text", [FLEET.replace("health: npd", "health: ndp"), FLEET + "  - [", "", FLEET.replace("c1]", "c4]")]
)
def test_a_spec_with_errors_is_not_edited(fleet: Run, text: str) -> None:
    write(text, "fleet/fleet.yaml")
    before = tree("fleet")
    for words in (("promote", "canary", "early"), ("upgrade",), ("upgrade", "--pin"), ("outdated",)):
        done = fleet(*words)
        assert (done.code, done.out) == (2, ""), words
        assert "error[" in done.err
    assert tree("fleet") == before


def test_a_fleet_without_rings_has_none_to_promote(fleet: Run) -> None:
    text = FLEET[: FLEET.index("  rings:")] + FLEET[FLEET.index("---") :]
    write(text, "fleet/fleet.yaml")
    done = fleet("promote", "canary", "early")
    assert (done.code, done.err) == (
        1, "gitgpu: the fleet has no ring 'canary', because it has no rings; set spec.rings in the Fleet\n",
    )  # fmt: skip
    assert "nothing to" in fleet("upgrade").out


@pytest.mark.parametrize("pin", ["26.3.3", "latest"])
def test_upgrade_replaces_a_version_that_the_catalog_does_not_have(fleet: Run, pin: str) -> None:
    write(FLEET.replace("v26.3.3", pin), "fleet/fleet.yaml")
    assert fleet("upgrade", "gpu-operator", "--ring", "canary").code == 2
    assert fleet("upgrade", "--pin").code == fleet("promote", "canary", "early").code == 2
    done = fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "canary")
    assert (done.code, spec()) == (0, FLEET)
    assert "there is no plan, because the fleet could not be built before the change" in done.err
    assert fleet("build").code == 0


@pytest.mark.parametrize(
    "words", [("upgrade", "keda"), ("outdated",), ("images",), ("plan", "--against", "old"), ("catalog", "diff", "own")]
)
@pytest.mark.parametrize(("glob", "shown"), [("x*", "x*"), ("", "''")])
def test_clusters_that_no_glob_matches_are_listed(fleet: Run, words: tuple[str, ...], glob: str, shown: str) -> None:
    assert fleet("build", "-q", "--out", "old").code == 0
    write("name: swedencentral\nsource: [https://x]\nverified: '2026-11-23'\n", "own/availability/swedencentral.yaml")
    done = fleet(*words, "--cluster", glob)
    assert done.code == 2
    assert f"no cluster matches {shown}; the clusters of this fleet: c1, c2 and c3" in " ".join(done.err.split())


def test_without_a_change_the_json_has_an_empty_change(fleet: Run) -> None:
    assert fleet("upgrade", "keda").code == 0
    for words, reported in (
        (("upgrade", "keda"), "nothing to pin or upgrade\n"),
        (("promote", "early", "prod", "--force"), "nothing to promote: prod already has the same as early\n"),
    ):
        assert fleet("promote", "early", "prod").code == 0
        done = fleet(*words, "-o", "json")
        report = json.loads(done.out)
        assert (done.code, done.err, report["written"], report["edits"]) == (0, reported, False, [])


def test_there_is_no_plan_against_a_version_that_cannot_be_built(fleet: Run) -> None:
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet]\nignore: [VER002]\n", ".gitgpu.yaml")
    write(FLEET.replace("v26.3.3", "v99.0.0"), "fleet/fleet.yaml")
    built = fleet("build")
    assert (built.code, "error[ALW004]" in built.out, "v99.0.0" in built.out) == (1, True, True)
    for command in ("images", "outdated"):
        refused = fleet(command)
        assert (refused.code, "v99.0.0" in refused.err, refused.out) == (2, True, "")
    suppressed = ". The error is suppressed, but versions are compared by their rows in the catalog\n"
    assert suppressed in fleet("outdated").err
    done = fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "canary")
    assert (done.code, spec()) == (0, FLEET)
    assert "there is no plan, because the fleet could not be built before" in done.err
    assert fleet("build").code == 0


@pytest.mark.parametrize("words", [("promote", "x", "prod"), ("upgrade", "kedda"), ("upgrade", "--ring", "x")])
def test_an_unknown_name_has_a_code(fleet: Run, words: tuple[str, ...]) -> None:
    [result] = json.loads(fleet(*words, "-o", "json").out)["results"]
    assert (result["code"], result["file"], result["line"]) == ("CLI002", "", None)


@pytest.mark.parametrize("words", [("promote", "canary", "early", "-"), ("upgrade", "--fleet", "-")])
def test_a_spec_that_is_edited_is_not_standard_input(fleet: Run, words: tuple[str, ...]) -> None:
    ran = fleet(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "standard input cannot be edited" in ran.err
