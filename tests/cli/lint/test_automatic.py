"""AKS Automatic clusters: --automatic, lint.automatic and lint.excludedNamespaces."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

AGENT = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: gpu}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: agent, image: "contoso.azurecr.io/agent:1.0", securityContext: {privileged: true}}]
"""
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nlint: {%s}\n"


@pytest.fixture(autouse=True)
def _agent(run: Run) -> None:
    Path("agent.yaml").write_text(AGENT)


def test_a_cluster_is_no_automatic_one_unless_something_says_so(run: Run) -> None:
    assert "APL103" not in run("lint", "agent.yaml").out


def test_the_option_warns_because_namespaces_may_be_excluded(run: Run) -> None:
    ran = run("lint", "agent.yaml", "--automatic")
    assert ran.code == 0
    assert "warning[APL103] AKS Automatic rejects pods with privileged containers, unless" in ran.out


@pytest.mark.parametrize(
    ("settings", "code", "severity"),
    [
        ("automatic: true", 0, "warning[APL103]"),
        ("automatic: true, excludedNamespaces: []", 1, "error[APL103]"),
        ("automatic: true, excludedNamespaces: [other]", 1, "error[APL103]"),
        ("automatic: true, excludedNamespaces: [other, gpu]", 0, ""),
        ("excludedNamespaces: []", 0, ""),
    ],
)
def test_the_configuration_says_which_namespaces_are_excluded(
    run: Run, settings: str, code: int, severity: str
) -> None:
    Path(".gitgpu.yaml").write_text(CONFIG % settings)
    ran = run("lint", "agent.yaml")
    assert ran.code == code
    assert (severity or "APL103") in ran.out if severity else "APL103" not in ran.out
