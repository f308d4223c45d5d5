"""Findings in fleets with several faults: which of them are reported together, and where."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.text import Text
from gitgpu.policy import Policy
from gitgpu.runs.build import BuildOptions, build, build_checked, compile_faults
from gitgpu.runs.validate import CheckedFleet, link_fleet, refuse_allowances, validate_texts
from gitgpu.source import Span
from tests.helping.cases import for_each

HEAD = """apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: example}
spec:
  delivery: {repository: https://github.com/contoso/gpus}
  defaults:
    stack: {keda: none, metrics: {scrape: none, exporter: false}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: one}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
"""
POOLS: Mapping[str, str] = {
    "sound": "spec: {clusters: [one], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}}",
    "another sound one": "spec: {clusters: [one], sku: Standard_NC24ads_A100_v4, limits: {gpus: 4}}",
    "an unknown key": "spec: {clusters: [one], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, wieght: 3}",
    "a wrong type": "spec: {clusters: [one], sku: Standard_NC16as_T4_v3, limits: {gpus: four}}",
    "a wrong type where a rule looks too": "spec: {clusters: [one], sku: Standard_NC6, limits: {gpus: 0}, zones: 1}",
    "an unknown size": "spec: {clusters: [one], sku: Standard_NC16as_T4_v4, limits: {gpus: 4}}",
    "a retired size": "spec: {clusters: [one], sku: Standard_NC6, limits: {gpus: 4}}",
    "an unknown cluster": "spec: {clusters: [two], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}}",
    "an unknown cluster and a wrong type": "spec: {clusters: [two], sku: Standard_NC16as_T4_v3, limits: 4}",
    "no size": "spec: {clusters: [one], limits: {gpus: 4}}",
    "no limit": "spec: {clusters: [one], sku: Standard_NC16as_T4_v3}",
    "an absent zone": "spec: {clusters: [one], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, zones: [9]}",
    "a patch of nothing": "spec: {clusters: [one], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, patches: [{target: "
    "{kind: DaemonSet, name: x}, patch: {spec: {}}}]}",
    "a patch that breaks": "spec: {clusters: [one], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, patches: [{target: "
    "{kind: NodePool}, patch: {spec: {weight: heavy}}}]}",
    "two faults of shape": "spec: {clusters: [one], sku: 3, limits: {gpus: four}, driver: own}",
}
CLUSTERS: Mapping[str, str] = {
    "an unknown region": HEAD.replace("swedencentral", "atlantis"),
    "an old version": HEAD.replace('"1.34"', '"1.20"'),
    "a cluster of the wrong shape": HEAD.replace('"1.34"', "[1]"),
    "a key of the cluster that is not known": HEAD.replace("{region:", "{zone: 1, region:"),
    "no Fleet": HEAD.partition("---\n")[2],
    "a Fleet of the wrong shape": HEAD.replace("keda: none", "keda: sometimes"),
    "two Fleets": f"{HEAD}---\n{HEAD.partition('---')[0]}",
    "no Cluster": HEAD.partition("---\n")[0],
    "a text that is not YAML": f"{HEAD}---\na: [",
    "an unknown kind": f"{HEAD}---\napiVersion: gitgpu.dev/v1alpha1\nkind: Pool\nmetadata: {{name: x}}\n",
}


def spec_of(head: str, *pools: str) -> Text:
    """The spec of a fleet of these pools."""
    heads = "---\napiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {{name: p{}}}\n{}\n"
    text = head + "".join(heads.format(at, spec) for at, spec in enumerate(pools))
    return Text("fleet.yaml", text, "fleet.yaml")


def fleet(head: str, *pools: str) -> CheckedFleet:
    """The findings in a fleet of these pools."""
    return validate_texts([spec_of(head, *pools)])


def shown(checked: CheckedFleet) -> list[str]:
    """The findings as lines, in the order in which they were found."""
    lines = [
        f"  {each.span} {each.severity} {each.code} {each.object.name}: {each.message}" for each in checked.diagnostics
    ]
    return [f"  {checked.objects} documents, {'no' if checked.inputs is None else 'a'} fleet", *lines]


def test_the_findings_in_fleets_with_several_faults(snapshot: SnapshotAssertion) -> None:
    recorded = []
    for name, pool in POOLS.items():
        recorded += [name, *shown(fleet(HEAD, pool))]
        for beside in ("a retired size", "an unknown key", "an unknown cluster", "a patch that breaks"):
            recorded += [f"{name}, with {beside}", *shown(fleet(HEAD, pool, POOLS[beside]))]
    for name, head in CLUSTERS.items():
        for beside in ("sound", "a retired size", "an unknown key"):
            recorded += [f"{name}, with a pool with {beside}", *shown(fleet(head, POOLS[beside]))]
    assert "\n".join(recorded) == snapshot


def codes(checked: CheckedFleet) -> list[str]:
    """The codes of the findings, in the order in which they were found."""
    return [finding.code for finding in checked.diagnostics]


def test_unknown_names_are_reported_together_with_a_fleet_of_the_wrong_shape() -> None:
    wrong = CLUSTERS["a Fleet of the wrong shape"]
    assert codes(fleet(wrong, POOLS["an unknown cluster"], POOLS["a retired size"])) == ["SHP003", "LNK004"]


def test_no_rule_is_applied_if_one_of_the_clusters_cannot_be_read() -> None:
    another = HEAD.partition("---\n")[2].replace("name: one", "name: two").replace('"1.34"', "[1]")
    assert codes(fleet(f"{HEAD}---\n{another}", POOLS["a retired size"])) == ["SHP003"]


def test_a_pool_of_the_wrong_shape_is_not_reported_as_missing() -> None:
    discovering = HEAD.replace('"1.34"', '"1.34", stack: {discovery: gfd}')
    assert codes(fleet(discovering)) == ["DSC001"]  # no pool has nodes for it
    assert codes(fleet(discovering, POOLS["an unknown key"])) == ["SHP003"]


@for_each(("entry", "is_reported"), [("pool: p0", False), ("model: T4", False), ("pool: p1, mig: 1g.10gb", True)])
def test_a_pool_of_an_unknown_size_may_have_what_a_quota_counts(entry: str, is_reported: bool) -> None:
    team = "---\napiVersion: gitgpu.dev/v1alpha1\nkind: GpuTeam\nmetadata: {name: a}\n"
    team += f"spec: {{namespaces: [a], quota: [{{{entry}, gpus: 1}}]}}\n"
    head = HEAD.replace('"1.34"', '"1.34", stack: {queues: kueue}') + team
    found = codes(fleet(head, POOLS["an unknown size"], POOLS["another sound one"]))
    assert "LNK007" in found
    assert ("TEA003" in found) is is_reported


@pytest.mark.parametrize(
    ("limits", "more", "expected"),
    [
        ("{gpus: 4}", "", ["SKU007"]),  # of a node with 8
        ("{gpus: 4, cpus: 1}", "", ["SHP003"]),
        ("{gpus: 4, cpus: 1}", ", zones: 3", ["SHP003", "SHP003"]),
    ],
)
def test_rules_report_nothing_below_a_key_of_the_wrong_shape(limits: str, more: str, expected: list[str]) -> None:
    pool = f"spec: {{clusters: [one], sku: Standard_ND96asr_v4, limits: {limits}{more}}}"
    assert [code for code in codes(fleet(HEAD, pool)) if code != "SKU016"] == expected  # it has no price there


def test_a_fleet_is_built_or_has_errors() -> None:
    sound, wrong = fleet(HEAD, POOLS["sound"]), fleet(HEAD, POOLS["a retired size"])
    made = build_checked(sound, options=BuildOptions(proven=True))
    assert (made.checked, made.clusters, made.errors) == (sound, ("one",), ())
    assert {path.partition("/")[0] for path in made.files} == {"one"}
    none = build_checked(sound, [])
    assert (none.clusters, dict(none.files), none.faults) == ((), {}, ())
    broken = build_checked(wrong)
    assert (dict(broken.files), broken.clusters, broken.faults) == ({}, (), ())
    assert broken.errors
    assert {error.severity for error in broken.errors} == {Severity.ERROR}
    assert compile_faults(sound) == ()


def test_a_build_refuses_only_errors_that_its_policy_does_not_suppress() -> None:
    pool = "spec: {clusters: [one], sku: Standard_ND96asr_v4, limits: {gpus: 4}}"  # of a node with 8
    linked = link_fleet([spec_of(HEAD, pool)])
    assert [error.code for error in build(linked).errors] == ["SKU007"]
    made = build(linked, policy=Policy(ignore=("SKU007",)))
    assert [error.code for error in made.errors] == ["NPS015"]  # found in the output, after it was compiled


ALLOWED = Diagnostic("NPL010", Severity.ERROR, "it is wrong", "fix it", Span("a.yaml", 3, 1))


@pytest.mark.parametrize(("count", "which"), [(1, "this error is"), (2, "these 2 errors are")])
def test_a_step_that_fails_because_of_allowed_errors_is_reported_at_each_of_them(count: int, which: str) -> None:
    checked = fleet(HEAD)._replace(allowed=(ALLOWED,) * count)
    diagnostics = refuse_allowances(checked, KeyError("x"))
    message = f"the fleet cannot be compiled while {which} allowed: NPL010, it is wrong"
    help_ = "fix it, and remove the suppression"
    assert diagnostics == (ALLOWED._replace(code="ALW004", message=message, help=help_),) * count


def test_a_step_that_fails_without_an_allowed_error_is_a_bug() -> None:
    with pytest.raises(KeyError):
        refuse_allowances(fleet(HEAD), KeyError("x"))


def test_an_allowed_error_of_a_patch_is_not_reported_by_the_build() -> None:
    broken = fleet(HEAD, POOLS["a patch that breaks"])
    [error] = broken.diagnostics
    refused, allowed, another = (
        broken._replace(diagnostics=(), allowed=allowed) for allowed in ((), (error,), (ALLOWED,))
    )
    assert build_checked(refused).errors == (error,)
    made = build_checked(allowed)
    assert (made.errors, bool(made.files)) == ((), True)
    assert compile_faults(another) == ()  # what an allowed error prevents, not what else is wrong


def test_a_row_of_your_catalog_that_is_not_valid_is_reported_alone(tmp_path: Path) -> None:
    """Rules do not run, because their results depend on the row."""
    text = Text("fleet.yaml", f"{HEAD}---\napiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {{name: p}}\n"
                f"{POOLS['a retired size']}\n", "fleet.yaml")  # fmt: skip
    row = tmp_path / "skus" / "Standard_Own.yaml"
    row.parent.mkdir()
    row.write_text("name: Standard_Own\n", encoding="utf-8")
    diagnostics = validate_texts([text], FleetOptions((Folder(str(tmp_path), "mine"),))).diagnostics
    assert {fault.code[:3] for fault in diagnostics} == {"CAT"}
    assert {fault.span.file for fault in diagnostics} == {str(row)}
    assert [fault.code for fault in validate_texts([text]).diagnostics] == ["SKU001"]
