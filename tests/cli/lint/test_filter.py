"""`lint --filter`: the files that changed, checked together with all others, as the pre-commit hook does."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import write

POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: "8"}
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: chat
  namespace: ${NAMESPACE}
spec:
  nodeSelector: {karpenter.azure.com/sku-name: Standard_NC24ads_A100_v4}
  containers:
  - {name: main, image: registry.example/chat:1.4, resources: {limits: {nvidia.com/gpu: "1"}}}
"""
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: all, namespace: flux-system}
spec:
  interval: 10m
  path: ./apps
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substitute: {NAMESPACE: chat}}
"""
OTHERS = {
    "charts/app/Chart.yaml": "apiVersion: v2\nname: app\nversion: 0.1.0\n",
    "charts/app/templates/deployment.yaml": (
        'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ include "app.name" . }}\n'
    ),
    "mkdocs.yml": "plugins:\n- emoji: !!python/name:material.extensions.emoji.twemoji\n",
    "ci/workflow.yml": "on: [push]\njobs: {}\n",
    ".github/workflows/ci.yml": "on: [push]\njobs: {}\n",
}


@pytest.fixture(autouse=True)
def _monorepo(run: Run) -> None:
    for file, content in {**OTHERS, "apps/pool.yaml": POOL, "apps/pod.yaml": POD, "clusters/flux.yaml": FLUX}.items():
        write(content, file)


def codes(run: Run, *arguments: str) -> list[str]:
    """The codes of errors and warnings that a run reports."""
    report = json.loads(run("lint", "-o", "json", *arguments).out)
    return [finding["code"] for finding in report["results"] if finding["severity"] != "info"]


def test_files_of_other_tools_are_not_reported(run: Run) -> None:
    ran = run("lint", "--filter", "--", *OTHERS)
    assert ran.code == 0
    assert "error[" not in ran.out
    assert "warning[" not in ran.out
    assert "2 findings in other files: see `gitgpu lint` without --filter" in ran.err
    assert run("lint", "--", *OTHERS).code == 1  # named files are manifests


def test_a_changed_file_is_checked_together_with_the_others(run: Run) -> None:
    assert codes(run) == ["POD001"]
    assert codes(run, "--filter", "apps/pod.yaml") == ["POD001"]
    assert codes(run, "--filter", str(Path("apps/pod.yaml").absolute())) == ["POD001"]
    assert codes(run, "--filter", "apps") == ["POD001"]
    assert codes(run, "apps/pod.yaml") == ["LNT002"]  # neither the pool nor what Flux replaces is known
    assert codes(run, "--filter", "apps/pool.yaml") == []


def test_the_filter_decides_the_exit_status(run: Run) -> None:
    Path("apps/broken.yaml").write_bytes(b"apiVersion: v1\nkind: Pod\nmetadata: {name: \xff}\n")
    assert run("lint").code == 1
    assert run("lint", "--filter", "apps/pool.yaml").code == 0
    assert "POD001" in run("lint", "--filter", "apps/pod.yaml").out
    ran = run("lint", "--filter", "apps/broken.yaml")
    assert (ran.code, "INP002" in ran.out, "POD001" in ran.out) == (1, True, False)


def test_only_filtered_files_are_fixed(run: Run) -> None:
    slip = "apiVersion: v1\nkind: ConfigMap\nmetadata: {Name: a}\n"
    write(slip, "apps/a.yaml")
    write(slip, "apps/b.yaml")
    assert "2 fixed in" not in run("lint", "--filter", "--fix", "apps/a.yaml").err
    assert Path("apps/a.yaml").read_text() != slip
    assert Path("apps/b.yaml").read_text() == slip


def test_the_configuration_decides_what_is_read(run: Run) -> None:
    head = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
    write(f"{head}lint: {{paths: [clusters]}}\n", ".gitgpu.yaml")
    assert codes(run, "--filter", "apps/pod.yaml") == []
    write(f"{head}lint: {{path: [clusters]}}\n", ".gitgpu.yaml")
    assert "CFG001" in codes(run, "--filter", "apps/pod.yaml")


def test_the_nearest_configuration_applies_to_each_file(run: Run) -> None:
    allow = "allow: [{code: POD001, file: '**', reason: a webhook adds the toleration}]\n"
    write(f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n{allow}", "apps/.gitgpu.yaml")
    assert codes(run, "--filter", "apps/pod.yaml", "clusters/flux.yaml") == []


def test_files_of_several_configurations_are_counted_once(run: Run) -> None:
    """Each configuration judges all files, and reports those that it applies to."""
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n", "apps/gpu/.gitgpu.yaml")
    write(POD.replace("name: chat", "name: tag"), "apps/gpu/pod.yaml")
    all_files = run("lint").err.splitlines()[-1].partition(" - ")[0]
    ran = run("lint", "--filter", "--", "apps/gpu/pod.yaml", "apps/pod.yaml", "apps/pool.yaml", *OTHERS)
    assert (ran.out.count("error[POD001]"), "in other files" in ran.err) == (2, False)
    assert ran.err.splitlines()[-1].partition(" - ")[0] == all_files
    ran = run("lint", "--filter", "--", "apps/gpu/pod.yaml", "apps/pool.yaml", *OTHERS)
    assert (ran.out.count("error[POD001]"), "1 finding in other files" in ran.err) == (1, True)


def test_files_that_do_not_exist_are_noted(run: Run) -> None:
    ran = run("lint", "--filter", "apps/pool.yaml", "deleted.yaml")
    assert (ran.code, ran.err.splitlines()[0]) == (0, "not found: deleted.yaml")


@pytest.mark.parametrize("paths", [(), ("-",), ("apps", "-")])
def test_a_filter_needs_files(run: Run, paths: tuple[str, ...]) -> None:
    ran = run("lint", "--filter", *paths)
    assert ran.code == 2
    assert "--filter needs the files and directories" in ran.err
