"""No format of findings shows a password that is not in a Secret."""

from pathlib import Path

import pytest

from gitgpu.report import format_names
from tests.cli.conftest import Run

REPOSITORY = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: fleet, namespace: flux-system}
spec: {url: "https://bot:hunter2@github.com/contoso/fleet", interval: soon}
"""
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: fleet}
spec: {delivery: {repository: "https://bot:hunter2@github.com/contoso/fleet"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
"""


@pytest.mark.parametrize(("command", "code", "text"), [("lint", "GIT024", REPOSITORY), ("validate", "DLV005", FLEET)])
@pytest.mark.parametrize("form", format_names())
def test_a_password_in_a_url_is_not_shown(run: Run, command: str, code: str, text: str, form: str) -> None:
    Path("fleet.yaml").write_text(text, encoding="utf-8")
    ran = run(command, "fleet.yaml", "-o", form)
    assert (ran.code, code in ran.out, "hunter2" in ran.out + ran.err) == (1, True, False)
