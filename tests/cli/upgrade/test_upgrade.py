"""`upgrade`: what it writes, what it refuses, and why it leaves something as it is."""

import json
import os
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Run
from tests.cli.edits.ringed_fleet import CLUSTER, FLEET, KEDA, OBJECTS, PINNED, VALUES, answer, spec
from tests.cli.fleets import tree, write


def test_a_blocked_upgrade_is_refused_with_the_next_step(fleet: Run) -> None:
    done = fleet("upgrade", "gpu-operator=v26.7.0", "--ring", "prod")
    assert (done.code, spec()) == (1, FLEET)
    assert "error[EDT003] gpu-operator cannot go from v25.10.1 to v26.7.0 in one step" in done.err
    assert "Upgrade to v26.3.3 first" in done.err
    assert fleet("upgrade", "gpu-operator=v26.7.0", "--ring", "prod", "--force").code == 0


def test_a_step_that_is_blocked_without_advice_may_work_in_several_steps(fleet: Run) -> None:
    default = {"value": "crds.install", "default": True, "is": True}
    case = {"when": [default], "verdict": "blocked", "why": "Tried: the CRDs are rejected."}
    step = {"from": "2.19.0", "to": "2.20.2", "verdict": "unknown", "why": "Not tried.", "cases": [case]}
    row = {"name": "keda", "steps": [step], "source": ["https://wiki.contoso.com/keda"], "verified": "2026-11-01"}
    Path("mine/transitions").mkdir(parents=True)
    write(json.dumps(row), "mine/transitions/keda.yaml")
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [mine]\n", ".gitgpu.yaml")
    done = fleet("upgrade", "keda=2.20.2", "--ring", "early")
    assert (done.code, spec()) == (1, FLEET)
    assert "keda cannot go from 2.19.0 to 2.20.2 in one step: Tried: the CRDs are rejected\n" in done.err
    assert "  = help: upgrade in several steps, or use --force\n" in done.err


@pytest.mark.parametrize("upgrades", [("gpu-operator=v26.7.0", "keda"), ("keda", "gpu-operator=v26.7.0")])
def test_a_blocked_upgrade_is_shown_at_its_own_key(fleet: Run, upgrades: tuple[str, ...]) -> None:
    done = fleet("upgrade", *upgrades, "--ring", "early")
    file, line, column, _ = next(text for text in done.err.splitlines() if "EDT003" in text).split(":", 3)
    place = spec().splitlines()[int(line) - 1][int(column) - 1 :]
    assert (file, place.startswith("gpu-operator:")) == ("fleet/fleet.yaml", True)


@pytest.mark.parametrize("words", [(), ("gpu-operator",)])
def test_an_upgrade_takes_the_first_step_where_the_whole_way_is_blocked(fleet: Run, words: tuple[str, ...]) -> None:
    done = fleet("upgrade", *words, "--ring", "prod")
    assert (done.code, spec()) == (0, FLEET.replace("gpu-operator: v25.10.1", "gpu-operator: v26.3.3"))
    assert "gpu-operator v26.3.3 is one step towards v26.7.0; upgrade again when it runs on every cluster" in done.err
    again = fleet("upgrade", *words, "--ring", "prod")
    assert (again.code, "gpu-operator: v26.7.0" in spec(), "one step" in again.err) == (0, True, False)


def test_force_takes_all_steps_at_once(fleet: Run) -> None:
    done = fleet("upgrade", "gpu-operator", "--ring", "prod", "--force")
    assert (done.code, "one step" in done.err) == (0, False)
    assert "clusters: [c3]\n    stack: {versions: {gpu-operator: v26.7.0}}" in spec()


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (("keda=",), "'keda=' has no version"),
        (("keda=2.19.0", "keda=2.18.3"), "keda is listed twice"),
        (("keda", "keda=2.18.3"), "keda is listed twice"),
        (("--pin", "keda=2.19.0"), "--pin writes the version that is built today"),
    ],
)
def test_arguments_without_a_single_version_change_nothing(fleet: Run, words: tuple[str, ...], reported: str) -> None:
    done = fleet("upgrade", *words)
    assert (done.code, spec()) == (2, FLEET)
    assert reported in done.err


def test_an_upgrade_is_shown_and_written(fleet: Run, snapshot: SnapshotAssertion) -> None:
    assert fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "prod").out == snapshot
    assert spec() == FLEET.replace("versions: {gpu-operator: v25.10.1}", "versions: {gpu-operator: v26.3.3}")


def test_a_cluster_gets_its_own_pin(fleet: Run) -> None:
    """The pin is added at the end of its document. The rings do not change."""
    assert fleet("upgrade", "keda=2.19.0", "--cluster", "c3").code == 0
    text = Path("fleet/c3.yaml").read_text(encoding="utf-8")
    assert text.endswith('kubernetesVersion: "1.34", stack: {versions: {keda: "2.19.0"}}}\n')
    assert spec() == FLEET


def test_clusters_that_keep_their_version_are_named(fleet: Run) -> None:
    done = fleet("upgrade", "keda=2.18.3")
    assert "keda is pinned on these clusters or their rings, which keep that version: c2" in done.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--ring", "canary"), "pins of clusters stay: use --cluster to upgrade gpu-operator and keda\n"),
        (("keda", "--ring", "canary"), "pins of clusters stay: use --cluster to upgrade keda\n"),
        (("keda",), "pins of rings and clusters stay: use --ring or --cluster to upgrade keda\n"),
        (("nvidia-device-plugin", "--ring", "canary"), "nvidia-device-plugin is not installed on this cluster\n"),
        (("nvidia-device-plugin",), "nvidia-device-plugin is not installed on any of these clusters\n"),
        (("--pin", "nvidia-device-plugin"), "nvidia-device-plugin is not installed on any of these clusters\n"),
    ],
)
def test_the_reason_why_nothing_is_upgraded_is_reported(fleet: Run, words: tuple[str, ...], why: str) -> None:
    write(PINNED.replace("NAME", "c1"), "fleet/c1.yaml")
    done = fleet("upgrade", *words, "--dry-run")
    assert (done.code, done.out, done.err) == (0, "nothing to pin or upgrade\n", why)


def test_pinning_the_built_versions_changes_no_overlay(fleet: Run) -> None:
    assert fleet("build").code == 0
    before = tree()
    assert fleet("upgrade", "--pin").code == 0
    assert "versions: {keda: " in spec()
    assert fleet("build").code == 0
    assert {path: text for path, text in tree().items() if not path.startswith(".")} == before
    done = fleet("upgrade", "--pin")
    assert done.out == "nothing to pin or upgrade\n"
    assert "use --ring or --cluster" in done.err


def test_an_anchor_is_not_broken(fleet: Run) -> None:
    text = FLEET.replace("versions: {gpu-operator: v26.3.3}", "versions: &v {gpu-operator: v26.3.3}")
    write(text.replace('{gpu-operator: "v25.10.1", keda: 2.19.0}', "*v"), "fleet/fleet.yaml")
    before = spec()
    done = fleet("upgrade", "gpu-operator=v26.7.0", "--ring", "early")
    assert (done.code, spec()) == (1, before)
    assert done.err == (
        "fleet/fleet.yaml:11:35: error[EDT001] cannot be edited here: an anchor, an alias or a merge key shares this "
        "value with another place\n"
        "  11 |       versions: &v {gpu-operator: v26.3.3}\n"
        "     |                                   ^\n"
        "  = help: set spec.rings.1.stack.versions.gpu-operator: v26.7.0 yourself\n"
    )


def test_no_file_is_changed_if_one_cannot_be_written(fleet: Run) -> None:
    os.chmod("fleet/c3.yaml", 0o444)
    before = tree("fleet")
    done = fleet("upgrade", "keda=2.19.0", "--cluster", "c*")
    assert (done.code, tree("fleet")) == (1, before)
    assert "fleet/c3.yaml: error[OUT011] is read-only: nothing was changed\n" in done.err
    assert "  = help: make the file writable, or edit it yourself\n" in done.err


def test_pins_are_those_of_the_ring(fleet: Run) -> None:
    """Each ring installs other software. Its existing pins are kept."""
    text = FLEET.replace(f"keda: helm{VALUES}", "verify: false").replace(", keda: 2.19.0}", "}, keda: helm")
    write(text, "fleet/fleet.yaml")
    for ring, names in {
        "early": ["keda", "node-feature-discovery"],
        "canary": ["node-feature-discovery", "node-problem-detector"],
        "prod": ["node-feature-discovery"],
    }.items():
        report = answer(fleet, "upgrade", "--pin", "--ring", ring, "--dry-run")
        assert [(each["part"], each["key"].rpartition(".")[2]) for each in report["edits"]] == [
            (f"ring {ring}", name) for name in names
        ]
    assert answer(fleet, "upgrade", "--pin", "keda", "--ring", "canary", "--dry-run")["edits"] == []
    both = answer(fleet, "upgrade", "--pin", "keda", "--dry-run")["edits"]
    assert [(each["part"], each["key"]) for each in both] == [("defaults", "versions.keda")]


def test_the_pin_of_a_cluster_has_priority(fleet: Run) -> None:
    """Its ring pins an older version."""
    done = fleet("upgrade", "keda", "--cluster", "c2", "--dry-run")
    assert (done.code, "keep that version" in done.err) == (0, False)
    assert "fleet/c2.yaml:4: cluster c2: versions.keda: (absent) -> " in done.out
    assert "keep that version" not in fleet("upgrade", "keda=2.18.3", "--cluster", "c*", "--dry-run").err
    write(
        CLUSTER.replace("NAME", "c1").replace('"1.34"}', '"1.34", stack: {versions: {keda: 2.19.0}}}'), "fleet/c1.yaml"
    )
    assert fleet("upgrade", "keda=2.18.3", "--ring", "canary", "--dry-run").err.endswith("keep that version: c1\n")


def test_pins_of_rings_do_not_make_the_fleet_outdated(fleet: Run) -> None:
    done = fleet("upgrade", "keda", "--dry-run")
    assert (done.code, done.out) == (0, "nothing to pin or upgrade\n")
    edits = answer(fleet, "upgrade", "keda", "--ring", "early", "--dry-run")["edits"]
    assert [(each["before"], each["key"]) for each in edits] == [("2.19.0", "versions.keda")]


@pytest.mark.parametrize(("clusters", "files"), [("c1", "1 file"), ("c*", "3 files")])
def test_files_are_counted(fleet: Run, clusters: str, files: str) -> None:
    words = ("upgrade", "keda=2.18.3", "--cluster", clusters)
    assert fleet(*words, "--dry-run").err.endswith(f"{files} would be changed; nothing was written\n")
    assert fleet(*words).err.endswith(f"{files} changed; run `gitgpu build` and commit the result\n")


def test_at_most_eight_clusters_that_keep_their_version_are_named(fleet: Run) -> None:
    names = [f"k{number}" for number in range(9)]
    for name in names:
        pinned = CLUSTER.replace("NAME", name).replace('"1.34"}', '"1.34", stack: {versions: {keda: 2.19.0}}}')
        write(pinned, f"fleet/{name}.yaml")
    write(FLEET.replace("[c1, c2, c3]", f"[c1, c2, c3, {', '.join(names)}]"), "fleet/fleet.yaml")
    done = fleet("upgrade", "keda=2.18.3", "--dry-run")
    kept = next(line for line in done.err.splitlines() if "keep that version" in line)
    assert kept.endswith(": c2, k0, k1, k2, k3, k4, k5, k6 and 2 more")


def test_upgrade_replaces_a_version_that_is_excluded_and_shows_the_plan(fleet: Run) -> None:
    row = 'versions: "=2.19.0", with: kubernetes, range: ">=1.34", verdict: excluded, why: It fails.'
    facts = f"rows: [{{{row}, source: {KEDA}}}]\nsource: [{KEDA}]\n"
    write(f'name: keda\n{facts}verified: "2026-11-23"\n', "catalog-own/compatibility/keda.yaml")
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [catalog-own]\n", ".gitgpu.yaml")
    assert "VER003" in fleet("validate").out
    assert fleet("upgrade", "--ring", "early").code == 2
    same = fleet("upgrade", "keda=2.19.0", "--ring", "early")
    assert (same.code, spec()) == (1, FLEET)
    assert "VER003" in same.err
    done = fleet("upgrade", "keda=2.18.3", "--ring", "early")
    assert (done.code, spec()) == (0, FLEET.replace("2.19.0", '"2.18.3"'))
    assert "keda 2.19.0 -> 2.18.3" in done.out


def test_upgrade_does_not_write_while_another_version_is_wrong(fleet: Run) -> None:
    text = FLEET.replace("keda: 2.19.0", "keda: 2.19.99").replace("v26.3.3", "26.3.3")
    write(text, "fleet/fleet.yaml")
    done = fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "canary")
    assert (done.code, spec()) == (1, text)
    assert "2.19.99" in done.err
    assert "no version 26.3.3" not in done.err
    same = fleet("upgrade", "keda=2.19.99", "--ring", "early")
    assert (same.code, spec()) == (1, text)


def test_upgrade_does_not_write_while_something_else_is_wrong(fleet: Run) -> None:
    text = FLEET.replace("v26.3.3", "26.3.3").replace("health: npd", "health: nothing")
    write(text, "fleet/fleet.yaml")
    assert fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "canary").code == 2
    assert spec() == text


def test_a_refusal_has_the_lines_of_the_files(fleet: Run) -> None:
    """The edit would add a line for the pin, but nothing is written, so the pool is still on its old line."""
    text = FLEET.replace(VALUES, "").replace(
        "    clusters: [c3]\n    stack: {versions: {gpu-operator: v25.10.1}}\n", "    clusters: [c3]\n"
    )
    text = text.replace("limits: {gpus: 2}}", 'limits: {gpus: 2}, driverBranch: "610"}')
    text = text.replace("clusters: [c1, c2, c3], sku", "clusters: [c3], sku")  # the other rings pin an older version
    write(text, "fleet/fleet.yaml")
    done = fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "prod")
    assert done.code == 1
    line = text[: text.index("driverBranch")].count("\n") + 1
    assert f"fleet/fleet.yaml:{line}:" in done.err
    assert f"fleet/fleet.yaml:{line + 1}:" not in done.err


def test_a_folder_with_the_name_of_a_chart_hides_no_remedy(fleet: Run) -> None:
    write("", "keda/values.yaml")
    assert "use keda for the newest version" in fleet("upgrade", "keda=latest").err


@pytest.mark.parametrize(
    ("word", "code", "reported"),
    [
        ("=2.19.0", 2, "'=2.19.0' has no name; use NAME=VERSION"),
        ("ollama", 1, "no chart or image 'ollama'; known names: amd-device-plugin, "),
        ("keda=latest", 1, "no version 'latest' of keda; use keda for the newest version"),
        (
            "fleet/fleet.yaml",
            1,
            "no chart or image 'fleet/fleet.yaml'; to name the fleet, use --fleet fleet/fleet.yaml",
        ),
    ],
)
def test_upgrade_explains_what_to_write(fleet: Run, word: str, code: int, reported: str) -> None:
    done = fleet("upgrade", word)
    assert (done.code, reported in " ".join(done.err.split())) == (code, True)
    assert spec() == FLEET


@pytest.mark.parametrize("version", ["26.3.3", "v26.3.3-1"])
def test_upgrade_names_the_version_that_was_probably_meant(fleet: Run, version: str) -> None:
    done = fleet("upgrade", f"gpu-operator={version}")
    assert done.code == 1
    assert "use gpu-operator=v26.3.3" in done.err


def test_an_empty_name_of_a_ring_is_unknown(fleet: Run) -> None:
    """As passed by a script with an unset variable."""
    done = fleet("upgrade", "keda", "--ring", "")
    assert (done.code, spec()) == (1, FLEET)
    assert "the fleet has no ring ''; known names: canary, early, prod" in done.err
    assert fleet("upgrade", "keda", "--ring", "", "--cluster", "c1").code == 2


def test_upgrade_reports_that_nothing_installs_the_software(fleet: Run) -> None:
    done = fleet("upgrade", "kaito-workspace=0.11.0", "--ring", "prod")
    assert "gitgpu does not install kaito-workspace on these clusters: the pin has no effect" in done.err
    assert "has no effect" not in fleet("upgrade", "keda=2.19.0", "--ring", "prod").err


def test_errors_that_the_unknown_version_hides_are_found_with_it(fleet: Run) -> None:
    text = FLEET.replace(VALUES, "").replace("v25.10.1", "v26.3.3")
    text = text.replace("limits:", 'driverBranch: "570", limits:')
    write(text.replace("v26.3.3", "26.3.3", 1), "fleet/fleet.yaml")
    assert "VER002" in fleet("validate").out
    done = fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "canary")
    assert (done.code, spec()) == (0, text)
    refused = fleet("upgrade", "gpu-operator=v26.7.0", "--ring", "canary")
    assert (refused.code, spec()) == (1, text)
    assert "DRV060" in refused.err


def test_blocked_software_does_not_prevent_other_upgrades(fleet: Run) -> None:
    """Without a name, everything else is upgraded, and the reason is noted."""
    text = FLEET.replace(VALUES, OBJECTS)
    write(text, "fleet/fleet.yaml")
    done = fleet("upgrade", "--ring", "early")
    assert done.code == 0
    assert 'gpu-operator: "v25.10.1"' in spec()
    assert "keda: 2.19.0" not in spec()
    assert "gpu-operator stays at v25.10.1: The cluster has NVIDIADriver objects" in done.err
    assert "EDT003" not in done.err
    again = spec()
    done = fleet("upgrade", "--ring", "early")
    assert (done.code, done.out, spec()) == (0, "nothing to pin or upgrade\n", again)
    assert "gpu-operator stays at" in done.err
    assert "pins of clusters stay" not in done.err
    assert fleet("upgrade", "--ring", "early", "--force").code == 0
    assert "v25.10.1" not in spec().partition("early")[2].partition("prod")[0]


def test_an_upgrade_that_the_state_of_the_cluster_blocks_is_refused(fleet: Run) -> None:
    text = FLEET.replace(VALUES, OBJECTS)
    write(text, "fleet/fleet.yaml")
    done = fleet("upgrade", "gpu-operator", "--ring", "prod")
    assert (done.code, spec()) == (1, text)
    assert "error[EDT003] gpu-operator cannot go from v25.10.1 to v26.3.3" in done.err
    assert "NVIDIADriver objects" in done.err


def test_a_pin_in_the_defaults_is_not_a_version_that_clusters_keep(fleet: Run) -> None:
    write(FLEET.replace("keda: helm,", "keda: helm, versions: {keda: 2.18.3},"), "fleet/fleet.yaml")
    done = fleet("upgrade", "keda=2.19.0", "--ring", "canary", "--dry-run")
    assert (done.code, "keep that version" in done.err) == (0, False)


def test_a_pool_with_the_name_of_a_cluster_gets_no_pin(fleet: Run) -> None:
    write(FLEET.replace("metadata: {name: t4}", "metadata: {name: c3}"), "fleet/fleet.yaml")
    assert fleet("upgrade", "keda=2.19.0", "--cluster", "c3").code == 0
    assert "stack: {versions: {keda:" in Path("fleet/c3.yaml").read_text(encoding="utf-8")


def test_only_software_that_is_outdated_is_said_to_stay(fleet: Run) -> None:
    write(FLEET.replace("keda: 2.19.0", "keda: 2.20.2"), "fleet/fleet.yaml")
    done = fleet("upgrade", "--dry-run")
    assert (done.out, done.err) == (
        "nothing to pin or upgrade\n",
        "pins of rings and clusters stay: use --ring or --cluster to upgrade gpu-operator\n",
    )


def test_a_change_is_refused_if_an_allowed_error_prevents_the_plan(fleet: Run) -> None:
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet]\nignore: [VER002]\n", ".gitgpu.yaml")
    text = FLEET.replace("v26.3.3", "v99.0.0")
    write(text, "fleet/fleet.yaml")
    done = fleet("upgrade", "keda=2.18.3", "--cluster", "c1")
    assert (done.code, done.out, "error[ALW004]" in done.err) == (1, "", True)
    assert "keda" not in Path("fleet/c1.yaml").read_text(encoding="utf-8")


def test_upgrade_replaces_an_unknown_version_of_a_fleet_with_other_findings(fleet: Run) -> None:
    text = FLEET.replace("limits: {gpus: 2}", "limits: {cpu: 64}")
    write(text.replace("v26.3.3", "26.3.3"), "fleet/fleet.yaml")
    assert {"VER002", "SKU008"} <= {*re.findall(r"\w+", fleet("validate").out)}
    assert fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "canary").code == 0
    assert spec() == text


CLAIMS = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: f}
spec:
  delivery: {engine: flux, repository: https://example.com/x}
  defaults: {stack: {allocation: dra, versions: {dra-driver-nvidia-gpu: "25.12.0"}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [c1], sku: Standard_NC16as_T4_v3, limits: {gpus: 2}}
---
""" + CLUSTER.replace("NAME", "c1")


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_an_upgrade_to_the_new_name_of_a_chart_says_what_is_deleted_and_created(run: Run, engine: str) -> None:
    """25.12.0 of nvidia-dra-driver-gpu is older than 0.4.0 of dra-driver-nvidia-gpu, in another release of Helm."""
    write(CLAIMS.replace("flux", engine), "fleet.yaml")
    assert run("build", "--out", "overlays").code == 0
    texts = "".join(path.read_text("utf-8") for path in Path("overlays").rglob("*.yaml"))
    assert "releaseName: nvidia-dra-driver-gpu\n" in texts
    assert "https://helm.ngc.nvidia.com/nvidia" in texts
    done = run("upgrade", "dra-driver-nvidia-gpu", "--dry-run")
    assert 'versions.dra-driver-nvidia-gpu: "25.12.0" -> "0.5.0"' in done.out
    assert "dra-driver-nvidia-gpu 25.12.0 -> 0.5.0 on 1 cluster: manual" in done.out
    by = "Helm" if engine == "flux" else "Argo CD"
    assert f"why: {by} deletes release nvidia-dra-driver-gpu of chart nvidia-dra-driver-gpu in namespace" in done.out
    assert "and creates release dra-driver-nvidia-gpu of chart dra-driver-nvidia-gpu in namespace" in done.out
    assert "you must apply" not in done.out
