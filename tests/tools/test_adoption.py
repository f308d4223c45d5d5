"""The share of GPU pools that import adopts."""

import subprocess
from pathlib import Path

import pytest

from tools.adoption import main

TESTS = Path(__file__).parents[1]
POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
"""
CLASS = """\
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {imageFamily: Ubuntu2204}
"""


def test_nearly_all_recorded_pools_are_adopted(capsys: pytest.CaptureFixture[str]) -> None:
    shapes = sorted((TESTS / "journeys/shapes").glob("*/"))
    repositories = sorted((TESTS / "lint_corpus").glob("*/tree"))
    assert main([str(path) for path in (*shapes, *repositories) if path.is_dir()]) == 0
    assert "not, 0 wrong\n  node pool flat: " in capsys.readouterr().out  # Flatcar ended, and is not adopted


def test_examples_in_a_clone_without_a_work_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each block of a page is alone: the second one has no node class."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "page.md").write_text(f"Text\n\n```yaml\n{POOL}{CLASS}```\n\n```yaml\n{POOL}```\n", encoding="utf-8")
    git = ["git", "-C", str(work), "-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"]
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "x"]):
        subprocess.run([*git, *words], check=True)
    bare = tmp_path / "contoso+platform/repo"
    bare.parent.mkdir()
    subprocess.run(["git", "clone", "--quiet", "--bare", str(work), str(bare)], check=True)
    assert main([str(tmp_path)]) == 1
    output = capsys.readouterr().out
    assert "contoso/platform/page.md#0: 1 adopted, 0 not" in output
    assert "AKSNodeClass gpu was not read" in output
    assert "1 of 2 GPU pools are adopted: 50.0%" in output
