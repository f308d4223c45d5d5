"""An AKS Automatic cluster: its fleet has only what the cluster accepts, or says what is left to fill in."""

import json
from pathlib import Path

from tests.cli.conftest import KNOWN, Run
from tests.cli.import_.test_exports_of_one_cluster import show
from tests.runs.test_import import POOL

SPEC = Path("fleet/clusters/prod-swc/cluster.yaml")
MANAGED = "  tags: {EnableManagedGPUExperience: 'true'}\n"
FLUX = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: %s}
spec: {interval: 1m, url: https://github.com/acme/platform}
"""


def automatic(pools: str = POOL, flux: str = "") -> None:
    """The output of az aks show and NodePools, in the current directory."""
    body = json.loads(show("prod-swc", "Auto")) | {"sku": {"name": "Automatic", "tier": "Standard"}}
    Path("show.json").write_text(json.dumps(body | {"agentPoolProfiles": []}), encoding="utf-8")
    Path("pools.yaml").write_text(pools + (f"---\n{FLUX % flux}" if flux else ""), encoding="utf-8")


def test_what_is_filled_in_leads_to_a_clean_build(run: Run) -> None:
    automatic()
    ran = run("import", ".", *KNOWN)
    assert ran.code == 1
    fill_in = ran.out.partition("Fill in:")[2].partition("\n")[2].splitlines()[0]
    assert "a namespace that AKS Automatic lets Flux write to" in fill_in
    text = SPEC.read_text(encoding="utf-8")
    assert "driver: aks-only" in text
    [todo] = [line for line in text.splitlines() if "# TODO:" in line]
    assert "AUT0" not in ran.out + ran.err
    built = run("build", "fleet")
    assert built.code == 0
    assert "warning[IMP014] a namespace that AKS Automatic lets Flux write to is a placeholder" in built.out
    SPEC.write_text(text.replace(f"{todo}\n", "").replace("namespace: gitops", "namespace: delivery"), encoding="utf-8")
    assert "namespace: delivery" in SPEC.read_text(encoding="utf-8")
    built = run("build", "fleet")
    assert built.code == 0
    assert "IMP014" not in built.out


def test_the_namespace_of_flux_objects_in_the_input(run: Run) -> None:
    automatic(flux="delivery")
    assert "a namespace that" not in run("import", ".", *KNOWN).out
    assert "namespace: delivery" in SPEC.read_text(encoding="utf-8")
    assert run("build", "fleet").code == 0


def test_a_protected_namespace_is_not_kept(run: Run) -> None:
    automatic(flux="flux-system")
    assert "a namespace that AKS Automatic lets Flux write to" in run("import", ".", *KNOWN).out


def test_nodes_that_aks_manages(run: Run) -> None:
    automatic(POOL.replace("  osDiskSizeGB", f"{MANAGED}  osDiskSizeGB", 1))
    run("import", ".", *KNOWN)
    text = SPEC.read_text(encoding="utf-8")
    assert "driver: managed" in text
    assert "aks-only" not in text
    assert run("build", "fleet").code == 0
