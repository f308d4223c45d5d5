"""Suppressing any error of a fleet: the fleet compiles anyway, or a finding explains what prevents it."""

import re
from pathlib import Path
from typing import Any

import pytest

from gitgpu.diagnostic import Severity
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.text import Text
from gitgpu.policy import Policy
from gitgpu.rule import Rule
from gitgpu.runs.build import build_checked
from gitgpu.runs.validate import CheckedFleet, refuse_allowances, settle_fleet, validate_texts
from tests.cli.conftest import Run
from tests.cli.fleets import CLUSTER, FLEET, POOL, SOUND, write
from tests.rules.fleet.examples import BASE, CLOCK, INVENTED, RULES

ERRORS = [rule for rule in RULES if rule.severity is Severity.ERROR]
# Without what they require, nothing can be written.
NEEDED = {"AGP001", "AGP003", "MET001", "SCL027", "TEA009", "VER002"}
AUTOSCALED = CLUSTER.replace("spec: {", "spec: {provisioner: cluster-autoscaler, ")
SPEC = "---\n".join((FLEET, AUTOSCALED, POOL.replace("limits: {gpus: 2}", "nodes: {max: 2}")))


def ignoring(rule: Rule[Any, Any]) -> CheckedFleet:
    """The bad example of a rule, with its findings ignored. Documents of omitted kinds come from the base."""
    kinds = set(re.findall(r"^kind: (\w+)", rule.bad, re.MULTILINE))
    texts = [Text("fleet.yaml", rule.bad, "fleet.yaml")]
    texts += [Text(f"{kind}.yaml", text, f"{kind}.yaml") for kind, text in BASE.items() if kind not in kinds]
    first = rule.bad.partition("\n")[0]
    today = first.removeprefix(CLOCK) if first.startswith(CLOCK) else ""
    checked = validate_texts(texts, FleetOptions((Folder(INVENTED, "mine"),), today))
    return settle_fleet(checked, Policy(ignore=(rule.code,)))


@pytest.mark.parametrize("rule", ERRORS, ids=lambda rule: rule.code)
def test_an_error_that_is_ignored_compiles_or_is_reported(rule: Rule[Any, Any]) -> None:
    checked = ignoring(rule)
    assert {finding.code for finding in checked.allowed} == {rule.code}
    made = build_checked(checked)
    assert bool(made.files) is not bool(made.errors)
    assert ({error.code for error in made.errors} == {"ALW004"}) is (rule.code in NEEDED)
    for diagnostic in made.errors if rule.code in NEEDED else ():
        assert rule.code in diagnostic.message
        assert (diagnostic.span.file, bool(diagnostic.help)) == ("fleet.yaml", True)


COMMENT = SPEC.replace("kind: Cluster\n", "kind: Cluster  # gitgpu: ignore[AGP001] later\n")
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
WAYS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "ignore": (SPEC, "", ("--ignore", "AGP001")),
    "select": (SPEC, "", ("--select", "SKU")),
    "configuration": (SPEC, f"{CONFIG}ignore: [AGP001]\n", ()),
    "an entry of the configuration": (SPEC, f"{CONFIG}allow: [{{code: AGP001, reason: later}}]\n", ()),
    "a comment": (SPEC.replace("provisioner: cluster-autoscaler", "PROVISIONER"), "", ()),
}


@pytest.mark.parametrize("command", [("build",), ("build", "--check"), ("validate",), ("plan", "--against", "old")])
@pytest.mark.parametrize("way", WAYS)
def test_an_error_that_prevents_compiling_cannot_be_allowed(run: Run, way: str, command: tuple[str, ...]) -> None:
    spec, config, options = WAYS[way]
    if options and command[0] == "plan":
        pytest.skip("plan has no such option")
    if "PROVISIONER" in spec:
        lines = "spec:\n  # gitgpu: ignore[AGP001] later\n  provisioner: cluster-autoscaler\n"
        spec = re.sub(r"spec: \{PROVISIONER, (.*)\}", lambda match: lines + _block(match[1]), spec)
    write(spec)
    if config:
        write(config, ".gitgpu.yaml")
    write(SOUND, "sound.yaml")
    assert run("build", "sound.yaml", "--out", "old").code == 0
    ran = run(*command, *options)
    assert ran.code == (2 if command[0] == "plan" else 1)  # exit status 1 of plan means a difference
    assert "error[ALW004]" in ran.out + ran.err
    assert "AGP001, AKS node pools need" in ran.out + ran.err


def test_simulate_reports_an_error_that_cannot_be_allowed(run: Run) -> None:
    write(SOUND.replace('"1.36"', '"1.36", stack: {metrics: {counters: [DCGM_FI_DEV_SM_UTIL]}}'))
    write(f"{CONFIG}ignore: [MET001]\n", ".gitgpu.yaml")
    ran = run("simulate")
    assert ran.code == 1
    assert "error[ALW004]" in ran.out + ran.err


def test_a_model_on_amd_gpus_adds_no_labels_of_nvidia(run: Run) -> None:
    model = (
        "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\nmetadata: {name: chat, namespace: serving}\n"
        "spec: {pools: [amd], inference: {preset: phi-4-mini-instruct}}\n"
    )
    pool = (
        "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata: {name: amd}\n"
        "spec: {clusters: [c1], sku: Standard_ND96isr_MI300X_v5, driver: none, limits: {gpus: 8}}\n"
    )
    cluster = CLUSTER.replace("spec: {", "spec: {stack: {kaito: helm}, ")
    write(f"{FLEET}---\n{cluster}---\n{pool}---\n{model}")
    ran = run("build", "--ignore", "KTO007")
    assert ran.code == 0, ran.err
    assert "nvidia.com" not in Path("overlays/c1/nodes/nodepool-amd.yaml").read_text()


UNUSED = SOUND.replace("kind: Cluster\n", "kind: Cluster  # gitgpu: ignore[SKU006] later\n")
ROW = 'name: Standard_NC16as_T4_v3\nextends: gitgpu\nvcpus: 16\nsource: [https://x]\nverified: "2026-11-21"\n'


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("", "", "ALW001"),
        ("region: swedencentral", "regon: swedencentral", "SHP003"),
        ("limits: {gpus: 2}", "limits: {gpus: 2", "YML001"),
        ("[c1]", "[c1, c2]", "LNK004"),
        ("vcpus: 16", "vcpus: many", "CAT004"),
    ],
)
def test_no_allowance_is_called_unused_while_something_cannot_be_read(run: Run, old: str, new: str, code: str) -> None:
    """The finding may exist after all: the rules have not seen the whole fleet."""
    write(UNUSED.replace(old, new))
    write(ROW.replace(old, new), "mine/skus/Standard_NC16as_T4_v3.yaml")
    write(f"{CONFIG}catalog: [mine]\n", ".gitgpu.yaml")
    out = run("validate", "fleet.yaml").out
    assert f"[{code}]" in out
    assert ("ALW001" in out) is (code == "ALW001")


def test_an_error_that_is_not_allowed_is_raised() -> None:
    with pytest.raises(KeyError):
        refuse_allowances(CheckedFleet((), None, (), 0), KeyError("a bug"))


def _block(flow: str) -> str:
    return "".join(f"  {pair}\n" for pair in flow.split(", "))


@pytest.mark.parametrize(("code", "is_unused"), [("SKU001", True), ("VAL001", False), ("PAT001", False)])
def test_an_allowance_for_what_another_error_hides_is_not_unused(run: Run, code: str, *, is_unused: bool) -> None:
    """Chart values and patches are checked only if nothing else is wrong."""
    write(SPEC)
    write(f"{CONFIG}allow: [{{code: {code}, reason: later}}]\n", ".gitgpu.yaml")
    assert ("ALW001" in run("validate").out) is is_unused
    write(SOUND)
    assert "ALW001" in run("validate").out
