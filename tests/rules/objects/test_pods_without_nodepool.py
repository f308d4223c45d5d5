"""GPU pods that fit none of the NodePools in the input, while other pools may exist elsewhere."""

import pytest

from gitgpu.diagnostic import Severity
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nvidia.com/gpu: 2}
  template:
    metadata: {labels: {team: ml}}
    spec:
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC48ads_A100_v4]}]
"""
POD = """
---
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: b}
spec:
  %s
  containers:
  - {name: main, image: example.com/app:1, resources: {limits: {nvidia.com/gpu: %d}, requests: {memory: %s}}}
"""
TOLERANT = "tolerations: [{key: sku, operator: Exists}]"


def findings(spec: str, gpus: int = 1, memory: str = "1Gi", *, closed: bool = False) -> list[tuple[str, Severity]]:
    """The findings about the placement of the pod."""
    given = read(POOL + POD % (spec, gpus, memory))
    reported = object_findings(given, KUBERNETES, shared_norms(), closed=closed)
    return [(finding.code, finding.severity) for finding in reported if finding.code.startswith("POD")]


@for_each(
    ("spec", "gpus", "memory", "sure"),
    [
        ("", 1, "1Gi", "POD001"),
        (f"{TOLERANT}\n  nodeSelector: {{tier: x}}", 1, "1Gi", "POD002"),
        (f"{TOLERANT}\n  nodeSelector: {{team: web}}", 1, "1Gi", "POD003"),
        (TOLERANT, 4, "1Gi", "POD006"),
        (TOLERANT, 1, "900Gi", "POD006"),
    ],
)
def test_an_error_about_a_whole_cluster_is_an_info_about_a_part(spec: str, gpus: int, memory: str, sure: str) -> None:
    assert findings(spec, gpus, memory) == [("POD043", Severity.INFO)]
    assert findings(spec, gpus, memory, closed=True) == [(sure, Severity.ERROR)]


def test_a_pod_that_fits_a_pool_and_a_pod_without_gpus_are_not_reported() -> None:
    assert findings(TOLERANT) == []
    given = read(POOL + POD.replace("limits: {nvidia.com/gpu: %d}, ", "") % (TOLERANT, "900Gi"))
    assert "POD043" not in {
        finding.code for finding in object_findings(given, KUBERNETES, shared_norms(), closed=False)
    }


def test_a_pod_that_only_karpenter_can_take_is_an_error_either_way() -> None:
    pinned = f"{TOLERANT}\n  nodeSelector: {{karpenter.sh/nodepool: a100, tier: x}}"
    assert findings(pinned) == [("POD002", Severity.ERROR)]


def test_the_requirement_is_named_that_no_size_of_the_pool_meets() -> None:
    """`sku-gpu-count` excludes one of two sizes, `sku-gpu-name` both."""
    sizes = "[Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4]"
    pool = POOL.replace("[Standard_NC48ads_A100_v4]", sizes)
    wanted = '{karpenter.azure.com/sku-gpu-count: "1", karpenter.azure.com/sku-gpu-name: H100}'
    given = read(pool + POD % (f"{TOLERANT}\n  nodeSelector: {wanted}", 1, "1Gi"))
    reported = object_findings(given, KUBERNETES, shared_norms(), closed=True)
    [finding] = [finding for finding in reported if finding.code == "POD003"]
    assert "no NodePool meets karpenter.azure.com/sku-gpu-name In H100" in finding.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("limits: {nvidia.com/gpu: 2}", "replicas: 2"),  # the pool of fixed size is not judged
        ("operator: In, values: [Standard_NC48ads_A100_v4]", "operator: Equals, values: [a]"),
        ("operator: In, values: [Standard_NC48ads_A100_v4]", "operator: In, values: Standard_NC96ads_A100_v4"),
    ],
)
def test_nothing_is_said_beside_a_pool_that_may_take_the_pod(before: str, after: str) -> None:
    other = POOL.replace("name: a100", "name: other").replace(before, after)
    assert other.count(after) == 1
    given = read(f"{POOL}---{other}{POD % (TOLERANT, 4, '1Gi')}")
    codes = {finding.code for finding in object_findings(given, KUBERNETES, shared_norms(), closed=True)}
    assert codes.isdisjoint({"POD001", "POD002", "POD003", "POD006", "POD043"})
