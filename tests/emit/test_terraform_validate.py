"""Terraform itself accepts the configuration, where its binary and the provider azapi are installed."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from gitgpu.emit.pages.terraform import PAGE
from tests.emit.fleets import CLUSTER_ID, Body, cluster, fleet, plans, pool

TERRAFORM = shutil.which("terraform") or shutil.which("tofu") or ""
PLUGINS = os.environ.get("GITGPU_TERRAFORM_PLUGINS", "")  # a folder that `terraform providers mirror` wrote
AZURE = {"azure": "terraform"}
FIXED: Body = {"nodes": {"min": 2, "max": 2}}


def terraform(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Terraform in a folder."""
    return subprocess.run([TERRAFORM, *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not (TERRAFORM and PLUGINS), reason="Terraform or its provider azapi is not installed")
@pytest.mark.parametrize("automatic", [False, True])
def test_terraform_accepts_the_configuration(automatic: bool, tmp_path: Path) -> None:
    if automatic:
        own = cluster(sku="automatic", delivery={**AZURE, "namespace": "gitops"}, resourceId=CLUSTER_ID)
        documents = [own, pool("t4", driver="managed")]
    else:
        own = cluster(provisioner="cluster-autoscaler", delivery=AZURE, resourceId=CLUSTER_ID)
        documents = [own, pool("fixed", **FIXED), pool("scaled", nodes={"min": 0, "max": 3})]
    [plan] = plans(fleet(), *documents).values()
    (tmp_path / "cluster.tf.json").write_text(PAGE.write(plan), encoding="utf-8")
    started = terraform(tmp_path, "init", "-backend=false", "-input=false", f"-plugin-dir={PLUGINS}")
    assert started.returncode == 0, started.stderr
    validated = json.loads(terraform(tmp_path, "validate", "-json").stdout)
    assert [each["summary"] for each in validated["diagnostics"] if each["severity"] == "error"] == []
