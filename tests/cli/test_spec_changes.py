"""`promote`, `upgrade` and `outdated`: what they write, what they refuse, and their JSON output."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Run
from tests.cli.fleets import tree, write
from tests.cli.test_plan import REPORT

# Without NVIDIADriver objects, because 26.3 cannot adopt those of an earlier version. OBJECTS has them.
VALUES = ", values: {gpu-operator: {driver: {nvidiaDriverCRD: {enabled: false}}}}"
OBJECTS = VALUES.replace("enabled: false", "enabled: true")
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: f}
spec:
  delivery: {repository: https://example.com/x}
  defaults: {stack: {driver: operator, keda: helm}}  # for all
  rings:
  - name: canary  # first
    clusters: [c1]
    stack:
      versions: {gpu-operator: v26.3.3}
      health: npd
  - {name: early, clusters: [c2], stack: {versions: {gpu-operator: "v25.10.1", keda: 2.19.0}}}
  - name: prod
    clusters: [c3]
    stack: {versions: {gpu-operator: v25.10.1}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [c1, c2, c3], sku: Standard_NC16as_T4_v3, limits: {gpus: 2}}
""".replace("keda: helm}", f"keda: helm{VALUES}}}")
KEDA = "https://wiki.contoso.com/keda"
CLUSTER = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: NAME}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
"""


@pytest.fixture
def fleet(run: Run) -> Run:
    """A fleet of several files whose rings have different versions."""
    write(FLEET, "fleet/fleet.yaml")
    for name in ("c1", "c2", "c3"):
        write(CLUSTER.replace("NAME", name), f"fleet/{name}.yaml")
    return run


def spec() -> str:
    """The current Fleet document."""
    return Path("fleet/fleet.yaml").read_bytes().decode()


def answer(run: Run, *words: str) -> dict[str, Any]:
    """The result in JSON. Asserts that it fits its schema."""
    report: dict[str, Any] = json.loads(run(*words, "-o", "json").out)
    assert list(Draft7Validator(REPORT).iter_errors(report)) == []
    return report


def test_promote_copies_differing_values_and_removes_inherited_ones(fleet: Run) -> None:
    done = fleet("promote", "canary", "early")
    assert done.code == 0
    assert spec() == FLEET.replace('{gpu-operator: "v25.10.1", keda: 2.19.0}', '{gpu-operator: "v26.3.3"}')
    again = fleet("promote", "canary", "early")
    assert (again.code, again.out) == (0, "nothing to promote: early already has the same as canary\n")


def test_promote_replaces_the_only_pin_by_another_one(fleet: Run) -> None:
    text = FLEET.replace('gpu-operator: "v25.10.1", ', "")
    write(text, "fleet/fleet.yaml")
    assert fleet("promote", "early", "prod", "--force").code == 0
    assert spec() == text.replace("{gpu-operator: v25.10.1}", '{keda: "2.19.0"}')


def test_promote_copies_other_keys_that_are_named(fleet: Run) -> None:
    assert fleet("promote", "canary", "early", "--also", "health").code == 0
    assert 'versions: {gpu-operator: "v26.3.3"}, health: npd}' in spec()


@pytest.mark.parametrize(
    ("key", "reported"),
    [
        ("metrics.conters", "metrics has no key 'conters'; did you mean counters?"),
        ("health.npd", "health has no key 'npd'; use --also health"),
        ("", "the stack has no key ''; known names: driver, "),
        ("stack.health", "keys are relative to the stack: stack.health; use --also health"),
        ("stack.helth", "the stack has no key 'stack'; known names: driver, "),
        ("values.kedda", "values has no key 'kedda'; did you mean keda?"),
        ("values.gpu-operater.driver", "values has no key 'gpu-operater'; did you mean gpu-operator?"),
        ("values.gpu-operator.drivr", "values.gpu-operator has no key 'drivr'; did you mean driver?"),
        ("values.gpu-operator.driver.xyz", "no key 'xyz'; use a key of values.gpu-operator.driver that a ring sets"),
        ("versions.gpu-operator-chart", "versions has no key 'gpu-operator-chart'; did you mean gpu-operator?"),
        ("values.keda.resources.operator", "Fleet set values.keda.resources.operator; use a key of values.keda.res"),
        ("metrics.labels.team", "neither the rings nor spec.defaults of the Fleet set metrics.labels.team; use"),
        ("values.keda.podLabels.keda.tem", "set values.keda.podLabels.keda.tem; did you mean team?"),
    ],
)
def test_a_key_that_no_stack_has_is_refused(fleet: Run, key: str, reported: str) -> None:
    text = FLEET.replace("      health: npd\n", "      values: {keda: {podLabels: {keda: {team: gpu}}}}\n")
    write(text, "fleet/fleet.yaml")
    refused = fleet("promote", "canary", "early", "--also", key)
    assert (reported in refused.err, refused.code) == (True, 1)
    assert spec() == text


@pytest.mark.parametrize(
    "key",
    [
        "values.keda",
        "values.keda.resources",
        "versions.keda",
        "versions.nvidia-device-plugin",
        "metrics.labels",
    ],
)
def test_a_known_key_that_nothing_sets_is_nothing_to_promote(fleet: Run, key: str) -> None:
    write(FLEET.replace(", keda: 2.19.0", ""), "fleet/fleet.yaml")
    done = fleet("promote", "early", "prod", "--also", key)
    assert (done.code, done.out) == (0, "nothing to promote: prod already has the same as early\n")


def test_a_label_that_a_ring_sets_is_a_known_key(fleet: Run) -> None:
    write(FLEET.replace("health: npd", "metrics: {labels: {team: gpu}}"), "fleet/fleet.yaml")
    assert fleet("promote", "canary", "early", "--also", "metrics.labels.team").code == 0
    assert "metrics: {labels: {team: gpu}}}}" in spec()


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


def test_clusters_that_keep_their_own_version_are_named(fleet: Run) -> None:
    own = CLUSTER.replace("NAME", "c2").replace('"1.34"}', '"1.34", stack: {versions: {gpu-operator: v25.10.1}}}')
    write(own, "fleet/c2.yaml")
    done = fleet("promote", "canary", "early", "--also", "health", "--dry-run")
    assert done.err.splitlines() == [
        "1 file would be changed; nothing was written",
        "versions.gpu-operator is also set on these clusters themselves, so they keep their own value: c2",
    ]


def test_force_promotes_over_a_ring(fleet: Run) -> None:
    assert fleet("promote", "canary", "prod", "--force").code == 0
    assert "stack: {versions: {gpu-operator: v26.3.3}}" in spec()


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


def test_a_promotion_is_shown(fleet: Run, snapshot: SnapshotAssertion) -> None:
    """The change of the spec, the verdict, the plan of the ring, and a cluster that keeps its own version."""
    done = fleet("promote", "early", "prod", "--force", "--dry-run")
    assert f"{done.out}--- stderr\n{done.err}" == snapshot
    write(
        CLUSTER.replace("NAME", "c3").replace('"1.34"}', '"1.34", stack: {versions: {keda: 2.18.3}}}'), "fleet/c3.yaml"
    )
    done = fleet("promote", "early", "prod")
    assert f"{done.out}--- stderr\n{done.err}" == snapshot(name="kept")


def test_refused_promotions_are_explained(fleet: Run, snapshot: SnapshotAssertion) -> None:
    write(FLEET.replace("v26.3.3", "v26.7.0"), "fleet/fleet.yaml")
    ways = (("canary", "prod"), ("prod", "canary"), ("canary", "early"))
    assert "".join(fleet("promote", *way).err for way in ways) == snapshot


def test_a_cluster_gets_its_own_pin(fleet: Run) -> None:
    """The pin is added at the end of its document. The rings do not change."""
    assert fleet("upgrade", "keda=2.19.0", "--cluster", "c3").code == 0
    text = Path("fleet/c3.yaml").read_text(encoding="utf-8")
    assert text.endswith('kubernetesVersion: "1.34", stack: {versions: {keda: "2.19.0"}}}\n')
    assert spec() == FLEET


def test_clusters_that_keep_their_version_are_named(fleet: Run) -> None:
    done = fleet("upgrade", "keda=2.18.3")
    assert "keda is pinned on these clusters or their rings, which keep that version: c2" in done.err


PINNED = CLUSTER.replace('"1.34"}', '"1.34", stack: {versions: {keda: 2.19.0, gpu-operator: v26.3.3}}}')


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


def test_outdated_lists_rings_in_order(fleet: Run, snapshot: SnapshotAssertion) -> None:
    for form in ("text", "markdown"):
        done = fleet("outdated", "-o", form)
        assert done.code == 1
        assert done.out == snapshot(name=form)
    report = answer(fleet, "outdated")
    assert [each["ring"] for each in report["software"] if each["name"] == "gpu-operator"] == [
        "canary",
        "early",
        "prod",
    ]
    assert report["outdated"] == sum(each["outdated"] for each in report["software"])


def test_line_ends_of_windows_and_a_byte_order_mark_stay(fleet: Run) -> None:
    write(b"\xef\xbb\xbf" + FLEET.replace("\n", "\r\n").encode(), "fleet/fleet.yaml")
    assert fleet("promote", "early", "prod").code == 0
    content = Path("fleet/fleet.yaml").read_bytes()
    assert content.startswith(b"\xef\xbb\xbfapi")
    assert content.count(b"\n") == content.count(b"\r\n") == FLEET.count("\n")


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


def test_pins_are_those_of_the_ring(fleet: Run) -> None:
    """Each ring installs other software. Its existing pins are kept."""
    text = FLEET.replace(f"keda: helm{VALUES}", "verify: false").replace(", keda: 2.19.0}", "}, keda: helm")
    write(text, "fleet/fleet.yaml")
    for ring, names in {"early": ["keda"], "canary": ["node-problem-detector"], "prod": []}.items():
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


def test_a_change_that_breaks_a_rule_is_refused(fleet: Run) -> None:
    """Only the GPU Operator installs a driver for AMD."""
    pool = (
        "---\napiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {name: amd}\n"
        "spec: {clusters: [c2], sku: Standard_ND96isr_MI300X_v5, limits: {gpus: 8}}\n"
    )
    text = FLEET.replace("      health: npd", "      driver: aks") + pool
    write(text, "fleet/fleet.yaml")
    assert "error[" not in fleet("validate").out
    done = fleet("promote", "canary", "early", "--also", "driver")
    assert (done.code, spec(), done.out) == (1, text, "")
    assert "error[DRV" in done.err


def test_a_fleet_without_rings_has_none_to_promote(fleet: Run) -> None:
    text = FLEET[: FLEET.index("  rings:")] + FLEET[FLEET.index("---") :]
    write(text, "fleet/fleet.yaml")
    done = fleet("promote", "canary", "early")
    assert (done.code, done.err) == (
        1, "gitgpu: the fleet has no ring 'canary', because it has no rings; set spec.rings in the Fleet\n",
    )  # fmt: skip
    assert "nothing to" in fleet("upgrade").out


def test_at_most_eight_clusters_that_keep_their_version_are_named(fleet: Run) -> None:
    names = [f"k{number}" for number in range(9)]
    for name in names:
        pinned = CLUSTER.replace("NAME", name).replace('"1.34"}', '"1.34", stack: {versions: {keda: 2.19.0}}}')
        write(pinned, f"fleet/{name}.yaml")
    write(FLEET.replace("[c1, c2, c3]", f"[c1, c2, c3, {', '.join(names)}]"), "fleet/fleet.yaml")
    done = fleet("upgrade", "keda=2.18.3", "--dry-run")
    kept = next(line for line in done.err.splitlines() if "keep that version" in line)
    assert kept.endswith(": c2, k0, k1, k2, k3, k4, k5, k6 and 2 more")


@pytest.mark.parametrize("pin", ["26.3.3", "latest"])
def test_upgrade_replaces_a_version_that_the_catalog_does_not_have(fleet: Run, pin: str) -> None:
    write(FLEET.replace("v26.3.3", pin), "fleet/fleet.yaml")
    assert fleet("upgrade", "gpu-operator", "--ring", "canary").code == 2
    assert fleet("upgrade", "--pin").code == fleet("promote", "canary", "early").code == 2
    done = fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "canary")
    assert (done.code, spec()) == (0, FLEET)
    assert "there is no plan, because the fleet could not be built before the change" in done.err
    assert fleet("build").code == 0


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
    assert "26.3.3" not in done.err
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


def test_an_unknown_version_of_software_that_no_cluster_installs_can_be_allowed(fleet: Run) -> None:
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet]\nignore: [VER002]\n", ".gitgpu.yaml")
    write(FLEET.replace("gpu-operator: v26.3.3", "kaito-workspace: 99.0.0"), "fleet/fleet.yaml")
    assert fleet("build").code == fleet("images").code == 0
    assert fleet("outdated").code == 1


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


@pytest.mark.parametrize(("number", "reported"), [(20, "known names: l0, l1, "), (21, "use a key of metrics.labels")])
def test_a_remedy_lists_at_most_twenty_keys(fleet: Run, number: int, reported: str) -> None:
    labels = ", ".join(f"l{each}: a" for each in range(number))
    write(FLEET.replace("health: npd", f"metrics: {{labels: {{{labels}}}}}"), "fleet/fleet.yaml")
    assert reported in fleet("promote", "canary", "early", "--also", "metrics.labels.team").err


@pytest.mark.parametrize("words", [("promote", "x", "prod"), ("upgrade", "kedda"), ("upgrade", "--ring", "x")])
def test_an_unknown_name_has_a_code(fleet: Run, words: tuple[str, ...]) -> None:
    [result] = json.loads(fleet(*words, "-o", "json").out)["results"]
    assert (result["code"], result["file"], result["line"]) == ("CLI002", "", None)


def test_a_change_is_refused_if_an_allowed_error_prevents_the_plan(fleet: Run) -> None:
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet]\nignore: [VER002]\n", ".gitgpu.yaml")
    text = FLEET.replace("v26.3.3", "v99.0.0")
    write(text, "fleet/fleet.yaml")
    done = fleet("upgrade", "keda=2.18.3", "--cluster", "c1")
    assert (done.code, done.out, "error[ALW004]" in done.err) == (1, "", True)
    assert "keda" not in Path("fleet/c1.yaml").read_text(encoding="utf-8")


def test_a_label_in_the_defaults_is_a_known_key(fleet: Run) -> None:
    text = FLEET.replace("defaults: {stack: {", "defaults: {stack: {metrics: {labels: {team: gpu}}, ")
    write(text, "fleet/fleet.yaml")
    assert fleet("promote", "canary", "early", "--also", "metrics.labels.team", "--dry-run").code == 0
    refused = fleet("promote", "canary", "early", "--also", "metrics.labels.team.more")
    assert (refused.code, refused.err) == (
        1, "gitgpu: metrics.labels.team has no key 'more'; use --also metrics.labels.team\n",
    )  # fmt: skip


def test_upgrade_replaces_an_unknown_version_of_a_fleet_with_other_findings(fleet: Run) -> None:
    text = FLEET.replace("limits: {gpus: 2}", "limits: {cpu: 64}")
    write(text.replace("v26.3.3", "26.3.3"), "fleet/fleet.yaml")
    assert {"VER002", "SKU008"} <= {*re.findall(r"\w+", fleet("validate").out)}
    assert fleet("upgrade", "gpu-operator=v26.3.3", "--ring", "canary").code == 0
    assert spec() == text
