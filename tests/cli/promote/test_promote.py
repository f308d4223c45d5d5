"""`promote`: what it writes, what it refuses, and what it says about clusters that keep their version."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Run
from tests.cli.edits.ringed_fleet import CLUSTER, FLEET, spec
from tests.cli.fleets import write


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


def test_line_ends_of_windows_and_a_byte_order_mark_stay(fleet: Run) -> None:
    write(b"\xef\xbb\xbf" + FLEET.replace("\n", "\r\n").encode(), "fleet/fleet.yaml")
    assert fleet("promote", "early", "prod").code == 0
    content = Path("fleet/fleet.yaml").read_bytes()
    assert content.startswith(b"\xef\xbb\xbfapi")
    assert content.count(b"\n") == content.count(b"\r\n") == FLEET.count("\n")


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


@pytest.mark.parametrize(("number", "reported"), [(20, "known names: l0, l1, "), (21, "use a key of metrics.labels")])
def test_a_remedy_lists_at_most_twenty_keys(fleet: Run, number: int, reported: str) -> None:
    labels = ", ".join(f"l{each}: a" for each in range(number))
    write(FLEET.replace("health: npd", f"metrics: {{labels: {{{labels}}}}}"), "fleet/fleet.yaml")
    assert reported in fleet("promote", "canary", "early", "--also", "metrics.labels.team").err


def test_a_label_in_the_defaults_is_a_known_key(fleet: Run) -> None:
    text = FLEET.replace("defaults: {stack: {", "defaults: {stack: {metrics: {labels: {team: gpu}}, ")
    write(text, "fleet/fleet.yaml")
    assert fleet("promote", "canary", "early", "--also", "metrics.labels.team", "--dry-run").code == 0
    refused = fleet("promote", "canary", "early", "--also", "metrics.labels.team.more")
    assert (refused.code, refused.err) == (
        1, "gitgpu: metrics.labels.team has no key 'more'; use --also metrics.labels.team\n",
    )  # fmt: skip
