"""Dates before every fact of the catalog, such as that of a machine whose clock has stopped, and far after them."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

OBJECTS = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a}
spec:
  disruption: {consolidateAfter: 5m, consolidationPolicy: Balanced, notYet: 1}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: a}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC6s_v3]}]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: a, namespace: a}
spec: {clusterQueue: a}
---
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedCluster
metadata: {name: a, namespace: a}
spec: {location: swedencentral, owner: {name: a}, kubernetesVersion: "1.33"}
"""


@pytest.mark.parametrize("today", ["1970-01-01", "2019-12-31", "2199-12-31"])
def test_lint_works_on_any_day(run: Run, tmp_path: Path, today: str) -> None:
    (tmp_path / "a.yaml").write_text(OBJECTS)
    ran = run("lint", "--today", today, str(tmp_path / "a.yaml"))
    assert ran.code in (0, 1)
    assert "INT001" not in ran.out + ran.err
    assert " -" not in " ".join(line for line in ran.out.splitlines() if "days" in line)
    # What cannot be old yet, or ended, is not called so.
    is_later = today > "2030"
    assert ("support for Kubernetes 1.33 ended" in ran.out) is is_later
    assert ("Azure retired Standard_NC6s_v3" in ran.out) is is_later


def test_a_day_that_does_not_exist_is_refused(run: Run, tmp_path: Path) -> None:
    ran = run("lint", "--today", "2026-02-30", str(tmp_path))
    assert ran.code == 2
    assert "is not a date" in ran.err
