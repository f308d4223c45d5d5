"""The page about refreshing the catalog, run as written: a refresh changes a price and withdraws a zone.

az, curl, kubectl and date print recorded answers.
"""

import os
from pathlib import Path

import pytest

from tests.journeys.repository import ALONE, IDENTITY, Repository, repository
from tests.journeys.test_handover import run, steps
from tests.journeys.test_shown_output import consoles

ROOT = Path(__file__).parents[2]
RECORDED = Path(__file__).parent / "recorded"
ANSWERS = f"""#!/bin/sh
case "$(basename "$0") $*" in
  "az vm list-skus "*"--all -o json") cat {RECORDED}/skus.json ;;
  "az vm list-usage "*"-o json") cat {RECORDED}/usage.json ;;
  "az aks get-versions "*"-o json") cat {RECORDED}/versions.json ;;
  "curl "*"prices.azure.com"*"skip="*) cp {RECORDED}/prices/2.json "$5" ;;
  "curl "*"prices.azure.com"*" "*) exit 3 ;;
  "curl "*"prices.azure.com"*) cp {RECORDED}/prices/1.json "$5" ;;
  "curl "*"/index.yaml") cp {RECORDED}/index.yaml "$5" ;;
  "kubectl get nodes -o json") echo '{{"kind": "List", "items": []}}' ;;
  "date +%F") echo 2026-11-23 ;;
  *) exit 4 ;;
esac
"""
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet.yaml]\ncatalog: [catalog-azure]\n"
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso}
spec: {delivery: {engine: flux, repository: https://github.com/contoso/fleet, path: overlays}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.35"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, zones: [2, 3], limits: {gpus: 4}}
"""


@pytest.fixture
def company(tmp_path: Path) -> Repository:
    """A repository with a fleet that was built with gitgpu's own catalog."""
    made = repository(tmp_path / "work")
    (made.root / "fleet.yaml").write_text(FLEET, encoding="utf-8")
    (made.root / ".gitgpu.yaml").write_text(CONFIG.replace("catalog: [catalog-azure]\n", ""), encoding="utf-8")
    assert made.gitgpu("build") == 0
    (made.root / ".gitgpu.yaml").write_text(CONFIG, encoding="utf-8")
    made.commit()
    return made


@pytest.fixture
def environment(tmp_path: Path, gitgpu: str) -> dict[str, str]:
    """An environment with `gitgpu` of this checkout, and with programs that answer as recorded."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gitgpu").write_text(gitgpu)
    for name in ("az", "curl", "kubectl", "date"):
        (programs / name).write_text(ANSWERS)
    for program in programs.iterdir():
        program.chmod(0o755)
    outside = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    paths = {"PATH": f"{programs}{os.pathsep}{outside['PATH']}"}
    return {**outside, **IDENTITY, **ALONE, **paths}


def test_the_steps_of_the_page_work_as_written(company: Repository, environment: dict[str, str]) -> None:
    reported = [run(company.root, step, environment) for step in steps("keep-the-catalog-fresh.md")]
    assert "onDemand.Standard_NC24ads_A100_v4: 4.775 -> 5.25" in reported[3]
    assert "catalog-azure: 5 written, 0 removed, 0 unchanged" in reported[3]
    (facts,) = consoles("docs/how-to/keep-the-catalog-fresh.md")
    assert facts.removeprefix("$ gitgpu catalog diff\n") in reported[4]
    assert "price at the limits: 19.10 -> 21.00 USD/hour" in reported[4]
    assert company.git("log", "--format=%s", "-1") == "Refresh the catalog\n"
    assert company.gitgpu("catalog", "diff") == 0
    assert company.gitgpu("catalog", "diff", "HEAD~1") == 1


def test_a_refresh_changes_a_price_and_withdraws_a_zone(
    company: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pool loses a zone, which simulate shows; a pool in that zone alone is an error, until it moves."""
    answers = ("--skus", f"{RECORDED}/skus.json", "--prices", f"{RECORDED}/prices", "--today", "2026-11-23")
    assert company.gitgpu("catalog", "refresh", *answers) == 0
    assert company.gitgpu("catalog", "diff", "HEAD") == 1
    assert "price at the limits: 19.10 -> 21.00" in capsys.readouterr().out
    assert company.gitgpu("build") == 0
    fleet = company.root / "fleet.yaml"
    fleet.write_text(FLEET.replace("[2, 3]", "[3]"), encoding="utf-8")
    assert company.gitgpu("validate") == 1
    assert "SKU006] swedencentral (prod-swc) has no Standard_NC24ads_A100_v4 in the zones" in capsys.readouterr().out
    assert company.gitgpu("catalog", "diff") == 2
    assert "cannot be built with the newer catalog" in capsys.readouterr().err
    fleet.write_text(FLEET.replace("[2, 3]", "[2]"), encoding="utf-8")
    assert company.gitgpu("build") == 0
    company.commit()
    assert company.gitgpu("catalog", "diff") == 0
